// Policies for moldable jobs written once more, plainly and without what the product is made of,
// from Dutot, Eyraud, Mounié & Trystram (SPAA 2004, sections 2.2, 3 and 4.1) and, for the shelves,
// Mounié, Rapine & Trystram (2007). Monotone tasks, in sets of 60 or so.
//
// Ties, which the papers leave open: tasks come by number, single ones before stacks; of equal
// choices for a knapsack the one that leaves out later items; of equal processors the first.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/random/stream.hpp"

#include "tests/policies/moldable/moldable_runs.hpp"

namespace schedfarm::tests {

/// A rigid job counts as a moldable one where its work matters: on fewer processors as much longer,
/// on more no faster; but it runs on its own number only.
struct PlainTask {
    PlainTask(const GivenMoldable& job, std::uint32_t machine) : weight(job.weight) {
        for (std::uint32_t k = 1; k <= machine; ++k) {
            const double factor = static_cast<double>(job.rigid) / std::min(k, job.rigid);
            times.push_back(job.rigid > 0 ? job.times[0] * factor : job.times[k - 1]);
        }
        only = job.rigid;
    }
    double time(std::uint32_t k) const { return times[k - 1]; }
    double area(std::uint32_t k) const { return k * time(k); }
    std::uint32_t allowed(std::uint32_t k) const { return only > 0 ? only : k; }
    /// The fewest processors on which it takes at most t; machine + 1: none do.
    std::uint32_t gamma(double t) const {
        std::uint32_t k = 1;
        while (k <= times.size() && time(k) > t) {
            ++k;
        }
        return k;
    }

    std::vector<double> times;
    double weight;
    std::uint32_t only = 0;
};

struct PlainStart {
    double start = 0;
    std::uint32_t processors = 0;
};

/// Tasks one after the other on the same processors.
struct PlainEntry {
    std::vector<std::size_t> tasks;
    std::uint32_t processors = 1;
    double time = 0;
    double weight = 0;
};

enum class PlainShelf : std::uint8_t { first, second, none };

struct PlainPlace {
    PlainShelf shelf = PlainShelf::none;
    std::uint32_t processors = 1;
};

struct PlainDemt {
    bool overtakes = false;
    bool keeps_stacks = true;
    bool takes_freed_last = false;
    int shuffles = 0;
};

class PlainMoldable {
  public:
    PlainMoldable(const std::vector<GivenMoldable>& jobs, std::uint32_t machine, double begin)
        : machine_(machine), begin_(begin) {
        for (const GivenMoldable& job : jobs) {
            tasks_.emplace_back(job, machine);
        }
    }

    std::vector<PlainStart> gang() const {
        return strict(sorted(entries_on(allotment_of(machine_)), by_weight_per_time));
    }

    std::vector<PlainStart> sequential() const {
        return scanned(sorted(entries_on(allotment_of(1)), [](const auto& a, const auto& b) {
            return a.time > b.time;
        }));
    }

    /// The order: `shelves`, `largest_time` or `smallest_area`.
    std::vector<PlainStart> list(const std::string& order) const {
        const std::vector<PlainPlace> places = *partition(lambda());
        std::vector<std::uint32_t> processors;
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            processors.push_back(tasks_[i].allowed(places[i].processors));
        }
        std::vector<PlainEntry> entries = entries_on(processors);
        if (order == "shelves") {
            return scanned(sorted(entries, [&places](const auto& a, const auto& b) {
                return places[a.tasks[0]].shelf < places[b.tasks[0]].shelf;
            }));
        }
        if (order == "largest_time") {
            return scanned(sorted(entries, [](const auto& a, const auto& b) {
                return a.time / a.weight > b.time / b.weight;
            }));
        }
        return scanned(sorted(entries, [](const auto& a, const auto& b) {
            return a.processors * a.time < b.processors * b.time;
        }));
    }

    /// Shuffles take one number for each batch but the last, from `draw` on.
    std::vector<PlainStart> demt(
        const PlainDemt& demt, const engine::Stream& random, std::uint64_t draw
    ) const {
        std::vector<std::vector<PlainEntry>> batches = demt_batches(demt.keeps_stacks);
        const auto compacted = [&] {
            std::vector<PlainEntry> all;
            for (const auto& batch : batches) {
                all.insert(all.end(), batch.begin(), batch.end());
            }
            return demt.overtakes ? scanned(all) : strict(all, demt.takes_freed_last);
        };
        std::vector<PlainStart> best = compacted();
        for (int s = 0; s < demt.shuffles; ++s) {
            for (std::size_t last = batches.size(); last-- > 1;) {
                const double u = engine::unit_interval(random.draw(draw++));
                std::swap(
                    batches[last],
                    batches[static_cast<std::size_t>(u * static_cast<double>(last + 1))]
                );
            }
            const std::vector<PlainStart> other = compacted();
            best = minsum(other) < minsum(best) ? other : best;
        }
        return best;
    }

