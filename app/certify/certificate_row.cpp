#include "app/certify/certificate_row.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "results_schema/schema.hpp"

#include "app/config/yaml/config_error.hpp"
#include "app/config/yaml/numbers.hpp"
#include "app/plan/analyses/certificates.hpp"
#include "app/run/cell_progress.hpp"

namespace schedfarm::app {

namespace {

[[noreturn]] void throw_row_problem(
    const Plan& plan, std::string reason, const std::string& suggestion
) {
    throw_problem({plan.source.main_file, 0, 0}, std::move(reason), suggestion);
}

bool is_decision(const Certificate& certificate) {
    return certificate.subject == CertificateSubject::decision;
}

void expect_columns(const Plan& plan, const Certificate& certificate) {
    const results_schema::TableSchema* table = results_schema::find_table_schema(certificate.table);
    std::vector<std::string> needed;
    for (const auto& [column, value] : certificate.where) {
        needed.push_back(column);
    }
    if (is_decision(certificate)) {
        needed.push_back(certificate.column);
    } else {
        needed.insert(needed.end(), {"lower", "upper"});
    }
    for (const std::string& name : needed) {
        const bool is_there =
            table != nullptr
            && std::any_of(table->columns.begin(), table->columns.end(), [&](const auto& column) {
                   return column.name == name;
               });
        if (!is_there) {
            throw_row_problem(
                plan,
                fmt::format(
                    "the result file has no column '{}' in a table '{}'", name, certificate.table
                ),
                "results_schema/SCHEMA.md lists them"
            );
        }
    }
}

[[noreturn]] void throw_unknown(
    const Plan& plan, const Cell& cell, const Certificate& certificate
) {
    throw_row_problem(
        plan,
        fmt::format(
            "cell {} cannot be certified (no observed metric '{}' with a known value '{}' other "
            "than 0)",
            cell.index,
            certificate.metric,
            certificate.truth
        ),
        "`schedfarm run` and `schedfarm report` show what is known of a cell"
    );
}

CertificateRow make_row(const Plan& plan, const Cell& cell, const Certificate& certificate) {
    expect_columns(plan, certificate);
    CertificateRow row{&plan, &cell, certificate, 0, certificate.source};
    if (!is_decision(certificate) && certificate.table == "estimates"
        && !column_index(cell, certificate.metric)) {
        throw_unknown(plan, cell, certificate);
    }
    if (is_decision(certificate) || !has_label(certificate)) {
        row.truth = parse_real(certificate.truth).value_or(0);
        return row;
    }
    const std::vector<engine::KnownValue> truths = truths_of(cell);
    const engine::KnownValue* known = known_truth(truths, certificate);
    if (known == nullptr) {
        throw_unknown(plan, cell, certificate);
    }
    row.truth = known->value;
    row.source = known->source;
    return row;
}

bool is_wanted(const Cell& cell, const std::string& metric) {
    const auto& targets = cell.replications.targets;
    return targets.empty() ? column_index(cell, metric).has_value()
                           : std::any_of(targets.begin(), targets.end(), [&](const auto& target) {
                                 return target.metric == metric;
                             });
}

/// The row of a cell without a section, if an exact value is known. A value that holds for the
/// start from an empty system is preferred: it has no bias of the warm-up.
std::vector<CertificateRow> own_row(const Plan& plan, const Cell& cell) {
    std::vector<engine::KnownValue> exact;
    for (const engine::KnownValue& known : truths_of(cell)) {
        if (known.is_exact && is_wanted(cell, known.metric)) {
            exact.push_back(known);
        }
    }
    if (exact.empty() || cell.placed_load || cell.load_search) {
        return {};
    }
    const auto from_empty = std::find_if(exact.begin(), exact.end(), [](const auto& known) {
        return known.label == "exact from empty";
    });
    const engine::KnownValue& best = from_empty == exact.end() ? exact.front() : *from_empty;
    Certificate certificate;
    certificate.metric = best.metric;
    certificate.truth = best.label;
    certificate.low = cell.replications.confidence - default_band;
    certificate.high = std::min(1.0, cell.replications.confidence + default_band);
    return {make_row(plan, cell, certificate)};
}

/// Whether the row, which is about all cells, stands there from another cell.
bool is_repeated(const std::vector<CertificateRow>& rows, const Certificate& certificate) {
    const std::string text = text_of(certificate);
    return certificate.scope == CertificateScope::campaign
           && std::any_of(rows.begin(), rows.end(), [&](const CertificateRow& row) {
                  return text_of(row.certificate) == text;
              });
}

}  // namespace

std::vector<CertificateRow> certificate_rows(const Plan& plan) {
    const bool is_certificate =
        std::any_of(plan.cells.begin(), plan.cells.end(), [](const Cell& cell) {
            return !cell.certificates.empty();
        });
    std::vector<CertificateRow> rows;
    for (const Cell& cell : plan.cells) {
        for (const Certificate& certificate : cell.certificates) {
            if (!is_repeated(rows, certificate)) {
                rows.push_back(make_row(plan, cell, certificate));
            }
        }
        if (!is_certificate) {
            for (CertificateRow& row : own_row(plan, cell)) {
                rows.push_back(std::move(row));
            }
        }
    }
    if (rows.empty()) {
        throw_row_problem(
            plan,
            "nothing to certify (no cell has a metric whose true value is known exactly)",
            "Choose a workload and a policy with closed forms; see docs/results/certificate.md"
        );
    }
    return rows;
}

const engine::KnownValue* known_truth(
    const std::vector<engine::KnownValue>& truths, const Certificate& certificate
) {
    const auto found = std::find_if(truths.begin(), truths.end(), [&](const auto& known) {
        return known.metric == certificate.metric && known.label == certificate.truth;
    });
    return found == truths.end() ? nullptr : &*found;
}

std::string row_name(const CertificateRow& row) {
    const Certificate& certificate = row.certificate;
    std::vector<std::string> parts;
    if (certificate.scope == CertificateScope::cell) {
        for (const FactorLevel& level : row.cell->levels) {
            parts.push_back(level.label);
        }
    }
    if (certificate.table != "estimates" && !is_decision(certificate)) {
        parts.push_back(certificate.table);
    }
    for (const auto& [column, value] : certificate.where) {
        parts.push_back(fmt::format("{}={}", column, value));
    }
    return parts.empty() ? row.plan->name : fmt::format("{}", fmt::join(parts, ", "));
}

std::string truth_text(const CertificateRow& row) {
    const Certificate& certificate = row.certificate;
    if (is_decision(certificate)) {
        return certificate.is.empty()
                   ? fmt::format("{} ≥ {:g}", certificate.column, certificate.at_least)
                   : fmt::format("{}: {}", certificate.column, fmt::join(certificate.is, " or "));
    }
    if (certificate.table == "comparisons" && has_label(certificate)) {
        return fmt::format("{}, difference", certificate.metric);
    }
    return certificate.metric.empty() ? fmt::format("{:.6g}", row.truth)
                                      : fmt::format("{} {:.6g}", certificate.metric, row.truth);
}

}  // namespace schedfarm::app
