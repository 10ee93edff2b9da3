#include "app/simulate/tasks/task_problem.hpp"

#include <span>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/random/stream.hpp"

#include "policies/moldable/moldable_front.hpp"

#include "app/simulate/tasks/task_schedule_text.hpp"

namespace schedfarm::app {

namespace {

/// As many as the policy moldable_local_search makes by default.
constexpr std::uint64_t moves_per_task = 100;

}  // namespace

TaskProblem::TaskProblem(const TaskTable& table, std::uint32_t processors) : free_(processors) {
    std::vector<const engine::Job*> pointers;
    for (std::size_t i = 0; i < table.names.size(); ++i) {
        times_.push_back({std::span(table.times[i]).first(processors)});
        engine::Job& job = jobs_.emplace_back();
        job.weight = table.weights[i];
        job.moldable = &times_.back();
        pointers.push_back(&job);
    }
    for (const Reservation& reservation : table.reservations) {
        free_.reserve(
            reservation.start,
            engine::planned_end(reservation.start, reservation.time()),
            reservation.processors
        );
    }
    problem_.emplace(processors, pointers, 0, table.reservations.empty() ? nullptr : &free_);
}

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
