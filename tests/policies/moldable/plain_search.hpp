// Local search for moldable jobs written once more, plainly, from docs/background/moldable-jobs.md:
// every list is scheduled anew from nothing. For sets of 60 or so.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/random/stream.hpp"

#include "tests/policies/moldable/plain_moldable.hpp"
#include "tests/policies/moldable/plain_program.hpp"

namespace schedfarm::tests {

struct PlainList {
    std::vector<std::uint32_t> processors;  ///< of each task
    std::vector<std::size_t> order;
};

/// Where a search begins.
struct PlainBeginning {
    PlainList list;
    double bound = 0;
};

/// Processors that are taken, by a task or a reservation.
struct PlainOccupation {
    double start = 0;
    double end = 0;
    std::uint32_t processors = 1;
};

/// The strict list, from 0 on.
class PlainStrictList {
  public:
    PlainStrictList(
        const std::vector<PlainTask>& tasks,
        std::uint32_t machine,
        std::vector<PlainOccupation> reservations = {}
    )
        : tasks_(tasks), machine_(machine), reservations_(std::move(reservations)) {}

    std::vector<PlainStart> starts(const PlainList& list) const {
        return reservations_.empty() ? on_all(list) : around_reservations(list);
    }

    /// C*: λ*, the end of any task alone beside the reservations, the end of all work.
    double target(double lambda) const {
        double work = 0;
        for (const PlainTask& task : tasks_) {
            work += task.area(1);
            double alone = std::numeric_limits<double>::infinity();
            for (std::uint32_t k = 1; k <= machine_; ++k) {
                const std::uint32_t own = task.allowed(k);
                const double start = earliest_fit(reservations_, 0, task.time(own), own);
                alone = std::min(alone, start + task.time(own));
            }
            lambda = std::max(lambda, alone);
        }
        return std::max(lambda, end_of(work));
    }

    /// From `from` on.
    double earliest_fit(
        const std::vector<PlainOccupation>& taken,
        double from,
        double time,
        std::uint32_t processors
    ) const {
        if (fits(taken, from, time, processors)) {
            return from;
        }
        double earliest = std::numeric_limits<double>::infinity();
        for (const PlainOccupation& other : taken) {
            if (other.end > from && other.end < earliest
                && fits(taken, other.end, time, processors)) {
                earliest = other.end;
            }
        }
        return earliest;
    }

  private:
    /// When the processors that reservations leave have done so much.
    double end_of(double work) const {
        std::vector<double> instants{0};
        for (const PlainOccupation& taken : reservations_) {
            instants.insert(instants.end(), {taken.start, taken.end});
        }
        std::sort(instants.begin(), instants.end());
        for (std::size_t i = 0; i + 1 < instants.size(); ++i) {
            const double length = instants[i + 1] - instants[i];
            const std::uint32_t free = machine_ - used_at(reservations_, instants[i]);
            if (work <= free * length) {
                return instants[i] + (work > 0 ? work / free : 0);
            }
            work -= free * length;
        }
        return instants.back() + work / machine_;
    }

    /// Each on the processors that are free first, processor by processor.
    std::vector<PlainStart> on_all(const PlainList& list) const {
        std::vector<PlainStart> result(tasks_.size());
        std::vector<double> free(machine_);
        for (const std::size_t i : list.order) {
            const std::uint32_t k = list.processors[i];
            std::sort(free.begin(), free.end());
            result[i] = {free[k - 1], k};
            std::fill_n(free.begin(), k, free[k - 1] + tasks_[i].time(k));
        }
        return result;
    }

    /// Each where its processors are free for its whole time, but not before the first instant at
    /// which they were free for an earlier one.
    std::vector<PlainStart> around_reservations(const PlainList& list) const {
        std::vector<PlainStart> result(tasks_.size());
        std::vector<PlainOccupation> taken = reservations_;
        double floor = 0;
        for (const std::size_t i : list.order) {
            const std::uint32_t k = list.processors[i];
            const double start = earliest_fit(taken, floor, tasks_[i].time(k), k);
            floor = earliest_fit(taken, floor, 0, k);
            result[i] = {start, k};
            taken.push_back({start, start + tasks_[i].time(k), k});
        }
        return result;
    }

    static std::uint32_t used_at(const std::vector<PlainOccupation>& taken, double time) {
        std::uint32_t sum = 0;
        for (const PlainOccupation& other : taken) {
            sum += other.start <= time && time < other.end ? other.processors : 0;
        }
        return sum;
    }

