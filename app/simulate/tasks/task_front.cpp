#include "engine/foundation/expect.hpp"
#include "engine/random/stream.hpp"

#include "policies/moldable/moldable_front.hpp"

#include "app/simulate/tasks/task_problem.hpp"
#include "app/simulate/tasks/task_schedule_text.hpp"

namespace schedfarm::app {

namespace {

/// As many as the policy moldable_local_search makes by default.
constexpr std::uint64_t moves_per_task = 100;

}  // namespace

std::vector<policies::FrontPoint> searched_front(
    const Simulation& simulation, const TaskScheduleSummary& reached, std::uint64_t seed
) {
    SCHEDFARM_EXPECT(simulation.source.table != nullptr, "no simulation of a task table");
    const TaskProblem problem(*simulation.source.table, simulation.system.processors());
    policies::BatchDice dice({engine::Stream(seed, engine::Purpose::policy, 0), 0});
    policies::ParetoFront front = moldable_front(*problem, moves_per_task, dice);
    front.offer({reached.makespan, reached.minsum});
    return {front.points().begin(), front.points().end()};
}

}  // namespace schedfarm::app
