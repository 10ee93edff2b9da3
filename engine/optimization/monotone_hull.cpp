#include "engine/optimization/monotone_hull.hpp"

#include <algorithm>
#include <utility>

namespace schedfarm::engine {

namespace {

std::vector<MoldableTask> views(const MoldableInstance& source, const std::vector<double>& times) {
    std::vector<MoldableTask> tasks;
    tasks.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        const auto row = std::span(times).subspan(i * source.processors(), source.processors());
        tasks.push_back({row, source.weight(i)});
    }
    return tasks;
}

/// The best times on up to k processors.
void make_fall(std::span<double> times) {
    for (std::size_t k = 1; k < times.size(); ++k) {
        times[k] = std::min(times[k], times[k - 1]);
    }
}

/// Areas never above a later one. Falling times stay so.
void lower_areas(std::span<double> times) {
    for (std::size_t k = times.size() - 1; k > 0; --k) {
        const double later = static_cast<double>(k + 1) * times[k];
        times[k - 1] = std::min(times[k - 1], later / static_cast<double>(k));
    }
}

/// Areas never below an earlier one. Falling times stay so.
void raise_areas(std::span<double> times) {
    for (std::size_t k = 1; k < times.size(); ++k) {
        const double earlier = static_cast<double>(k) * times[k - 1];
        times[k] = std::max(times[k], earlier / static_cast<double>(k + 1));
    }
}

template <typename Change>
std::vector<double> changed_times(const MoldableInstance& source, Change change) {
    std::vector<double> result;
    result.reserve(source.size() * source.processors());
    for (std::size_t i = 0; i < source.size(); ++i) {
        const std::span<const double> row = source.times(i);
        result.insert(result.end(), row.begin(), row.end());
        const std::span<double> copy = std::span(result).last(row.size());
        make_fall(copy);
        change(copy);
    }
    return result;
}

}  // namespace

MonotoneInstance::MonotoneInstance(const MoldableInstance& source, std::vector<double> times)
    : times_(std::move(times)), instance_(source.processors(), views(source, times_)) {}

MonotoneInstance MonotoneInstance::below(const MoldableInstance& instance) {
    return {instance, changed_times(instance, lower_areas)};
}

MonotoneInstance MonotoneInstance::above(const MoldableInstance& instance) {
    return {instance, changed_times(instance, raise_areas)};
}

std::uint32_t best_part(const MoldableInstance& instance, std::size_t task, std::uint32_t count) {
    const std::span<const double> times = instance.times(task).first(count);
    const auto best = std::min_element(times.begin(), times.end());
    return static_cast<std::uint32_t>(best - times.begin()) + 1;
}

}  // namespace schedfarm::engine
