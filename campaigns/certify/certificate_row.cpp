#include "campaigns/certify/certificate_row.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "campaigns/config/config_error.hpp"
#include "campaigns/run/cell_progress.hpp"

namespace schedfarm::campaigns {

namespace {

[[noreturn]] void throw_row_problem(
    const Plan& plan, std::string reason, const std::string& suggestion
) {
    throw_problem({plan.source.main_file, 0, 0}, std::move(reason), suggestion);
}

/// A stable open system ends at its saturation point, which is also what a saturated one measures.
std::vector<engine::KnownValue> truths_of(const Cell& cell) {
    std::vector<engine::KnownValue> truths = cell.known_values;
    if (cell.experiment.kind == engine::ExperimentKind::saturated && cell.maximal_utilization) {
        truths.push_back(*cell.maximal_utilization);
        truths.back().metric = "gross_utilization";
    }
    return truths;
}

CertificateRow make_row(const Plan& plan, const Cell& cell, const Certificate& certificate) {
    const std::vector<engine::KnownValue> truths = truths_of(cell);
    const auto found = std::find_if(truths.begin(), truths.end(), [&](const auto& known) {
        return known.metric == certificate.metric && known.label == certificate.truth;
    });
    if (found == truths.end() || found->value == 0 || !column_index(cell, certificate.metric)) {
        throw_row_problem(
            plan,
            fmt::format(
                "cell {} cannot be certified (no observed metric '{}' with a known value '{}' "
                "other than 0)",
                cell.index,
                certificate.metric,
                certificate.truth
            ),
            "`schedfarm run` and `schedfarm report` show what is known of a cell"
        );
    }
    if (cell.placed_load || cell.load_search) {
        throw_row_problem(
            plan,
            fmt::format("cell {} cannot be certified (its load is not fixed)", cell.index),
            "Give it load: {utilization: ...}"
        );
    }
    return {&plan, &cell, certificate, found->value, found->source};
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
        if (known.is_exact && known.value != 0 && is_wanted(cell, known.metric)) {
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

}  // namespace

std::vector<CertificateRow> certificate_rows(const Plan& plan) {
    const bool is_certificate =
        std::any_of(plan.cells.begin(), plan.cells.end(), [](const Cell& cell) {
            return cell.certificate.has_value();
        });
    std::vector<CertificateRow> rows;
    for (const Cell& cell : plan.cells) {
        if (cell.certificate) {
            rows.push_back(make_row(plan, cell, *cell.certificate));
        } else if (!is_certificate) {
            for (CertificateRow& row : own_row(plan, cell)) {
                rows.push_back(std::move(row));
            }
        }
    }
    if (rows.empty()) {
        throw_row_problem(
            plan,
            "nothing to certify (no cell has a metric whose true value is known exactly)",
            "Choose a workload and a policy with closed forms; see docs/background/certificate.md"
        );
    }
    return rows;
}

std::string row_name(const CertificateRow& row) {
    std::string name;
    for (const FactorLevel& level : row.cell->levels) {
        name += (name.empty() ? "" : ", ") + level.label;
    }
    return name.empty() ? row.plan->name : name;
}

}  // namespace schedfarm::campaigns
