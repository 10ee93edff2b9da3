// List schedules of moldable tasks whose processors have been chosen. An entry is a task, or
// several short ones one after the other on one processor; the order of the entries is a list.
//
// strict: entry by entry, each as soon as enough processors are free; it takes those that are free
//         first, so that nobody starts before somebody earlier in the list whose processors he
//         could have had; or those freed last of all that are free at its start, so that one behind
//         it may start before it on the others.
// graham: at every instant at which processors become free the whole list is scanned and whatever
//         fits starts (Garey & Graham 1975).
//
// Nothing starts but at the beginning or when something ends. Ends are the sums that the simulator
// makes, start + time, bit for bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace schedfarm::policies {

/// Tasks first … first + count − 1 of TaskList::tasks.
struct ListEntry {
    std::uint32_t processors = 1;
    std::uint32_t first = 0;
    std::uint32_t count = 1;
};

struct ListedTask {
    std::uint32_t task = 0;  ///< its number
    double time = 0;         ///< on the entry's processors
    double weight = 1;
};

struct TaskList {
    std::vector<ListEntry> entries;
    std::vector<ListedTask> tasks;

    void add(std::uint32_t processors, std::span<const ListedTask> in_a_row);
    void add(std::uint32_t processors, const ListedTask& task) { add(processors, {&task, 1}); }
    std::span<const ListedTask> tasks_of(const ListEntry& entry) const {
        return std::span(tasks).subspan(entry.first, entry.count);
    }
};

struct ListSchedule {
    std::vector<double> starts;      ///< of the entries, by their number
    double finish = 0;               ///< of the last
    double weighted_completion = 0;  ///< sum of weight · (finish − begin)
};

/// Of those that are free at a start.
enum class StrictChoice : std::uint8_t { freed_first, freed_last };

/// `order`: every entry's number once. `begin`: when all processors are free.
/// REQUIRES: no entry needs more than `processors`.
/// Cost: O(entries · ends not yet passed) each.
ListSchedule strict_schedule(
    const TaskList& list,
    std::span<const std::uint32_t> order,
    std::uint32_t processors,
    double begin,
    StrictChoice choice = StrictChoice::freed_first
);
ListSchedule graham_schedule(
    const TaskList& list,
    std::span<const std::uint32_t> order,
    std::uint32_t processors,
    double begin
);

}  // namespace schedfarm::policies
