#include "app/certify/row_measurement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

#include "app/config/yaml/numbers.hpp"
#include "app/plan/analyses/certificates.hpp"

namespace schedfarm::app {

namespace {

using results_schema::Column;
using results_schema::Table;

double number_at(const Column& column, std::size_t row) {
    return std::visit(
        [&](const auto& values) {
            using T = typename std::decay_t<decltype(values)>::value_type;
            if constexpr (std::is_arithmetic_v<T>) {
                return static_cast<double>(values.at(row));
            } else {
                SCHEDFARM_EXPECT(false, "column '" + column.name + "' holds texts");
                return 0.0;
            }
        },
        column.data
    );
}

const std::string* text_at(const Column& column, std::size_t row) {
    const auto* texts = std::get_if<results_schema::Texts>(&column.data);
    return texts == nullptr ? nullptr : &texts->at(row);
}

bool has_value(const Column& column, std::size_t row, const std::string& value) {
    if (const std::string* text = text_at(column, row)) {
        return *text == value;
    }
    const auto number = parse_real(value);
    return number && number_at(column, row) == *number;
}

/// The column that names the cell of a row; null where a table has none.
const Column* cell_column(const Table& table) {
    const Column* cell = table.find("cell");
    return cell != nullptr ? cell : table.find("first_cell");
}

std::vector<std::size_t> rows_meant(const CertificateRow& row, const Table& table) {
    const Certificate& certificate = row.certificate;
    const Column* cell = certificate.scope == CertificateScope::cell ? cell_column(table) : nullptr;
    const Column* metric = certificate.metric.empty() ? nullptr : table.find("metric");
    std::vector<std::size_t> meant;
    for (std::size_t r = 0; r < table.rows(); ++r) {
        const bool is_other = (cell != nullptr && number_at(*cell, r) != row.cell->index)
                              || (metric != nullptr && !has_value(*metric, r, certificate.metric));
        const bool is_meant = std::all_of(
            certificate.where.begin(),
            certificate.where.end(),
            [&](const auto& wanted) { return has_value(table.at(wanted.first), r, wanted.second); }
        );
        if (!is_other && is_meant) {
            meant.push_back(r);
        }
    }
    return meant;
}

/// The estimate in the middle of an interval, by the names that tables have for it.
const Column& estimate_column(const Table& table) {
    for (const char* name : {"mean", "value", "rho_max", "difference"}) {
        if (const Column* column = table.find(name)) {
            return *column;
        }
    }
    SCHEDFARM_EXPECT(false, "table '" + table.name + "' has no estimate");
}

double known_of(const CertificateRow& row, double cell) {
    const auto truths = truths_of(row.plan->cells.at(static_cast<std::size_t>(cell)));
    const engine::KnownValue* known = known_truth(truths, row.certificate);
    return known == nullptr ? std::nan("") : known->value;
}

double truth_at(const CertificateRow& row, const Table& table, std::size_t r) {
    const Column* second = table.find("second_cell");
    if (second == nullptr || !has_label(row.certificate)) {
        return row.truth;
    }
    return known_of(row, number_at(table.at("first_cell"), r))
           - known_of(row, number_at(*second, r));
}

/// The first of the rows tells error and half-width; all of them must cover.
void measure_intervals(
    const CertificateRow& row,
    const Table& table,
    const std::vector<std::size_t>& meant,
    MacroRun& result
) {
    const Column& estimate = estimate_column(table);
    result.covers = true;
    for (const std::size_t r : meant) {
        const double truth = truth_at(row, table, r);
        const double lower = number_at(table.at(row.certificate.ends + "lower"), r);
        const double upper = number_at(table.at(row.certificate.ends + "upper"), r);
        const double error = number_at(estimate, r) - truth;
        result.is_complete = result.is_complete && !std::isnan(lower + upper + error);
        result.covers = result.covers && lower <= truth && truth <= upper;
        if (r == meant.front()) {
            const double scale = truth == 0 ? 1 : std::abs(truth);
            result.relative_error = error / scale;
            result.half_width = (upper - lower) / 2 / scale;
        }
    }
    if (!result.is_complete && result.end.empty()) {
        result.end = "no number";
    }
}

bool is_right(const Certificate& certificate, const Column& column, std::size_t r) {
    return certificate.is.empty()
               ? number_at(column, r) >= certificate.at_least
               : std::any_of(
                   certificate.is.begin(),
                   certificate.is.end(),
                   [&](const std::string& value) { return has_value(column, r, value); }
               );
}

/// Ends of the cells that the row is about which were not planned.
std::string other_ends(const CertificateRow& row, const CampaignConclusions& conclusions) {
    std::set<std::string> ends;
    for (std::size_t i = 0; i < conclusions.cells.size(); ++i) {
        const bool is_meant =
            row.certificate.scope == CertificateScope::campaign || i == row.cell->index;
        const CellStatus status = conclusions.cells[i].status;
        if (is_meant && !is_planned_end(status)) {
            ends.emplace(status_word(status));
        }
    }
    return fmt::format("{}", fmt::join(ends, " and "));
}

}  // namespace

bool is_planned_end(CellStatus status) {
    constexpr std::array planned{
        CellStatus::fixed, CellStatus::met, CellStatus::selected, CellStatus::eliminated};
    return std::find(planned.begin(), planned.end(), status) != planned.end();
}

MacroRun measure(const CertificateRow& row, const CampaignConclusions& conclusions) {
    const Certificate& certificate = row.certificate;
    const bool is_decision = certificate.subject == CertificateSubject::decision;
    MacroRun result;
    result.used = conclusions.cells.at(row.cell->index).used;
    if (!is_decision) {
        result.end = other_ends(row, conclusions);
    }
    const Table* table = conclusions.find(certificate.table);
    const std::vector<std::size_t> meant =
        table == nullptr ? std::vector<std::size_t>{} : rows_meant(row, *table);
    if (meant.empty()) {
        result.end = result.end.empty() ? "no row" : result.end;
        return result;
    }
    result.is_complete = result.end.empty();
    if (is_decision) {
        const Column& column = table->at(certificate.column);
        result.covers = std::all_of(meant.begin(), meant.end(), [&](std::size_t r) {
            return is_right(certificate, column, r);
        });
    } else {
        measure_intervals(row, *table, meant, result);
    }
    return result;
}

}  // namespace schedfarm::app