    /// The least accepted guess of the makespan, to 1e-10.
    double lambda() const {
        double refused = 0;
        double accepted = 0;
        for (const PlainTask& task : tasks_) {
            accepted += 2 * task.time(1);
        }
        while (accepted - refused > 1e-10 * accepted) {
            const double middle = (accepted + refused) / 2;
            (partition(middle) ? accepted : refused) = middle;
        }
        return accepted;
    }

    const std::vector<PlainTask>& tasks() const { return tasks_; }

    /// What a guess of the makespan puts on which shelf; absent: it is refused.
    std::optional<std::vector<PlainPlace>> partition(double guess) const;

  private:
    static bool by_weight_per_time(const PlainEntry& a, const PlainEntry& b) {
        return a.weight / a.time > b.weight / b.time;
    }

    template <typename ComesBefore>
    static std::vector<PlainEntry> sorted(std::vector<PlainEntry> entries, ComesBefore before) {
        std::stable_sort(entries.begin(), entries.end(), before);
        return entries;
    }

    std::vector<std::uint32_t> allotment_of(std::uint32_t wanted) const {
        std::vector<std::uint32_t> result;
        for (const PlainTask& task : tasks_) {
            result.push_back(task.allowed(wanted));
        }
        return result;
    }

    PlainEntry entry_of(std::size_t task, std::uint32_t processors) const {
        return {{task}, processors, tasks_[task].time(processors), tasks_[task].weight};
    }

