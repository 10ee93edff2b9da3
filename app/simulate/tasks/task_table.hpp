// A table of moldable tasks, all there at time 0: CSV with the header `task,weight,p1,p2,…,pm` and
// a line per task, pk its time on k processors.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/simulation/workload_model.hpp"

#include "app/simulate/tasks/reservation_table.hpp"

namespace schedfarm::app {

struct TaskTable {
    std::string file;
    std::uint32_t processors = 0;  ///< for which there are times, m
    std::vector<std::string> names;
    std::vector<double> weights;
    std::vector<std::vector<double>> times;  ///< times[i][k − 1]
    std::vector<Reservation> reservations;   ///< of another file
};

/// At least one task and one processor; times positive, weights not negative. Times may be such
/// that more processors do not help. Throws ConfigErrors with one problem, the first.
TaskTable read_task_table(const std::string& file, const std::string& content);

/// The same of a file.
TaskTable open_task_table(const std::string& file);

/// The tasks as moldable jobs of an off-line experiment, in order, with times for at most
/// `processors` processors; after them the reservations as rigid jobs with fixed starts. A policy
/// that knows only rigid jobs runs each on one.
std::unique_ptr<engine::WorkloadModel> make_task_workload(
    std::shared_ptr<const TaskTable> table, std::uint32_t processors
);

}  // namespace schedfarm::app
