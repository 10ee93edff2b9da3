#include "app/run/rules/lengthening_rule.hpp"

#include <algorithm>
#include <limits>

#include "engine/statistics/steady_state/start_bias.hpp"

#include "app/campaign/plan/lengthening.hpp"
#include "app/campaign/plan/moments.hpp"
#include "app/run/cell_progress.hpp"
#include "app/run/rules/cell_stability.hpp"

namespace schedfarm::app {

namespace {

constexpr double seconds_of_hour = 3600;
constexpr std::uint32_t most_levels_at_once = 4;
constexpr double largest_bias = 0.5;

bool is_too_short(const CellStart& start, CellEnd end) {
    return end == CellEnd::undecided
               ? start.bias.interval.lower > start.allowed_at_target
               : start.bias.interval.upper > std::min(start.allowed, start.allowed_at_target);
}

std::uint32_t levels_to_add(const CellProgress& cell, const CellStart& start) {
    const engine::Horizon& horizon = cell.cell().experiment.horizon;
    const double warm_up =
        static_cast<double>(horizon.warm_up_jobs) / static_cast<double>(horizon.jobs);
    const double fewest = engine::relaxation_times_for(
        std::min(start.bias.interval.upper, 1 - std::numeric_limits<double>::epsilon()), warm_up
    );
    const double aimed = aimed_relaxation_times(
        std::min({start.allowed, start.allowed_at_target, largest_bias}), warm_up
    );
    std::uint32_t levels = 1;
    while (levels < most_levels_at_once && fewest * static_cast<double>(1U << levels) < aimed) {
        ++levels;
    }
    return levels;
}

bool may_begin_anew(CellEnd end) {
    switch (end) {
        case CellEnd::undecided:
        case CellEnd::met:
        case CellEnd::fixed:
        case CellEnd::selected:
        case CellEnd::eliminated:
            return true;
        default:
            return false;
    }
}

/// Whether the first checkpoint fits.
bool has_room(const CellProgress& cell, std::uint64_t n, std::uint32_t level) {
    const Budget rest = rest_of_budget(cell, n);
    const std::uint64_t min = cell.cell().replications.limits.min;
    const std::uint64_t jobs = horizon_at(cell.cell(), level).jobs;
    const double events = static_cast<double>(cell.events(n)) / static_cast<double>(n)
                          * static_cast<double>(jobs)
                          / static_cast<double>(cell.cell().experiment.horizon.jobs);
    return (!rest.replications || *rest.replications >= min)
           && (!rest.jobs || *rest.jobs / jobs >= min)
           && (!rest.events
               || static_cast<double>(*rest.events) >= events * static_cast<double>(min))
           && (!rest.core_hours || *rest.core_hours > 0);
}

}  // namespace

bool lengthen_together(std::span<CellProgress* const> cells, std::uint32_t level) {
    bool is_any_longer = false;
    for (CellProgress* cell : cells) {
        if (!cell->cell().lengthening || !may_begin_anew(cell->decision().end)) {
            continue;
        }
        const std::uint32_t own = has_room(*cell, cell->used(), level)
                                      ? level
                                      : cell->wanted_level().value_or(cell->level());
        if (own > cell->level()) {
            cell->lengthen(own);
            is_any_longer = true;
        }
    }
    return is_any_longer;
}

Budget rest_of_budget(const CellProgress& cell, std::uint64_t n) {
    Budget rest = cell.cell().replications.budget;
    const auto take = [](auto& budget, auto cost) {
        if (budget) {
            *budget -= std::min(*budget, cost);
        }
    };
    take(rest.replications, n);
    take(rest.jobs, cell.jobs(n));
    take(rest.events, cell.events(n));
    take(rest.core_hours, cell.seconds(n) / seconds_of_hour);
    return rest;
}

std::optional<std::uint32_t> longer_level(
    const CellProgress& cell, const CellDecision& decision, std::span<const MetricTarget> of_group
) {
    if (!cell.cell().lengthening || !may_begin_anew(decision.end) || cell.level() >= last_level
        || Moments(cell.cell()).variance_of("service_time") == Variance::infinite) {
        return std::nullopt;
    }
    const auto start = start_of(cell, decision.n, of_group);
    if (!start || !is_too_short(*start, decision.end)) {
        return std::nullopt;
    }
    return level_for(cell, *start, decision.n);
}

std::optional<std::uint32_t> level_for(
    const CellProgress& cell, const CellStart& start, std::uint64_t n
) {
    if (!cell.cell().lengthening || cell.level() >= last_level) {
        return std::nullopt;
    }
    const std::uint32_t level = std::min(cell.level() + levels_to_add(cell, start), last_level);
    return has_room(cell, n, level) ? std::optional(level) : std::nullopt;
}

}  // namespace schedfarm::app
