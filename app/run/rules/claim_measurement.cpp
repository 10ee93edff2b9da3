#include "app/run/rules/claim_measurement.hpp"

#include <algorithm>
#include <optional>

#include "engine/statistics/jackknife.hpp"

#include "results_schema/absent.hpp"

#include "app/plan/analyses/claims.hpp"
#include "app/plan/log_blocks.hpp"

namespace schedfarm::app {

namespace {

using results_schema::absent;

/// Not a number where the result is none: 0 / 0, or a claim of replications that do not exist.
double evaluated(const Expression& expression, const Expression::Lookup& lookup) {
    try {
        return expression.evaluate(lookup);
    } catch (const ExpressionError&) {
        return absent;
    }
}

}  // namespace

const std::vector<double>& ClaimMeasurement::values(const QuantityTerm& term) {
    return values(term, progress_.cells().at(term.cell)->used());
}

const std::vector<double>& ClaimMeasurement::values(const QuantityTerm& term, std::uint64_t n) {
    const auto found = values_.find({term, n});
    if (found != values_.end()) {
        return found->second;
    }
    const CellProgress& cell = *progress_.cells().at(term.cell);
    const Expression& expression = plan_.claims.quantities[term.quantity].expression;
    std::map<std::string, MetricSample> samples;
    bool has_ratio = false;
    for (const std::string& path : expression.paths()) {
        const auto column = *column_index(cell.cell(), column_of_class(path, term.job_class));
        const MetricSample sample = cell.column_sample(column, n);
        samples[path].values = sample.by_replication();
        has_ratio = has_ratio || !sample.denominators.empty();
    }
    const auto in_replication = [&](std::uint64_t r) {
        return evaluated(expression, [&](const std::string& path) {
            return std::optional(samples.at(path).values[r]);
        });
    };
    const auto of_means = [&](std::optional<std::uint64_t> left_out) {
        return evaluated(expression, [&](const std::string& path) {
            return std::optional(samples.at(path).mean_without(left_out));
        });
    };
    std::vector<double> values;
    if (has_ratio) {
        values = engine::pseudo_values(n, of_means);
    } else {
        for (std::uint64_t r = 0; r < n; ++r) {
            values.push_back(in_replication(r));
        }
    }
    return values_.emplace(std::pair(term, n), std::move(values)).first->second;
}

std::uint64_t ClaimMeasurement::replications(const ClaimInstance& instance) const {
    std::optional<std::uint64_t> fewest;
    for (const auto& [path, operand] : instance.operands) {
        if (const auto* term = std::get_if<QuantityTerm>(&operand)) {
            const std::uint64_t used = progress_.cells().at(term->cell)->used();
            fewest = std::min(fewest.value_or(used), used);
        }
    }
    return fewest.value_or(1);  // constants alone need none
}

std::optional<engine::LogBlocks> ClaimMeasurement::log_blocks(const ClaimInstance& instance) const {
    std::optional<engine::LogBlocks> blocks;
    for (const auto& [path, operand] : instance.operands) {
        if (const auto* term = std::get_if<QuantityTerm>(&operand)) {
            blocks = in_common(blocks, plan_.cells[term->cell].log_blocks);
        }
    }
    return blocks;
}

double ClaimMeasurement::mean(
    const QuantityTerm& term, std::uint64_t n, std::optional<std::uint64_t> left_out
) {
    const std::vector<double>& all = values(term, n);
    double sum = 0;
    for (std::uint64_t r = 0; r < n; ++r) {
        sum += left_out == r ? 0.0 : all[r];
    }
    return sum / static_cast<double>(left_out ? n - 1 : n);
}

engine::Estimate ClaimMeasurement::estimate(const ClaimPlan& claim, const ClaimInstance& instance) {
    const std::uint64_t n = replications(instance);
    const auto statistic = [&](std::optional<std::uint64_t> left_out) {
        Expression::Lookup lookup;
        lookup = [&](const std::string& path) -> std::optional<double> {
            const ClaimOperand& operand = instance.operands.at(path);
            if (const auto* name = std::get_if<NameIndex>(&operand)) {
                return evaluated(plan_.claims.names[name->index], lookup);
            }
            const auto* term = std::get_if<QuantityTerm>(&operand);
            return term == nullptr ? std::get<double>(operand) : mean(*term, n, left_out);
        };
        return evaluated(claim.value, lookup);
    };
    if (const auto estimate = engine::jackknife(n, statistic, plan_.claims.confidence)) {
        const auto blocks = log_blocks(instance);
        return blocks ? engine::of_logs_like_it(*estimate, *blocks) : *estimate;
    }
    engine::Estimate only;
    only.n = n;
    only.mean = n == 0 ? absent : statistic(std::nullopt);
    only.confidence = plan_.claims.confidence;
    only.interval = {.lower = only.mean, .upper = only.mean};
    return only;
}

}  // namespace schedfarm::app
