#include "engine/optimization/moldable_instance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/foundation/cpu_dispatch.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

/// Counts of what is wrong with a task's times, without branches for the sake of vectors.
struct Findings {
    std::int64_t not_finite = 0;
    std::int64_t growing_times = 0;
    std::int64_t falling_areas = 0;
    std::int64_t beyond_rounding = 0;  // of either
};

SCHEDFARM_VECTOR_CLONES
void examine_times(const double* times, std::int32_t count, Findings& findings) {
    Findings result;
    for (std::int32_t k = 0; k < count; ++k) {
        result.not_finite += times[k] < std::numeric_limits<double>::infinity() ? 0 : 1;
    }
    for (std::int32_t k = 1; k < count; ++k) {
        const double before = k * times[k - 1];
        const double after = (k + 1) * times[k];
        result.growing_times += times[k] > times[k - 1] ? 1 : 0;
        result.falling_areas += after < before ? 1 : 0;
        result.beyond_rounding += times[k] > times[k - 1] * (1 + monotony_slack) ? 1 : 0;
        result.beyond_rounding += after < before * (1 - monotony_slack) ? 1 : 0;
    }
    findings = result;
}

double loss_of_area(std::span<const double> times) {
    double greatest = 0;
    double loss = 0;
    for (std::size_t k = 0; k < times.size(); ++k) {
        const double area = static_cast<double>(k + 1) * times[k];
        greatest = std::max(greatest, area);
        loss = std::max(loss, (greatest - area) / greatest);
    }
    return loss;
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
    area_loss_ = is_monotone_ ? area_loss_ : 0;
}

void MoldableInstance::examine(const MoldableTask& task) {
    SCHEDFARM_EXPECT(task.times.size() >= processors_, "a time for every number of processors");
    SCHEDFARM_EXPECT(std::isfinite(task.weight) && task.weight >= 0, "weights are not negative");
    Findings found;
    examine_times(task.times.data(), static_cast<std::int32_t>(processors_), found);
    const auto all = task.times.first(processors_);
    const double least =
        found.growing_times == 0 ? all.back() : *std::min_element(all.begin(), all.end());
    SCHEDFARM_EXPECT(found.not_finite == 0 && least > 0, "times are finite and positive");
    times_never_grow_ = times_never_grow_ && found.growing_times == 0;
    is_monotone_ = is_monotone_ && found.beyond_rounding == 0;
    if (is_monotone_ && found.falling_areas > 0) {
        area_loss_ = std::max(area_loss_, loss_of_area(all));
    }
    least_time_ = std::min(least_time_, least);
}

double MoldableInstance::least_time(std::size_t task) const {
    const std::span<const double> all = times(task);
    return times_never_grow_ ? all.back() : *std::min_element(all.begin(), all.end());
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
