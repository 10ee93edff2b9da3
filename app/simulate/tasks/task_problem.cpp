#include "app/simulate/tasks/task_problem.hpp"

#include <span>
#include <vector>

namespace schedfarm::app {

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

}  // namespace schedfarm::app
