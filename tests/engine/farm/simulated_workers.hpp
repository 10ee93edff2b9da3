// What the tests of the master share: a source of work in waves, and workers that do nothing but
// hold every order against the rules.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/farm/master.hpp"

#include "tests/support/dice.hpp"

namespace schedfarm::tests {

enum class Hint { none, exact };

/// Tasks in waves: a wave opens when all results of the one before are in.
class Waves final : public engine::WorkSource {
  public:
    Waves(std::vector<std::vector<double>> predicted_seconds, Hint hint)
        : waves_(std::move(predicted_seconds)), hint_(hint) {}

    std::optional<engine::Task> next_task() override {
        if (!again_.empty()) {
            const std::uint64_t id = again_.front();
            again_.pop_front();
            return engine::Task{{id}, {}, predicted[id]};
        }
        if (wave_ == waves_.size() || given_ == waves_[wave_].size()) {
            return std::nullopt;
        }
        const std::uint64_t id = wave_ * 1000 + given_;
        predicted[id] = waves_[wave_][given_++];
        return engine::Task{{id}, {}, predicted[id]};
    }
    void accept(const engine::TaskResult& result) override {
        accepted.push_back(result.id.value);
        ++returned_;
        if (returned_ == waves_[wave_].size()) {
            ++wave_;
            given_ = returned_ = 0;
        }
    }
    void give_again(engine::TaskId id) override { again_.push_back(id.value); }
    bool finished() const override { return wave_ == waves_.size(); }
    std::optional<std::uint64_t> tasks_ready() const override {
        if (hint_ == Hint::none) {
            return std::nullopt;
        }
        return finished() ? 0 : waves_[wave_].size() - given_ + again_.size();
    }

    std::map<std::uint64_t, double> predicted;  ///< of every task given
    std::vector<std::uint64_t> accepted;

  private:
    std::vector<std::vector<double>> waves_;
    Hint hint_;
    std::size_t wave_ = 0;
    std::size_t given_ = 0;
    std::size_t returned_ = 0;
    std::deque<std::uint64_t> again_;
};

/// What a worker has received and not yet done.
struct TestDesk {
    bool said_hello = false;
    bool stopped = false;
    std::deque<std::deque<engine::Task>> bundles;

    std::size_t tasks() const {
        std::size_t sum = 0;
        for (const auto& bundle : bundles) {
            sum += bundle.size();
        }
        return sum;
    }
};

/// A master and the desks of its workers; holds every order against the rules.
class Bench {
  public:
    Bench(engine::WorkSource& source, std::uint32_t workers, engine::MasterLimits limits = {})
        : master(source, workers, limits), desks(workers), limits_(limits) {}

    void hello(std::uint32_t worker) {
        desks[worker].said_hello = true;
        deliver(master.take(worker, {engine::ReportKind::hello, "host", {}}, now_s));
    }

    /// The worker finishes `count` tasks of its first bundle and reports them together.
    void work(std::uint32_t worker, std::size_t count) {
        engine::WorkerReport report{engine::ReportKind::results, {}, {}};
        auto& bundle = desks[worker].bundles.front();
        for (std::size_t i = 0; i < count; ++i) {
            report.results.push_back(
                {.id = bundle.front().id, .payload = {}, .message = {}, .seconds = 2}
            );
            bundle.pop_front();
        }
        if (bundle.empty()) {
            desks[worker].bundles.pop_front();
        }
        deliver(master.take(worker, report, now_s));
    }

    // NOLINTNEXTLINE(readability-function-size): it counts the nesting inside REQUIRE
    void deliver(const std::vector<engine::AddressedOrder>& orders) {
        for (const engine::AddressedOrder& addressed : orders) {
            TestDesk& desk = desks.at(addressed.worker);
            REQUIRE(desk.said_hello);
            REQUIRE_FALSE(desk.stopped);
            if (addressed.order.kind == engine::OrderKind::work) {
                deliver_work(desk, addressed.order.tasks);
            } else {
                REQUIRE(desk.bundles.empty());
                desk.stopped = true;
            }
        }
    }

    std::vector<std::size_t> bundle_sizes(std::uint32_t worker) const {
        std::vector<std::size_t> sizes;
        for (const auto& bundle : desks[worker].bundles) {
            sizes.push_back(bundle.size());
        }
        return sizes;
    }

    engine::Master master;
    std::vector<TestDesk> desks;
    std::set<std::uint64_t> given;
    double now_s = 0;

  private:
    void deliver_work(TestDesk& desk, const std::vector<engine::Task>& tasks) {
        REQUIRE_FALSE(tasks.empty());
        REQUIRE(tasks.size() <= limits_.bundle_tasks);
        desk.bundles.emplace_back(tasks.begin(), tasks.end());
        REQUIRE(desk.bundles.size() <= 1 + limits_.bundles_ahead);
        for (const engine::Task& task : tasks) {
            REQUIRE(given.insert(task.id.value).second);
        }
    }

    engine::MasterLimits limits_;
};

}  // namespace schedfarm::tests
