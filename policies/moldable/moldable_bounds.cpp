#include "policies/moldable/moldable_bounds.hpp"

#include <algorithm>
#include <array>

#include "engine/optimization/minsum_bound.hpp"

#include "policies/moldable/online_bound.hpp"

namespace schedfarm::policies {

using engine::Actions;
using engine::MinsumProgram;
using engine::ObservationColumn;
using engine::Parameters;
using engine::ParameterType;

namespace {

struct Program {
    MinsumProgram program;
    const char* word;
    const char* bound;
    const char* ratio;
    const char* meaning;
};

constexpr std::array programs{
    Program{
        MinsumProgram::printed,
        "printed",
        "minsum_bound.printed",
        "minsum_ratio.printed",
        "Linear program as printed, which is no bound."},
    Program{
        MinsumProgram::safe,
        "safe",
        "minsum_bound.safe",
        "minsum_ratio.safe",
        "Linear program that is a bound."},
    Program{
        MinsumProgram::refined,
        "refined",
        "minsum_bound.refined",
        "minsum_ratio.refined",
        "Linear program on a finer grid, a bound."}};

constexpr const char* both = "printed_and_refined";

bool publishes(const std::string& bounds, const Program& program) {
    return bounds == "all" || bounds == program.word
           || (bounds == both && program.program != MinsumProgram::safe);
}

/// Of Σ weight · completion from the begin of the problem on; `printed` is none.
double minsum_bound(const MoldableProblem& problem, const engine::MinsumSettings& settings) {
    const engine::MoldableInstance& instance = problem.instance();
    double weight = 0;
    for (std::size_t task = 0; task < problem.size(); ++task) {
        weight += instance.weight(task);
    }
    const engine::MinsumBound bound =
        engine::minsum_bound(instance, problem.dual().lambda, settings);
    return std::max(0.0, bound.value - weight * problem.clock_rounding());
}

/// 1 where the bound is 0: nothing has weight, and 0 is reached.
double ratio(double reached, double bound) {
    return bound > 0 ? reached / bound : 1;
}

}  // namespace

std::vector<engine::ParameterDescription> bounds_parameters() {
    return {
        {.name = "bounds",
         .meaning = "lower bounds that are published: of the makespan; printed, safe, refined: and "
                    "that linear program's of the sum of weight x completion; all: all; "
                    "offline: and of the end of all batches, knowing all arrivals",
         .type = ParameterType::text,
         .default_value = "none",
         .words = {"none", "makespan", "printed", "safe", "refined", both, "all", "offline"}},
        {.name = "steps_per_octave",
         .meaning = "intervals of the refined program between t and 2 t",
         .type = ParameterType::integer,
         .default_value = 4,
         .range = {.low = 1, .high = 64}}};
}

BoundSettings bound_settings(const Parameters& given) {
    return {given.text("bounds"), static_cast<std::uint32_t>(given.integer("steps_per_octave"))};
}

std::vector<ObservationColumn> bound_columns(const Parameters& given) {
    const std::string& bounds = given.text("bounds");
    if (bounds == "none") {
        return {};
    }
    std::vector<ObservationColumn> columns{
        {"makespan_bound",
         "time",
         "Lower bound of the makespan; on-line the sum of those of the batches."},
        {"makespan_ratio", "1", "Makespan / makespan_bound; on-line the sum over the batches."}};
    if (bounds == "offline") {
        const std::vector<ObservationColumn> online = online_bound_columns();
        columns.insert(columns.end(), online.begin(), online.end());
    }
    for (const Program& program : programs) {
        if (publishes(bounds, program)) {
            columns.push_back({program.bound, "time", program.meaning});
            columns.push_back(
                {program.ratio, "1", std::string("Weighted completion / ") + program.bound + "."}
            );
        }
    }
    return columns;
}

void publish_bounds(
    const BoundSettings& settings,
    const MoldableProblem& problem,
    const MoldableCriteria& reached,
    Actions& actions
) {
    if (settings.bounds == "none") {
        return;
    }
    const double makespan_bound = problem.makespan_bound();
    actions.announce({engine::Observation{"makespan_bound", makespan_bound}});
    actions.announce({engine::Observation{
        "makespan_ratio", ratio(reached.makespan, makespan_bound)}});
    for (const Program& program : programs) {
        if (publishes(settings.bounds, program)) {
            const double bound =
                minsum_bound(problem, {program.program, settings.steps_per_octave});
            actions.announce({engine::Observation{program.bound, bound}});
            actions.announce({engine::Observation{
                program.ratio, ratio(reached.weighted_completion, bound)}});
        }
    }
}

}  // namespace schedfarm::policies