    std::vector<PlainEntry> entries_on(const std::vector<std::uint32_t>& processors) const {
        std::vector<PlainEntry> result;
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            result.push_back(entry_of(i, processors[i]));
        }
        return result;
    }

    double minsum(const std::vector<PlainStart>& starts) const {
        double sum = 0;
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            const double finish = starts[i].start + tasks_[i].time(starts[i].processors);
            sum += tasks_[i].weight * (finish - begin_);
        }
        return sum;
    }

    void start(const PlainEntry& entry, double at, std::vector<PlainStart>& starts) const {
        for (const std::size_t task : entry.tasks) {
            starts[task] = {at, entry.processors};
            at += tasks_[task].time(entry.processors);
        }
    }
    double end_of(const PlainEntry& entry, double at) const {
        for (const std::size_t task : entry.tasks) {
            at += tasks_[task].time(entry.processors);
        }
        return at;
    }

    /// Each on the processors that are free first, or last of those free at its start, processor by
    /// processor.
    std::vector<PlainStart> strict(
        const std::vector<PlainEntry>& entries, bool takes_freed_last = false
    ) const {
        std::vector<PlainStart> starts(tasks_.size());
        std::vector<double> free(machine_, begin_);
        for (const PlainEntry& entry : entries) {
            std::sort(free.begin(), free.end());
            const double at = free[entry.processors - 1];
            start(entry, at, starts);
            const auto last = std::upper_bound(free.begin(), free.end(), at);
            const auto taken = takes_freed_last ? last - entry.processors : free.begin();
            std::fill_n(taken, entry.processors, end_of(entry, at));
        }
        return starts;
    }

    /// At every instant the whole list is scanned.
    std::vector<PlainStart> scanned(std::vector<PlainEntry> entries) const {
        std::vector<PlainStart> starts(tasks_.size());
        std::vector<double> free(machine_, begin_);
        double now = begin_;
        while (!entries.empty()) {
            for (auto entry = entries.begin(); entry != entries.end();) {
                std::sort(free.begin(), free.end());
                if (free[entry->processors - 1] > now) {
                    ++entry;
                    continue;
                }
                start(*entry, now, starts);
                std::fill_n(free.begin(), entry->processors, end_of(*entry, now));
                entry = entries.erase(entry);
            }
            std::sort(free.begin(), free.end());
            now = *std::upper_bound(free.begin(), free.end(), now);
        }
        return starts;
    }

    /// Which items go in, for the least cost: `inside` takes `size` of the machine, `outside` none.
    struct Item {
        std::uint32_t size = 1;
        double inside = 0;
        double outside = 0;
    };
    struct Packing {
        std::vector<bool> is_in;
        double cost = 0;
    };
    Packing pack(const std::vector<Item>& items) const {
        std::vector<std::vector<double>> least(1, std::vector<double>(machine_ + 1, 0));
        for (const Item& item : items) {
            std::vector<double> row = least.back();
            for (std::uint32_t room = 0; room <= machine_; ++room) {
                row[room] = least.back()[room] + item.outside;
                if (item.size <= room) {
                    row[room] = std::min(row[room], least.back()[room - item.size] + item.inside);
                }
            }
            least.push_back(row);
        }
        Packing result{std::vector<bool>(items.size()), least.back()[machine_]};
        std::uint32_t room = machine_;
        for (std::size_t i = items.size(); i-- > 0;) {
            result.is_in[i] = least[i + 1][room] < least[i][room] + items[i].outside;
            room -= result.is_in[i] ? items[i].size : 0;
        }
        return result;
    }

    std::vector<std::vector<PlainEntry>> demt_batches(bool keeps_stacks) const {
        double shortest = std::numeric_limits<double>::infinity();
        for (const PlainTask& task : tasks_) {
            shortest = std::min(shortest, task.times.back());
        }
        const double target = lambda();
        const double halvings = std::floor(std::log2(target / shortest));
        std::vector<std::vector<PlainEntry>> batches;
        std::vector<bool> is_gone(tasks_.size());
        for (double j = 0; std::count(is_gone.begin(), is_gone.end(), false) > 0; ++j) {
            std::vector<PlainEntry> batch = demt_batch(target * std::exp2(j - halvings), is_gone);
            for (const PlainEntry& entry : batch) {
                for (const std::size_t task : entry.tasks) {
                    is_gone[task] = true;
                }
            }
            if (!batch.empty()) {
                batches.push_back(
                    sorted(keeps_stacks ? batch : taken_apart(batch), by_weight_per_time)
                );
            }
        }
        return batches;
    }

    std::vector<PlainEntry> taken_apart(const std::vector<PlainEntry>& entries) const {
        std::vector<PlainEntry> result;
        for (const PlainEntry& entry : entries) {
            for (const std::size_t task : entry.tasks) {
                result.push_back(entry_of(task, entry.processors));
            }
        }
        return result;
    }

    std::vector<PlainEntry> demt_batch(double length, const std::vector<bool>& is_gone) const {
        std::vector<PlainEntry> candidates;
        std::vector<PlainEntry> small;
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            const std::uint32_t processors = tasks_[i].allowed(tasks_[i].gamma(length));
            if (is_gone[i] || processors > machine_ || tasks_[i].time(processors) > length) {
                continue;
            }
            const PlainEntry entry = entry_of(i, processors);
            (processors == 1 && entry.time <= length / 2 ? small : candidates).push_back(entry);
        }
        small = sorted(small, [](const auto& a, const auto& b) { return a.weight > b.weight; });
        const std::size_t singles = candidates.size();
        for (const PlainEntry& entry : small) {
            if (candidates.size() == singles || candidates.back().time + entry.time > length) {
                candidates.push_back(entry);
            } else {
                candidates.back().tasks.push_back(entry.tasks[0]);
                candidates.back().time += entry.time;
                candidates.back().weight += entry.weight;
            }
        }
        std::vector<Item> items;
        for (const PlainEntry& entry : candidates) {
            items.push_back({entry.processors, 0, entry.weight});
        }
        const Packing packing = pack(items);
        std::vector<PlainEntry> chosen;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (packing.is_in[i]) {
                chosen.push_back(candidates[i]);
            }
        }
        return chosen;
    }

    std::uint32_t machine_;
    double begin_;
    std::vector<PlainTask> tasks_;
};

inline std::optional<std::vector<PlainPlace>> PlainMoldable::partition(double guess) const {
    std::vector<PlainPlace> places(tasks_.size());
    std::vector<Item> items;
    std::vector<std::size_t> long_tasks;
    double work = 0;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        const PlainTask& task = tasks_[i];
        if (task.time(1) <= guess / 2) {
            work += task.time(1);
            continue;
        }
        const std::uint32_t one = task.gamma(guess);
        const std::uint32_t two = task.gamma(guess / 2);
        if (one > machine_) {
            return std::nullopt;
        }
        const double none = std::numeric_limits<double>::infinity();
        items.push_back({one, task.area(one), two > machine_ ? none : task.area(two)});
        long_tasks.push_back(i);
    }
    const Packing packing = pack(items);
    for (std::size_t i = 0; i < items.size(); ++i) {
        const PlainTask& task = tasks_[long_tasks[i]];
        places[long_tasks[i]] = packing.is_in[i]
                                    ? PlainPlace{PlainShelf::first, items[i].size}
                                    : PlainPlace{PlainShelf::second, task.gamma(guess / 2)};
    }
    if (work + packing.cost > machine_ * guess) {
        return std::nullopt;
    }
    return places;
}

}  // namespace schedfarm::tests
