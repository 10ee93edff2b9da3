#include "policies/moldable/task_list.hpp"

#include <algorithm>

#include "engine/foundation/expect.hpp"

namespace schedfarm::policies {

namespace {

/// Processors that become free together.
struct Release {
    double time = 0;
    std::uint32_t processors = 0;
};

/// In the order of time.
class Releases {
  public:
    Releases(double begin, std::uint32_t processors) : releases_{{begin, processors}} {}

    /// Takes those that are free first; returns when the last of them is.
    double take(std::uint32_t processors) {
        double time = 0;
        auto last = releases_.begin();
        while (processors > 0) {
            SCHEDFARM_EXPECT(last != releases_.end(), "an entry larger than the machine");
            const std::uint32_t taken = std::min(processors, last->processors);
            time = last->time;
            processors -= taken;
            last->processors -= taken;
            last += last->processors == 0 ? 1 : 0;
        }
        releases_.erase(releases_.begin(), last);
        return time;
    }

    /// Takes as many, when they are free, of those freed last; returns when that is.
    double take_last(std::uint32_t processors) {
        auto last = releases_.begin();
        for (std::uint32_t free = last->processors; free < processors;) {
            ++last;
            SCHEDFARM_EXPECT(last != releases_.end(), "an entry larger than the machine");
            free += last->processors;
        }
        const double time = last->time;
        auto first = last;
        for (; processors > first->processors; --first) {
            processors -= first->processors;
        }
        first->processors -= processors;
        releases_.erase(first->processors == 0 ? first : first + 1, last + 1);
        return time;
    }

    void add(double time, std::uint32_t processors) {
        const auto next = std::lower_bound(
            releases_.begin(),
            releases_.end(),
            time,
            [](const Release& release, double at) { return release.time < at; }
        );
        if (next != releases_.end() && next->time == time) {
            next->processors += processors;
        } else {
            releases_.insert(next, {time, processors});
        }
    }

    bool empty() const { return releases_.empty(); }
    /// Takes all that are free first.
    Release take_first() {
        const Release first = releases_.front();
        releases_.erase(releases_.begin());
        return first;
    }

  private:
    std::vector<Release> releases_;
};

/// In which nothing has started.
ListSchedule empty_schedule(const TaskList& list, double begin) {
    ListSchedule schedule;
    schedule.starts.resize(list.entries.size());
    schedule.finish = begin;
    return schedule;
}

/// Notes an entry's start; returns its end.
double place(
    const TaskList& list, std::uint32_t number, double start, double begin, ListSchedule& schedule
) {
    schedule.starts[number] = start;
    double end = start;
    for (const ListedTask& task : list.tasks_of(list.entries[number])) {
        end += task.time;
        schedule.weighted_completion += task.weight * (end - begin);
    }
    schedule.finish = std::max(schedule.finish, end);
    return end;
}

}  // namespace

void TaskList::add(std::uint32_t processors, std::span<const ListedTask> in_a_row) {
    entries.push_back(
        {processors,
         static_cast<std::uint32_t>(tasks.size()),
         static_cast<std::uint32_t>(in_a_row.size())}
    );
    tasks.insert(tasks.end(), in_a_row.begin(), in_a_row.end());
}

ListSchedule strict_schedule(
    const TaskList& list,
    std::span<const std::uint32_t> order,
    std::uint32_t processors,
    double begin,
    StrictChoice choice
) {
    ListSchedule schedule = empty_schedule(list, begin);
    Releases releases(begin, processors);
    for (const std::uint32_t number : order) {
        const std::uint32_t needed = list.entries[number].processors;
        const double start = choice == StrictChoice::freed_first ? releases.take(needed)
                                                                 : releases.take_last(needed);
        releases.add(place(list, number, start, begin, schedule), needed);
    }
    return schedule;
}

ListSchedule graham_schedule(
    const TaskList& list,
    std::span<const std::uint32_t> order,
    std::uint32_t processors,
    double begin
) {
    ListSchedule schedule = empty_schedule(list, begin);
    Releases releases(begin, processors);
    std::vector<std::uint32_t> waiting(order.begin(), order.end());
    std::uint32_t free = 0;
    while (!waiting.empty()) {
        SCHEDFARM_EXPECT(!releases.empty(), "an entry larger than the machine");
        const Release now = releases.take_first();
        free += now.processors;
        const auto starts = [&](std::uint32_t number) {
            const std::uint32_t needed = list.entries[number].processors;
            if (needed > free) {
                return false;
            }
            free -= needed;
            releases.add(place(list, number, now.time, begin, schedule), needed);
            return true;
        };
        std::erase_if(waiting, starts);
    }
    return schedule;
}

}  // namespace schedfarm::policies
