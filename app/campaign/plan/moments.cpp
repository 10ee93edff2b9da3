#include "app/campaign/plan/moments.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <variant>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/random/distribution.hpp"
#include "engine/random/tail.hpp"

#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/plan/steady_state.hpp"

namespace schedfarm::app {

namespace {

constexpr std::string_view between_jobs = "interarrival";
constexpr double of_the_jobs = 2;
constexpr double of_the_queue = 3;  ///< of one server

/// The distributions of times in a workload, or in one inside of it, and whether each is of times
/// between jobs.
void visit_times(
    const engine::Choice& workload,
    const std::function<void(const engine::Choice&, bool)>& visit,
    bool is_between = false
) {
    const auto& families = engine::time_distributions();
    if (std::ranges::find(families, workload.name, &engine::Alternative::name) != families.end()) {
        visit(workload, is_between);
    }
    for (const auto& [name, value] : workload.parameters.entries()) {
        const auto visit_in = [&visit, is_inside = name == between_jobs](const engine::Value& own) {
            if (const auto* inner =
                    std::get_if<std::shared_ptr<const engine::Choice>>(&own.data())) {
                visit_times(**inner, visit, is_inside);
            }
        };
        visit_in(value);
        if (const auto* list = std::get_if<engine::Value::List>(&value.data())) {
            std::for_each(list->begin(), list->end(), visit_in);
        }
    }
}

bool is_served_by_one(const Cell& cell) {
    const auto* const policy = registered_catalogues().find_policy(cell.policy->name);
    return cell.system.clusters == std::vector<std::uint32_t>{1} && policy != nullptr
           && !policy->traits(cell.policy->parameters).preemptive;
}

/// The greatest of what the columns of the cell have.
Variance worst_variance(const Cell& cell) {
    const Moments moments(cell);
    Variance worst = Variance::finite;
    for (const engine::ObservationColumn& column : cell.measures->columns) {
        worst = std::max(worst, moments.variance_of(column.name));
    }
    return worst;
}

}  // namespace

Moments::Moments(const Cell& cell)
    : cell_(cell), of_times_(std::numeric_limits<double>::infinity()), of_services_(of_times_) {
    visit_times(*cell.workload, [&](const engine::Choice& times, bool is_between) {
        engine::Tail tail = engine::tail_of(times);
        of_times_ = std::min(of_times_, tail.least_infinite_moment);
        if (!is_between) {
            of_services_ = std::min(of_services_, tail.least_infinite_moment);
            if (tail.share_beyond) {
                services_.push_back(std::move(tail));
            }
        }
    });
    is_one_server_ = !services_.empty() && is_served_by_one(cell);
}

double Moments::needed(std::string_view column) const {
    return cell_.experiment.kind.is_open() && depends_on_queue(cell_, column) ? of_the_queue
                                                                              : of_the_jobs;
}

Variance Moments::variance_of(std::string_view column) const {
    if (of_times_ <= of_the_jobs) {
        return Variance::infinite;
    }
    if (of_services_ > of_the_queue || of_services_ > needed(column)) {
        return Variance::finite;
    }
    return is_one_server_ ? Variance::infinite : Variance::may_be_infinite;
}

std::optional<double> Moments::share_not_drawn(std::string_view column, std::uint64_t replications)
    const {
    const engine::Horizon& horizon = cell_.experiment.horizon;
    const double values = static_cast<double>(replications) * static_cast<double>(horizon.jobs);
    std::optional<double> share;
    for (const engine::Tail& tail : services_) {
        const double order = is_one_server_ ? needed(column) : of_the_jobs;
        share = std::max(share.value_or(0), tail.share_beyond(order, std::max(values, 2.0)));
    }
    return share;
}

std::vector<std::string> variance_warnings(const Plan& plan) {
    std::uint64_t infinite = 0;
    std::uint64_t doubtful = 0;
    const Cell* of_queue = nullptr;
    for (const Cell& cell : plan.cells) {
        const Variance worst = worst_variance(cell);
        infinite += worst == Variance::infinite ? 1U : 0U;
        doubtful += worst == Variance::may_be_infinite ? 1U : 0U;
        if (worst == Variance::infinite && of_queue == nullptr) {
            of_queue = &cell;
        }
    }
    std::vector<std::string> warnings;
    if (infinite > 0) {
        const bool is_of_all = Moments(*of_queue).variance_of("service_time") == Variance::infinite;
        warnings.push_back(fmt::format(
            "{} in {}: intervals of means promise nothing there, and no precision of them is met. "
            "Ask for quantiles, or bound the times (bounded_pareto).",
            is_of_all ? "times have an infinite variance"
                      : "waits have an infinite variance (of one server it needs the third moment "
                        "of the service time)",
            engine::counted(infinite, "cell")
        ));
    }
    if (doubtful > 0) {
        warnings.push_back(fmt::format(
            "waits may have an infinite variance in {}: service times have no third moment, of "
            "which waits need more the fewer processors are idle, and intervals of their means may "
            "be too short. Ask for quantiles, or bound the times (bounded_pareto).",
            engine::counted(doubtful, "cell")
        ));
    }
    return warnings;
}

}  // namespace schedfarm::app
