// What master and workers say to each other. A worker first says that it is there; then the master
// sends it bundles of tasks, and the worker the results, in the order of the tasks; the last
// message to every worker is stop. A sub-master, which is a worker to the master above it, answers
// stop with a farewell: what its ranks did with their time. Its results come in any order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/farm/rank_overhead.hpp"
#include "engine/farm/task.hpp"

namespace schedfarm::engine {

enum class OrderKind : std::uint8_t { work = 0, stop = 1 };

/// From the master to a worker.
struct Order {
    OrderKind kind = OrderKind::stop;
    std::vector<Task> tasks;  ///< work: at least one
};

enum class ReportKind : std::uint8_t { hello = 0, results = 1, farewell = 2 };

/// From a worker to the master.
struct WorkerReport {
    ReportKind kind = ReportKind::hello;
    std::string host;                      ///< hello
    std::vector<TaskResult> results;       ///< results: at least one
    std::vector<RankOverhead> ranks = {};  ///< farewell: the sub-master first
};

Bytes encode(const Order& order);
Bytes encode(const WorkerReport& report);
/// Throw SerializationError when the bytes are no such message.
Order decode_order(const Bytes& bytes);
WorkerReport decode_report(const Bytes& bytes);

}  // namespace schedfarm::engine
