#include "engine/optimization/minsum_bound.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/optimization/monotone_hull.hpp"

namespace schedfarm::engine {

namespace {

/// t_0 … t_{K+1}.
std::vector<double> octaves(double makespan, double least_time) {
    std::vector<double> points{2 * makespan, makespan};
    while (points.back() / 2 >= least_time) {
        points.push_back(points.back() / 2);
    }
    std::reverse(points.begin(), points.end());
    return points;
}

/// 2 λ* by steps down to the first point that is not above the least time.
std::vector<double> fine_grid(double makespan, double least_time, std::uint32_t steps) {
    std::vector<double> points;
    double octave = 2 * makespan;
    while (true) {
        for (std::uint32_t s = 0; s < steps; ++s) {
            points.push_back(octave * power(2, -static_cast<double>(s) / steps));
            if (points.back() <= least_time) {
                std::reverse(points.begin(), points.end());
                return points;
            }
        }
        octave /= 2;
    }
}

std::vector<double> grid_of(
    const MoldableInstance& instance, double makespan, const MinsumSettings& settings
) {
    if (settings.program == MinsumProgram::refined) {
        return fine_grid(makespan, instance.least_time(), settings.steps_per_octave);
    }
    std::vector<double> points = octaves(makespan, instance.least_time());
    if (settings.program == MinsumProgram::safe) {
        points.insert(points.begin(), points.front() / 2);
    }
    return points;
}

/// Of the area that ends by some time: ends may lose n u by rounding, u half a unit in the last
/// place of 1, and areas may grow by that and by what they fall.
double capacity_margin(const MoldableInstance& instance) {
    return static_cast<double>(instance.size() + 4) * std::numeric_limits<double>::epsilon()
           + instance.area_loss();
}

void fill_task(
    const MoldableInstance& instance, std::size_t task, double least, MinsumLinearProgram& program
) {
    NestedAssignment& problem = program.problem;
    const std::span<const double> times = instance.times(task);
    std::uint32_t processors = 1;  // the least within the interval's end, which falls
    for (std::size_t j = program.ends.size(); j-- > 0;) {
        while (processors <= times.size() && times[processors - 1] > program.ends[j]) {
            ++processors;
        }
        const std::size_t at = j * problem.tasks + task;
        if (processors > instance.processors() || program.ends[j] < least) {
            problem.costs[at] = std::numeric_limits<double>::infinity();
        } else {
            problem.costs[at] = instance.weight(task) * std::max(program.starts[j], least);
            problem.areas[at] = instance.area(task, processors);
        }
    }
}

}  // namespace

MinsumLinearProgram minsum_program(
    const MoldableInstance& instance, double makespan, const MinsumSettings& settings
) {
    SCHEDFARM_EXPECT(instance.is_monotone(), "areas grow with the processors");
    SCHEDFARM_EXPECT(
        settings.steps_per_octave >= 1 && settings.steps_per_octave <= 64, "1 to 64 steps"
    );
    const std::vector<double> points = grid_of(instance, makespan, settings);
    MinsumLinearProgram result;
    result.starts.assign(points.begin(), points.end() - 1);
    result.ends.assign(points.begin() + 1, points.end());
    NestedAssignment& problem = result.problem;
    problem.tasks = instance.size();
    problem.intervals = result.ends.size();
    problem.costs.resize(problem.tasks * problem.intervals);
    problem.areas.resize(problem.tasks * problem.intervals);
    const bool is_bound = settings.program != MinsumProgram::printed;
    const double margin = 1 + (is_bound ? capacity_margin(instance) : 0);
    const double room = instance.processors() * margin;
    for (std::size_t j = 0; j + (is_bound ? 1 : 0) < problem.intervals; ++j) {
        problem.capacities.push_back(room * result.ends[j]);
    }
    for (std::size_t task = 0; task < instance.size(); ++task) {
        const bool is_refined = settings.program == MinsumProgram::refined;
        fill_task(instance, task, is_refined ? instance.least_time(task) : 0, result);
    }
    return result;
}

MinsumBound minsum_bound(
    const MoldableInstance& instance, double makespan, const MinsumSettings& settings
) {
    if (!instance.is_monotone()) {
        const MonotoneInstance below = MonotoneInstance::below(instance);
        return minsum_bound(below.instance(), makespan, settings);
    }
    MinsumLinearProgram program = minsum_program(instance, makespan, settings);
    MinsumBound result;
    result.solution = solve(program.problem);
    result.value = result.solution.bound;
    result.starts = std::move(program.starts);
    result.ends = std::move(program.ends);
    return result;
}

}  // namespace schedfarm::engine
