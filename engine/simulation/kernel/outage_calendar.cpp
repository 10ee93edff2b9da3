#include "engine/simulation/kernel/outage_calendar.hpp"

#include <algorithm>
#include <array>

#include "engine/random/uniforms.hpp"

namespace schedfarm::engine {

namespace {

// The draws of a node lie together: an up and a down time for each of its outages.
constexpr std::uint64_t draws_per_node = std::uint64_t{1} << 32;

}  // namespace

OutageCalendar::OutageCalendar(const SystemDescription& system, const Stream& random)
    : random_(random) {
    if (system.outages.empty()) {
        return;
    }
    reasons_.resize(system.processors(), 0);
    if (system.outages.failures.mean_time_between_failures > 0) {
        add_nodes(system);
    }
    for (const Outage& outage : system.outages.listed) {
        sources_.push_back({.first = outage});
    }
    is_under_way_.resize(sources_.size(), false);
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        plan_next(i, 0);
    }
}

void OutageCalendar::add_nodes(const SystemDescription& system) {
    const NodeFailures& failures = system.outages.failures;
    for (std::uint32_t p = 0; p < system.processors(); p += failures.processors_per_node) {
        // The means; `from` and `until` of what is drawn follow from these.
        const Outage node{
            .from = failures.mean_time_between_failures,
            .until = failures.mean_time_to_repair,
            .first_processor = p,
            .count = failures.processors_per_node};
        sources_.push_back({.first = node, .is_drawn = true});
    }
}

void OutageCalendar::plan_next(std::size_t source, double from_when) {
    Source& of = sources_[source];
    if (of.is_drawn) {
        std::array<double, 2> lengths{};
        fill_unit_exponentials(random_, source * draws_per_node + 2 * of.seen, lengths);
        of.now = of.first;
        of.now.from = from_when + lengths[0] * of.first.from;
        of.now.until = of.now.from + lengths[1] * of.first.until;
    } else if (of.seen == 0 || of.first.every > 0) {
        of.now = of.first.repeated(static_cast<double>(of.seen));
    } else {
        return;
    }
    due_.push({of.now.from, source});
}

void OutageCalendar::take(double time, std::vector<CapacityChange>& changes) {
    touched_.clear();
    while (next() <= time) {
        const std::size_t source = due_.top().source;
        due_.pop();
        Source& of = sources_[source];
        const bool begins = !is_under_way_[source];
        is_under_way_[source] = begins;
        for (std::uint32_t i = 0; i < of.now.count; ++i) {
            const std::uint32_t p = of.now.first_processor + i;
            touched_.emplace_back(p, reasons_[p] > 0);
            reasons_[p] += begins ? 1U : -1U;
        }
        if (begins) {
            ++of.seen;
            due_.push({of.now.until, source});
        } else {
            plan_next(source, of.now.until);
        }
    }
    // The first entry of a processor tells how it was before.
    const auto by_processor = [](const auto& a, const auto& b) {
        return a.first < b.first;
    };
    std::stable_sort(touched_.begin(), touched_.end(), by_processor);
    for (std::size_t i = 0; i < touched_.size(); ++i) {
        const auto& [processor, was_out] = touched_[i];
        const bool is_first = i == 0 || touched_[i - 1].first != processor;
        if (is_first && was_out != (reasons_[processor] > 0)) {
            add_change(processor, time, changes);
        }
    }
}

void OutageCalendar::add_change(
    std::uint32_t processor, double time, std::vector<CapacityChange>& changes
) const {
    const auto kind =
        reasons_[processor] > 0 ? CapacityChange::Kind::down : CapacityChange::Kind::up;
    if (!changes.empty() && changes.back().time == time && changes.back().kind == kind
        && changes.back().first_processor + changes.back().count == processor) {
        ++changes.back().count;
    } else {
        changes.push_back({time, processor, 1, kind});
    }
}

}  // namespace schedfarm::engine
