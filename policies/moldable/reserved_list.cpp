#include "policies/moldable/reserved_list.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace schedfarm::policies {

namespace {

using engine::AvailabilityProfile;

/// A schedule that grows entry by entry, and what it leaves free.
class ReservedList {
  public:
    ReservedList(const TaskList& list, const AvailabilityProfile& free, double begin)
        : list_(list), free_(free), begin_(begin), schedule_(empty_schedule(list, begin)) {}

    /// The first time from `from` on at which the entry's processors are free until it ends.
    double earliest_fit(std::uint32_t number, double from) const {
        const ListEntry& entry = list_.entries[number];
        double duration = 0;
        for (const ListedTask& task : list_.tasks_of(entry)) {
            duration += task.time;
        }
        double start = free_.earliest_fit(entry.processors, duration, from);
        // The end of several tasks in a row rounds otherwise than their total.
        for (double more = 1e-15;
             entry.count > 1 && !free_.is_free(start, end_of(entry, start), entry.processors);
             more *= 2) {
            start = free_.earliest_fit(entry.processors, duration * (1 + more), from);
        }
        return start;
    }

    /// The first instant from `from` on at which so many are free, for however short.
    double first_instant(std::uint32_t processors, double from) const {
        return free_.earliest_fit(processors, 0, from);
    }

    void place(std::uint32_t number, double start) {
        const double end = policies::place(list_, number, start, begin_, schedule_);
        free_.reserve(start, std::max(end, engine::planned_end(start, 0)), processors(number));
    }

    std::uint32_t processors(std::uint32_t number) const {
        return list_.entries[number].processors;
    }
    ListSchedule& schedule() { return schedule_; }

  private:
    double end_of(const ListEntry& entry, double start) const {
        double end = start;
        for (const ListedTask& task : list_.tasks_of(entry)) {
            end += task.time;
        }
        return std::max(end, engine::planned_end(start, 0));
    }

    const TaskList& list_;
    AvailabilityProfile free_;
    double begin_;
    ListSchedule schedule_;
};

}  // namespace

ListSchedule strict_schedule(
    const TaskList& list,
    std::span<const std::uint32_t> order,
    const AvailabilityProfile& free,
    double begin
) {
    ReservedList reserved(list, free, begin);
    double floor = begin;
    for (const std::uint32_t number : order) {
        const double start = reserved.earliest_fit(number, floor);
        floor = reserved.first_instant(reserved.processors(number), floor);
        reserved.place(number, start);
    }
    return std::move(reserved.schedule());
}

ListSchedule graham_schedule(
    const TaskList& list,
    std::span<const std::uint32_t> order,
    const AvailabilityProfile& free,
    double begin
) {
    ReservedList reserved(list, free, begin);
    std::vector<std::uint32_t> waiting(order.begin(), order.end());
    std::vector<double> earliest(list.entries.size(), begin);  // no entry fits before
    double now = begin;
    while (!waiting.empty()) {
        double next = AvailabilityProfile::never;
        std::erase_if(waiting, [&](std::uint32_t number) {
            if (earliest[number] <= now) {
                earliest[number] = reserved.earliest_fit(number, now);
            }
            const bool starts = earliest[number] <= now;
            if (starts) {
                reserved.place(number, now);
            } else {
                next = std::min(next, earliest[number]);
            }
            return starts;
        });
        now = next;
    }
    return std::move(reserved.schedule());
}

ListSchedule strict_schedule(
    const TaskList& list, std::span<const std::uint32_t> order, const MoldableProblem& problem
) {
    return problem.free() != nullptr
               ? strict_schedule(list, order, *problem.free(), problem.begin())
               : strict_schedule(list, order, problem.processors(), problem.begin());
}

ListSchedule graham_schedule(
    const TaskList& list, std::span<const std::uint32_t> order, const MoldableProblem& problem
) {
    return problem.free() != nullptr
               ? graham_schedule(list, order, *problem.free(), problem.begin())
               : graham_schedule(list, order, problem.processors(), problem.begin());
}

}  // namespace schedfarm::policies
