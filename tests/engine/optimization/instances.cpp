#include "tests/engine/optimization/instances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace schedfarm::engine::testing {

double uniform(std::mt19937_64& random, double low, double high) {
    return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
}

std::uint32_t integer(std::mt19937_64& random, std::uint32_t low, std::uint32_t high) {
    return low + static_cast<std::uint32_t>(random() % (high - low + 1));
}

namespace {

/// p(k) = p(k − 1)·(x + k − 1)/k with x near 1 − parallelism.
std::vector<double> recursive_times(
    double sequential, double parallelism, std::uint32_t processors, std::mt19937_64& random
) {
    std::vector<double> times{sequential};
    for (std::uint32_t k = 2; k <= processors; ++k) {
        const double x = std::clamp(1 - parallelism + uniform(random, -0.3, 0.3), 0.0, 1.0);
        times.push_back(times.back() * (x + k - 1) / k);
    }
    return times;
}

/// Falling integers with growing areas.
std::vector<double> integer_times(std::uint32_t processors, std::mt19937_64& random) {
    std::vector<double> times{static_cast<double>(integer(random, 1, 12))};
    for (std::uint32_t k = 2; k <= processors; ++k) {
        const double least = std::ceil(times.back() * (k - 1) / k);
        const double drawn = least + integer(random, 0, 2);
        times.push_back(std::min(times.back(), drawn));
    }
    return times;
}

std::vector<double> linear_times(
    double sequential, std::uint32_t processors, std::mt19937_64& random
) {
    const std::uint32_t most = integer(random, 1, processors);
    std::vector<double> times;
    for (std::uint32_t k = 1; k <= processors; ++k) {
        times.push_back(sequential / std::min(k, most));
    }
    return times;
}

std::vector<double> arbitrary_times(std::uint32_t processors, std::mt19937_64& random) {
    std::vector<double> times;
    for (std::uint32_t k = 1; k <= processors; ++k) {
        times.push_back(uniform(random, 1, 10));
    }
    return times;
}

std::vector<double> times_of(Family family, std::uint32_t processors, std::mt19937_64& random) {
    const double sequential = uniform(random, 1, 10);
    const bool is_small = uniform(random, 0, 1) < 0.7;
    switch (family) {
        case Family::weak:
            return recursive_times(sequential, 0.1, processors, random);
        case Family::high:
            return recursive_times(sequential, 0.9, processors, random);
        case Family::mixed:
            return is_small ? recursive_times(sequential / 5, 0.1, processors, random)
                            : recursive_times(sequential * 2, 0.9, processors, random);
        case Family::integer:
        case Family::equal:
            return integer_times(processors, random);
        case Family::linear:
            return linear_times(sequential, processors, random);
        case Family::arbitrary:
            return arbitrary_times(processors, random);
    }
    return {};
}

}  // namespace

MoldableInstance OwnedInstance::view() const {
    std::vector<MoldableTask> tasks;
    for (std::size_t i = 0; i < times.size(); ++i) {
        tasks.push_back({times[i], weights[i]});
    }
    return {processors, std::move(tasks)};
}

OwnedInstance random_instance(
    Family family, std::size_t tasks, std::uint32_t processors, std::mt19937_64& random
) {
    OwnedInstance result;
    result.processors = processors;
    for (std::size_t i = 0; i < tasks; ++i) {
        const bool repeats = family == Family::equal && i > 0;
        const bool is_whole = family == Family::integer || family == Family::equal;
        result.times.push_back(
            repeats ? result.times.front() : times_of(family, processors, random)
        );
        result.weights.push_back(
            is_whole ? static_cast<double>(integer(random, 1, 3)) : uniform(random, 1, 10)
        );
    }
    return result;
}

namespace {

class Search {
  public:
    explicit Search(const MoldableInstance& instance)
        : instance_(instance), is_placed_(instance.size(), 0) {
        best_.makespan = std::numeric_limits<double>::infinity();
        best_.minsum = best_.makespan;
    }

    Optimum run() {
        extend({}, std::vector<double>(instance_.processors(), 0), 0);
        return best_;
    }

  private:
    /// `free` says when each processor is free, sorted.
    void extend(Optimum so_far, const std::vector<double>& free, std::size_t count) {
        if (so_far.makespan >= best_.makespan && so_far.minsum >= best_.minsum) {
            return;
        }
        if (count == instance_.size()) {
            best_.makespan = std::min(best_.makespan, so_far.makespan);
            best_.minsum = std::min(best_.minsum, so_far.minsum);
            return;
        }
        for (std::size_t task = 0; task < instance_.size(); ++task) {
            for (std::uint32_t k = 1; is_placed_[task] == 0 && k <= instance_.processors(); ++k) {
                const double finish = free[k - 1] + instance_.time(task, k);
                std::vector<double> later = free;
                std::fill_n(later.begin(), k, finish);
                std::sort(later.begin(), later.end());
                is_placed_[task] = 1;
                extend(
                    {std::max(so_far.makespan, finish),
                     so_far.minsum + instance_.weight(task) * finish},
                    later,
                    count + 1
                );
                is_placed_[task] = 0;
            }
        }
    }

    const MoldableInstance& instance_;
    std::vector<char> is_placed_;
    Optimum best_;
};

}  // namespace

OwnedInstance random_small_instance(Family family, std::mt19937_64& random) {
    const std::size_t tasks = integer(random, 1, 6);
    const std::uint32_t processors = integer(random, 1, tasks == 6 ? 3 : 4);
    return random_instance(family, tasks, processors, random);
}

Optimum brute_force(const MoldableInstance& instance) {
    return Search(instance).run();
}

std::string fault_of(const MoldableInstance& instance, const std::vector<PlacedTask>& schedule) {
    if (schedule.size() != instance.size()) {
        return "not every task is there";
    }
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        const PlacedTask& a = schedule[i];
        if (a.processors == 0 || a.first_processor + a.processors > instance.processors()) {
            return "a task outside the machine";
        }
        if (a.start < 0 || a.finish != a.start + instance.time(i, a.processors)) {
            return "a task that does not take its time";
        }
        for (std::size_t j = 0; j < i; ++j) {
            const PlacedTask& b = schedule[j];
            const bool share = a.first_processor < b.first_processor + b.processors
                               && b.first_processor < a.first_processor + a.processors;
            if (share && a.start < b.finish && b.start < a.finish) {
                return "two tasks on a processor";
            }
        }
    }
    return {};
}

}  // namespace schedfarm::engine::testing
