#include "engine/farm/worker.hpp"

#include <array>
#include <exception>
#include <new>
#include <utility>

#include <unistd.h>

#include "engine/farm/stopwatch.hpp"
#include "engine/farm/wall_clock.hpp"

namespace schedfarm::engine {

namespace {

constexpr double longest_delay_seconds = 0.05;

void execute_bundle(
    WorkerTransport& transport, const std::vector<Task>& tasks, const TaskFunction& execute
) {
    WorkerReport report{.kind = ReportKind::results, .host = {}, .results = {}};
    Stopwatch since_first_result;
    for (const Task& task : tasks) {
        const double delay_seconds = since_first_result.seconds() + task.predicted_seconds;
        if (!report.results.empty() && delay_seconds > longest_delay_seconds) {
            transport.send(report);
            report.results.clear();
        }
        TaskResult result = execute_task(task, execute, transport.rank());
        if (report.results.empty()) {
            since_first_result = Stopwatch();
        }
        report.results.push_back(std::move(result));
    }
    transport.send(report);
}

}  // namespace

TaskResult execute_task(const Task& task, const TaskFunction& execute, std::uint32_t rank) {
    TaskResult result;
    result.id = task.id;
    result.rank = rank;
    result.began_s = seconds_since_1970();
    const Stopwatch stopwatch;
    try {
        result.payload = execute(task.payload);
    } catch (const WorkerBroken&) {
        throw;
    } catch (const TaskFailure& failure) {
        result.status = failure.status();
        result.message = failure.what();
    } catch (const std::bad_alloc&) {
        result.status = TaskStatus::failed;
        result.message = "out of memory";
    } catch (const std::exception& error) {
        result.status = TaskStatus::failed;
        result.message = error.what();
    } catch (...) {
        result.status = TaskStatus::failed;
        result.message = "an exception of unknown type";
    }
    result.seconds = stopwatch.seconds();
    return result;
}

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

void serve(WorkerTransport& transport, const TaskFunction& execute) {
    transport.send({.kind = ReportKind::hello, .host = host_name(), .results = {}});
    for (Order order = transport.receive(); order.kind == OrderKind::work;
         order = transport.receive()) {
        execute_bundle(transport, order.tasks, execute);
    }
}

}  // namespace schedfarm::engine
