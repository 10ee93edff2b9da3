#include "engine/optimization/moldable_instance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

double least(std::span<const double> times) {
    double result = std::numeric_limits<double>::infinity();
    for (const double time : times) {
        result = time < result ? time : result;
    }
    return result;
}

/// Counts without branches, so that the compiler uses vectors.
struct Defects {
    std::uint32_t not_finite = 0;
    std::uint32_t growing_times = 0;
    std::uint32_t falling_areas = 0;
};

Defects defects_of(std::span<const double> times) {
    Defects result;
    for (const double time : times) {
        result.not_finite += time < std::numeric_limits<double>::infinity() ? 0U : 1U;
    }
    for (std::size_t k = 1; k < times.size(); ++k) {
        const double before = static_cast<double>(k) * times[k - 1];
        const double after = static_cast<double>(k + 1) * times[k];
        result.growing_times += times[k] > times[k - 1] ? 1U : 0U;
        result.falling_areas += after < before * (1 - monotony_slack) ? 1U : 0U;
    }
    return result;
}

}  // namespace

MoldableInstance::MoldableInstance(std::uint32_t processors, std::vector<MoldableTask> tasks)
    : processors_(processors)
    , tasks_(std::move(tasks))
    , least_time_(std::numeric_limits<double>::infinity()) {
    SCHEDFARM_EXPECT(processors_ > 0, "an instance needs processors");
    SCHEDFARM_EXPECT(!tasks_.empty(), "an instance needs tasks");
    for (const MoldableTask& task : tasks_) {
        examine(task);
    }
}

void MoldableInstance::examine(const MoldableTask& task) {
    SCHEDFARM_EXPECT(task.times.size() >= processors_, "a time for every number of processors");
    SCHEDFARM_EXPECT(std::isfinite(task.weight) && task.weight >= 0, "weights are not negative");
    const std::span<const double> times = task.times.first(processors_);
    const Defects defects = defects_of(times);
    const double shortest = least(times);
    SCHEDFARM_EXPECT(defects.not_finite == 0 && shortest > 0, "times are finite and positive");
    times_never_grow_ = times_never_grow_ && defects.growing_times == 0;
    areas_never_fall_ = areas_never_fall_ && defects.falling_areas == 0;
    least_time_ = std::min(least_time_, shortest);
}

std::uint32_t MoldableInstance::least_processors(std::size_t task, double time) const {
    const std::span<const double> all = times(task);
    const auto is_longer = [time](double other) {
        return other > time;
    };
    const auto found = times_never_grow_ ? std::partition_point(all.begin(), all.end(), is_longer)
                                         : std::find_if_not(all.begin(), all.end(), is_longer);
    return static_cast<std::uint32_t>(found - all.begin()) + 1;
}

}  // namespace schedfarm::engine
