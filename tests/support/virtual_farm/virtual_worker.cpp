#include "tests/support/virtual_farm/virtual_worker.hpp"

#include <algorithm>
#include <utility>

namespace schedfarm::engine {

namespace {

constexpr double longest_virtual_delay_seconds = 0.05;

}  // namespace

std::vector<TimedReport> VirtualWorker::work(
    const Order& order, double now_s, const TaskDuration& duration, const TaskFunction& execute
) {
    free_s_ = std::max(free_s_, now_s);
    std::vector<TimedReport> reports;
    std::vector<TaskResult> results;
    const auto report = [&] {
        reports.push_back({free_s_, {ReportKind::results, {}, std::exchange(results, {})}});
    };
    double first_result_s = 0;
    for (const Task& task : order.tasks) {
        const double delay_seconds = free_s_ - first_result_s + task.predicted_seconds;
        if (!results.empty() && delay_seconds > longest_virtual_delay_seconds) {
            report();
        }
        TaskResult result;
        result.id = task.id;
        result.rank = rank_;
        result.seconds = duration(task);
        result.payload = execute ? execute(task.payload) : Bytes();
        free_s_ += result.seconds;
        busy_seconds_ += result.seconds;
        if (results.empty()) {
            first_result_s = free_s_;
        }
        results.push_back(std::move(result));
    }
    if (!results.empty()) {
        report();
    }
    return reports;
}

}  // namespace schedfarm::engine