    bool fits(
        const std::vector<PlainOccupation>& taken,
        double start,
        double time,
        std::uint32_t processors
    ) const {
        const auto has_room = [&](double at) {
            return used_at(taken, at) + processors <= machine_;
        };
        return has_room(start)
               && std::all_of(taken.begin(), taken.end(), [&](const PlainOccupation& other) {
                      return other.start <= start || other.start >= start + time
                             || has_room(other.start);
                  });
    }

    const std::vector<PlainTask>& tasks_;
    std::uint32_t machine_;
    std::vector<PlainOccupation> reservations_;
};

inline PlainBeginning plain_beginning(
    const std::vector<PlainTask>& tasks, const PlainShares& program
) {
    PlainBeginning result{{}, program.cost};
    std::vector<double> places;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const std::vector<double>& shares = program.shares[i];
        places.push_back(std::inner_product(shares.begin(), shares.end(), program.ends.begin(), 0.0)
        );
        const auto largest = std::max_element(shares.begin(), shares.end()) - shares.begin();
        const std::uint32_t wanted =
            tasks[i].gamma(program.ends[static_cast<std::size_t>(largest)]);
        result.list.processors.push_back(tasks[i].allowed(wanted));
        result.list.order.push_back(i);
    }
    std::stable_sort(
        result.list.order.begin(),
        result.list.order.end(),
        [&places](std::size_t a, std::size_t b) { return places[a] < places[b]; }
    );
    return result;
}

class PlainSearch {
  public:
    /// `limit`: of the makespan. `first_draw`: of the numbers, from there on one after the other.
    PlainSearch(
        const std::vector<PlainTask>& tasks,
        const PlainStrictList& schedule,
        double limit,
        const engine::Stream& random,
        std::uint64_t first_draw
    )
        : tasks_(tasks)
        , schedule_(schedule)
        , limit_(limit)
        , random_(random)
        , next_draw_(first_draw) {}

    PlainList run(const PlainBeginning& beginning, std::uint64_t moves_per_job) {
        bound_ = beginning.bound;
        PlainList current = beginning.list;
        Value reached = value(current);
        PlainList best = current;
        Value least = reached;
        const auto n = static_cast<double>(tasks_.size());
        const auto moves = static_cast<double>(moves_per_job) * n;
        for (double left = moves; left > 0; --left) {
            const PlainList other = moved(current);
            const Value offered = value(other);
            const double s = left / moves;
            const double most = reached.value + (1 / n + 10 / (n * n)) * (s * s * s);
            has_tie_ = has_tie_ || std::abs(offered.value - most) < 1e-14 * most;
            if (offered.value > most) {
                continue;
            }
            current = other;
            reached = offered;
            if (offered.is_late < least.is_late
                || (offered.is_late == least.is_late && offered.value < least.value)) {
                best = other;
                least = offered;
            }
        }
        return best;
    }

    /// Whether the rounding of a value decided if a move stayed.
    bool has_tie() const { return has_tie_; }

  private:
    struct Value {
        double value = 0;
        bool is_late = false;
    };

    std::uint32_t below(std::size_t n) {
        return engine::scaled_word(
            static_cast<std::uint32_t>(random_.draw(next_draw_++)), static_cast<std::uint32_t>(n)
        );
    }

    PlainList moved(PlainList list) {
        if (below(2) == 1) {
            const std::uint32_t a = below(tasks_.size());
            const std::uint32_t b = below(tasks_.size());
            std::swap(list.order[a], list.order[b]);
            return list;
        }
        const std::uint32_t task = below(tasks_.size());
        const auto most = static_cast<std::int64_t>(tasks_[task].times.size());
        const std::int64_t before = list.processors[task];
        const std::int64_t step = below(2) == 0 ? 1 : std::max<std::int64_t>(1, before / 3);
        const std::int64_t after = below(2) == 0 ? before + step : before - step;
        list.processors[task] =
            tasks_[task].allowed(static_cast<std::uint32_t>(std::clamp<std::int64_t>(after, 1, most)
            ));
        return list;
    }

    Value value(const PlainList& list) const {
        const std::vector<PlainStart> starts = schedule_.starts(list);
        double minsum = 0;
        double excess = 0;
        for (const std::size_t i : list.order) {
            const double end = starts[i].start + tasks_[i].time(starts[i].processors);
            minsum += tasks_[i].weight * end;
            excess += std::max(0.0, end - limit_);
        }
        return {minsum / bound_ + 3 * excess / limit_, excess > 0};
    }

    const std::vector<PlainTask>& tasks_;
    const PlainStrictList& schedule_;
    double limit_;
    engine::Stream random_;
    std::uint64_t next_draw_;
    double bound_ = 1;
    bool has_tie_ = false;
};

}  // namespace schedfarm::tests
