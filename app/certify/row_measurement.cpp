#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

#include "results_schema/tables/typed_columns.hpp"

#include "app/certify/macro_run.hpp"
#include "app/config/yaml/numbers.hpp"
#include "app/plan/analyses/certificates.hpp"

namespace schedfarm::app {

namespace {

using results_schema::Row;
using results_schema::Table;

bool has_value(const Row& row, const std::string& column, const std::string& value) {
    if (std::holds_alternative<results_schema::Texts>(row.table().at(column).data)) {
        return row.text(column) == value;
    }
    const auto number = parse_real(value);
    return number && row.number(column) == *number;
}

std::vector<Row> rows_meant(const CertificateRow& about, const Table& table) {
    const Certificate& certificate = about.certificate;
    const bool is_of_cell = certificate.scope == CertificateScope::cell;
    const char* const cell = table.find("cell") != nullptr         ? "cell"
                             : table.find("first_cell") != nullptr ? "first_cell"
                                                                   : nullptr;
    const bool has_metric = !certificate.metric.empty() && table.find("metric") != nullptr;
    std::vector<Row> meant;
    for (const Row& row : rows_of(table)) {
        const bool is_other =
            (is_of_cell && cell != nullptr && row.count(cell) != about.cell->index)
            || (has_metric && row.text("metric") != certificate.metric);
        const bool is_meant = std::all_of(
            certificate.where.begin(),
            certificate.where.end(),
            [&row](const auto& wanted) { return has_value(row, wanted.first, wanted.second); }
        );
        if (!is_other && is_meant) {
            meant.push_back(row);
        }
    }
    return meant;
}

/// The estimate in the middle of an interval, by the names that tables have for it.
double estimate_in(const Row& row) {
    for (const char* name : {"mean", "value", "rho_max", "difference"}) {
        if (row.table().find(name) != nullptr) {
            return row.real(name);
        }
    }
    SCHEDFARM_EXPECT(false, "table '" + row.table().name + "' has no estimate");
}

double known_of(const CertificateRow& about, std::uint64_t cell) {
    const auto truths = truths_of(about.plan->cells.at(cell));
    const engine::KnownValue* known = known_truth(truths, about.certificate);
    return known == nullptr ? std::nan("") : known->value;
}

double truth_in(const CertificateRow& about, const Row& row) {
    if (row.table().find("second_cell") == nullptr || !has_label(about.certificate)) {
        return about.truth;
    }
    return known_of(about, row.count("first_cell")) - known_of(about, row.count("second_cell"));
}

/// The first of the rows tells error and half-width; all of them must cover.
void measure_intervals(
    const CertificateRow& about, const std::vector<Row>& meant, MacroRun& result
) {
    result.covers = true;
    for (const Row& row : meant) {
        const double truth = truth_in(about, row);
        const double lower = row.real(about.certificate.ends + "lower");
        const double upper = row.real(about.certificate.ends + "upper");
        const double error = estimate_in(row) - truth;
        result.is_complete = result.is_complete && !std::isnan(lower + upper + error);
        result.covers = result.covers && lower <= truth && truth <= upper;
        if (row == meant.front()) {
            const double scale = truth == 0 ? 1 : std::abs(truth);
            result.relative_error = error / scale;
            result.half_width = (upper - lower) / 2 / scale;
        }
    }
    if (!result.is_complete && result.end.empty()) {
        result.end = "no number";
    }
}

bool is_right(const Certificate& certificate, const Row& row) {
    const auto is_value = [&](const std::string& value) {
        return has_value(row, certificate.column, value);
    };
    return certificate.is.empty()
               ? row.number(certificate.column) >= certificate.at_least
               : std::any_of(certificate.is.begin(), certificate.is.end(), is_value);
}

/// Ends of the cells that the row is about which were not planned.
std::string other_ends(const CertificateRow& row, const CampaignConclusions& conclusions) {
    std::set<std::string> ends;
    for (std::size_t i = 0; i < conclusions.cells.size(); ++i) {
        const bool is_meant =
            row.certificate.scope == CertificateScope::campaign || i == row.cell->index;
        const std::string_view status = conclusions.cells[i].status;
        if (is_meant && !is_planned_end(status)) {
            ends.emplace(status);
        }
    }
    return fmt::format("{}", fmt::join(ends, " and "));
}

}  // namespace

bool is_planned_end(std::string_view status) {
    return status == "fixed" || status == "met" || status == "selected" || status == "eliminated";
}

MacroRun measure(const CertificateRow& row, const CampaignConclusions& conclusions) {
    const Certificate& certificate = row.certificate;
    const bool is_decision = certificate.subject == CertificateSubject::decision;
    MacroRun result;
    result.used = conclusions.cells.at(row.cell->index).used;
    if (!is_decision) {
        result.end = other_ends(row, conclusions);
    }
    const Table* table = conclusions.results.find(certificate.table);
    const std::vector<Row> meant = table == nullptr ? std::vector<Row>() : rows_meant(row, *table);
    if (meant.empty()) {
        result.end = result.end.empty() ? "no row" : result.end;
        return result;
    }
    result.is_complete = result.end.empty();
    if (is_decision) {
        result.covers = std::all_of(meant.begin(), meant.end(), [&](const Row& of_table) {
            return is_right(certificate, of_table);
        });
    } else {
        measure_intervals(row, meant, result);
    }
    return result;
}

}  // namespace schedfarm::app
