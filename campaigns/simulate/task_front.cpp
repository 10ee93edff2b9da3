#include <deque>
#include <span>

#include "engine/foundation/expect.hpp"
#include "engine/random/stream.hpp"

#include "policies/moldable/moldable_front.hpp"

#include "campaigns/simulate/task_schedule_text.hpp"

namespace schedfarm::campaigns {

namespace {

/// As many as the policy moldable_local_search makes by default.
constexpr std::uint64_t moves_per_task = 100;

}  // namespace

std::vector<policies::FrontPoint> searched_front(
    const Simulation& simulation, const TaskScheduleSummary& reached, std::uint64_t seed
) {
    SCHEDFARM_EXPECT(simulation.source.table != nullptr, "no simulation of a task table");
    const TaskTable& table = *simulation.source.table;
    const std::uint32_t processors = simulation.system.processors();
    std::deque<engine::MoldableTimes> times;
    std::deque<engine::Job> jobs;
    std::vector<const engine::Job*> pointers;
    for (std::size_t i = 0; i < table.names.size(); ++i) {
        times.push_back({std::span(table.times[i]).first(processors)});
        engine::Job& job = jobs.emplace_back();
        job.weight = table.weights[i];
        job.moldable = &times.back();
        pointers.push_back(&job);
    }
    const policies::MoldableProblem problem(processors, pointers, 0);
    policies::BatchDice dice({engine::Stream(seed, engine::Purpose::policy, 0), 0});
    policies::ParetoFront front = moldable_front(problem, moves_per_task, dice);
    front.offer({reached.makespan, reached.minsum});
    return {front.points().begin(), front.points().end()};
}

}  // namespace schedfarm::campaigns
