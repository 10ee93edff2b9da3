// When a worker, real or in virtual time, tells of the results of a bundle.
#include "engine/farm/worker.hpp"

#include <chrono>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/farm/stopwatch.hpp"

#include "tests/support/virtual_farm/virtual_worker.hpp"

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace): a test of this
                                    // namespace

namespace {

Order bundle(std::size_t tasks, double predicted_seconds) {
    Order order{OrderKind::work, {}};
    for (std::uint64_t id = 0; id < tasks; ++id) {
        order.tasks.push_back({{id}, {}, predicted_seconds});
    }
    return order;
}

/// Gives one order, then stops the worker; keeps how many results each report has.
class OneOrder final : public WorkerTransport {
  public:
    explicit OneOrder(Order order) : order_(std::move(order)) {}

    std::uint32_t rank() const override { return 1; }
    Order receive() override { return std::exchange(order_, Order{OrderKind::stop, {}}); }
    void send(const WorkerReport& report) override { sizes.push_back(report.results.size()); }

    std::vector<std::size_t> sizes;

  private:
    Order order_;
};

using Sizes = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a result does not wait for a task that is predicted to be long") {
    OneOrder transport(bundle(3, 1));
    serve(transport, [](const Bytes& payload) { return payload; });
    CHECK(transport.sizes == Sizes{0, 1, 1, 1});  // the first is the hello
}

// Sleeping 20 ms takes at least that long: before the fourth task the first result is 40 ms old and
// would be 60 ms old after it.
TEST_CASE("the delay of a report is that of its first result") {
    OneOrder transport(bundle(4, 0.02));
    serve(transport, [](const Bytes& payload) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return payload;
    });
    CHECK(transport.sizes.size() >= 3);
}

TEST_CASE("tasks that are executed together are results of their own") {
    std::vector<Task> tasks;
    for (std::uint8_t id = 0; id < 5; ++id) {
        tasks.push_back({{id}, Bytes{std::byte{id}}, 0.001});
    }
    const auto one = [](const Bytes& payload) {
        return payload;
    };
    const auto first_three = [](std::span<const Task> given) {
        std::vector<Bytes> payloads;
        for (std::size_t i = 0; given.size() >= 3 && i < 3; ++i) {
            payloads.push_back(given[i].payload);
        }
        return payloads;
    };
    const auto broken = [](std::span<const Task> /*given*/) -> std::vector<Bytes> {
        throw std::runtime_error("one of them fails");
    };
    const std::vector<TaskResult> together = execute_first(tasks, {one, first_three}, 7);
    REQUIRE(together.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(together[i].id == tasks[i].id);
        CHECK(together[i].payload == tasks[i].payload);
        CHECK(together[i].status == TaskStatus::done);
        CHECK(together[i].rank == 7);
        CHECK(together[i].seconds == together[0].seconds);
    }
    CHECK(execute_first(tasks, {one, broken}, 7).size() == 1);
    CHECK(execute_first(tasks, one, 7).size() == 1);

    Order order{OrderKind::work, tasks};
    OneOrder transport(order);
    serve(transport, {one, first_three});
    CHECK(transport.sizes == Sizes{0, 5});  // three, one and one
}

TEST_CASE("the time of tasks that are executed together is divided among them") {
    const std::vector<Task> tasks = bundle(3, 0.001).tasks;
    const auto one = [](const Bytes& payload) {
        return payload;
    };
    const auto all = [](std::span<const Task> given) {
        std::this_thread::sleep_for(std::chrono::milliseconds(6));
        return std::vector<Bytes>(given.size(), Bytes{std::byte{9}});
    };
    const Stopwatch stopwatch;
    const std::vector<TaskResult> together = execute_first(tasks, {one, all}, 7);
    CHECK(3 * together[0].seconds <= stopwatch.seconds());
    const double shift_s = together[2].began_s - together[0].began_s;
    CHECK(shift_s == doctest::Approx(2 * together[0].seconds).epsilon(0.001));
    CHECK(execute_first(std::span(tasks).first(1), {one, all}, 7)[0].payload.empty());
}

TEST_CASE("a worker in virtual time reports as a real one does") {
    const auto reports = [](std::size_t tasks, double seconds) {
        std::vector<std::pair<double, std::size_t>> times;
        const TaskDuration duration = [seconds](const Task& /*task*/) {
            return seconds;
        };
        for (const TimedReport& timed :
             VirtualWorker(1).work(bundle(tasks, seconds), 10, duration, {})) {
            times.emplace_back(timed.at_s, timed.report.results.size());
        }
        return times;
    };
    using Times = std::vector<std::pair<double, std::size_t>>;
    CHECK(reports(3, 1) == Times{{11, 1}, {12, 1}, {13, 1}});
    // In 64ths of a second: 3/64 s is less than 50 ms, 4/64 s is more.
    CHECK(reports(5, 1.0 / 64) == Times{{10 + 4.0 / 64, 4}, {10 + 5.0 / 64, 1}});
}
