// When a worker, real or in virtual time, tells of the results of a bundle.
#include "engine/farm/worker.hpp"

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

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
    std::optional<Order> receive_if_there() override { return receive(); }
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
