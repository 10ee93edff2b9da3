#include "app/run/rules/gate.hpp"

#include <algorithm>
#include <cmath>

#include "engine/foundation/expect.hpp"

#include "app/campaign/plan/log_blocks.hpp"
#include "app/campaign/plan/steady_state.hpp"

namespace schedfarm::app {

std::string_view word_of(GateAnswer answer) {
    switch (answer) {
        case GateAnswer::passed:
            return "passed";
        case GateAnswer::moments:
            return "moments";
        case GateAnswer::carriers:
            return "carriers";
        case GateAnswer::start:
            return "start";
        case GateAnswer::tail:
            return "tail";
        case GateAnswer::blocks:
            break;
    }
    return "blocks";
}

GateAnswer answer_called(std::string_view word) {
    auto answer = GateAnswer::passed;
    while (answer != GateAnswer::blocks && word_of(answer) != word) {
        answer = static_cast<GateAnswer>(static_cast<std::uint8_t>(answer) + 1);
    }
    SCHEDFARM_EXPECT(word_of(answer) == word, "no answer of the gate");
    return answer;
}

GateAnswer worse_of(GateAnswer a, GateAnswer b) {
    if (a == GateAnswer::passed || b == GateAnswer::passed) {
        return std::max(a, b);
    }
    return std::min(a, b);
}

Gate::Gate(const CellProgress& cell, std::uint64_t n)
    : cell_(cell), n_(n), moments_(cell.cell()), start_(start_of_means(cell, n)) {}

GateAnswer Gate::ask(const std::string& metric) const {
    const MetricSample sample = cell_.metric_sample(metric, n_);
    const ReplicationPlan& plan = cell_.cell().replications;
    return ask(metric, sample, sample.estimate(plan.confidence, plan.method));
}

GateAnswer Gate::ask(
    const std::string& metric,
    const MetricSample& sample,
    const std::optional<engine::Estimate>& estimate
) const {
    const bool is_quantile = !sample.sketches.empty();
    if (!is_quantile && !has_variance(metric)) {
        return GateAnswer::moments;
    }
    if (!has_carriers(sample)) {
        return GateAnswer::carriers;
    }
    if (estimate && !has_started(metric, sample, *estimate)) {
        return GateAnswer::start;
    }
    if (!is_quantile && estimate && !has_drawn_tail(metric, estimate->confidence)) {
        return GateAnswer::tail;
    }
    return has_alike_blocks() ? GateAnswer::passed : GateAnswer::blocks;
}

bool Gate::has_variance(const std::string& metric) const {
    return moments_.variance_of(metric) != Variance::infinite;
}

bool Gate::has_carriers(const MetricSample& sample) const {
    const std::uint64_t carriers = sample.carriers();
    return carriers == sample.values.size() || carriers >= engine::fewest_carriers;
}

bool Gate::has_started(
    const std::string& metric, const MetricSample& sample, const engine::Estimate& estimate
) const {
    if (!start_ || !depends_on_queue(cell_.cell(), metric)) {
        return true;
    }
    const double bias = start_->bias.interval.upper * start_->factor_of(metric, sample);
    return !(bias * std::fabs(estimate.mean) > start_share * estimate.longer_side());
}

bool Gate::has_drawn_tail(const std::string& metric, double confidence) const {
    return moments_.share_not_drawn(metric, n_).value_or(0) <= most_not_drawn(confidence);
}

bool Gate::has_alike_blocks() const {
    return !cell_.cell().log_blocks || has_alike_blocks_in(*cell_.cell().workload);
}

}  // namespace schedfarm::app
