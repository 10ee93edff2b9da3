// What master and workers say to each other. A worker first says that it is there; then the master
// sends it bundles of tasks, and the worker the results; the last message to every worker is stop.
// A rank with several children is one worker, which is sent bundles for all of them together.
// Between ranks both say now and then that they are alive: whoever is silent for long is taken for
// lost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/farm/task.hpp"

namespace schedfarm::engine {

enum class OrderKind : std::uint8_t { work = 0, stop = 1, alive = 2 };

/// From the master to a worker.
struct Order {
    OrderKind kind = OrderKind::stop;
    std::vector<Task> tasks;                       ///< work: at least one
    std::vector<std::uint32_t> bundle_sizes = {};  ///< how they are divided; empty: one bundle
};

enum class ReportKind : std::uint8_t { hello = 0, results = 1, broken = 2, alive = 3 };

/// From a worker to the master.
struct WorkerReport {
    ReportKind kind = ReportKind::hello;
    std::string text = {};                 ///< hello: the host; broken: why it executes no more
    std::vector<TaskResult> results = {};  ///< results: at least one
    std::uint32_t first_rank = 0;          ///< hello: the rank that its results have ...
    std::uint32_t children = 1;            ///< hello: ... and how many there are from it on
};

Bytes encode(const Order& order);
Bytes encode(const WorkerReport& report);
/// Throw SerializationError when the bytes are no such message.
Order decode_order(const Bytes& bytes);
WorkerReport decode_report(const Bytes& bytes);

}  // namespace schedfarm::engine
