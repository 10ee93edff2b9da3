// Twins: by hand, that of a queue that is one itself, known means, what they make of a cell's mean,
// and that whoever names no method computes as before.
#include "app/run/twin.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/twin_queues.hpp"

#include "results_schema/tables/typed_columns.hpp"

#include "app/campaign/plan/identity/cell_values.hpp"
#include "app/campaign/plan/twins.hpp"
#include "app/run/campaign_progress.hpp"
#include "app/run/replication.hpp"
#include "app/run/tables/analysis_tables.hpp"

#include "tests/app/run/made_up_campaign.hpp"
#include "tests/app/run/small_campaign.hpp"

namespace schedfarm::app {
namespace {

/// Four jobs, of work 1, 2, 0.5 and 3 times the mean of 6.
class FourJobs final : public engine::WorkloadModel {
  public:
    FourJobs() {
        traits_.mean_size = 2;
        traits_.mean_service_time = 3;
        traits_.mean_interarrival_time = 4;
    }
    const engine::WorkloadTraits& traits() const override { return traits_; }
    void next(engine::JobBlock& block) override {
        block.first_index = 0;
        block.count = 4;
        block.submit_time = {1, 2, 6.5, 6.7};
        block.size = {1, 3, 1, 2};
        block.service_time = {6, 4, 3, 9};
    }

  private:
    engine::WorkloadTraits traits_;
};

TEST_CASE("the waits of twins are Lindley's") {
    FourJobs jobs;
    engine::Horizon horizon;
    horizon.jobs = 4;
    horizon.warm_up_jobs = 1;
    // At .5 an arrival comes every 2 means of 1 / .5 = 8 / 4: gaps of 1, 4.5 and .2 are .5, 2.25
    // and .1: waits 0, .5, .25, .65. At .8 they are .3125, 1.40625 and .0625: waits 0, .6875,
    // 1.28125, 1.71875.
    engine::TwinQueues twins(jobs, horizon, {0.5, 0.8});
    engine::JobBlock block;
    engine::draw_next(twins.jobs(), block);
    const std::vector<double> waits = twins.mean_waits();
    REQUIRE(waits.size() == 2);
    CHECK(waits[0] == doctest::Approx((0.5 + 0.25 + 0.65) / 3).epsilon(1e-14));
    CHECK(waits[1] == doctest::Approx((0.6875 + 1.28125 + 1.71875) / 3).epsilon(1e-14));
}

std::string campaign_text(
    const std::string& system,
    const std::string& load,
    const std::string& count,
    const std::string& jobs = "{jobs: 3000}"
) {
    return R"(campaign_format: 1
name: twins
seed: 11
experiment: open
system: {clusters: [)"
           + system + R"(]}
workload: {model: coallocation, components: 1, component_size: {uniform: [1, )"
           + (system == "1" ? "1" : "16") + R"(]}}
probes: [response_time, wait, service_time]
policy: easy
horizon: )" + jobs
           + "\nload: {utilization: " + load + "}\nreplications: " + count + "\n";
}

ControlMean first_twin(const Cell& cell) {
    return twins_of(cell).front();
}

double value_of(const Cell& cell, const engine::Observations& observed, const std::string& column) {
    return observed.values[*column_index(cell, column)];
}

TEST_CASE("the twin of a queue of one server is the queue itself") {
    const Plan plan = tests::plan_of(campaign_text("1", "0.8", "{count: 64, method: auto}"));
    const Cell& cell = plan.cells[0];
    // Waits in mean services: rho / (1 - rho) of M/M/1.
    CHECK(first_twin(cell).mean == doctest::Approx(4).epsilon(1e-12));
    const engine::Observations observed = run_replication(cell, {7});
    CHECK(observed.values.size() == cell.measures->columns.size());
    CHECK(
        value_of(cell, observed, first_twin(cell).column)
        == doctest::Approx(value_of(cell, observed, "wait.mean")).epsilon(1e-9)
    );
}

TEST_CASE("the mean of a twin is that of Pollaczek and Khinchine") {
    // Sizes 1 to 16: E[N^2] / E[N]^2 = (17 * 33 / 6) / (17 / 2)^2, twice it for exponential times.
    const Plan plan = tests::plan_of(campaign_text("32", "0.5", "{count: 64, method: auto}"));
    const Cell& cell = plan.cells[0];
    REQUIRE(twin_loads(cell) == std::vector{0.5, 0.75, 0.875, 0.9375});
    const double square = 2 * (17 * 33 / 6.0) / (8.5 * 8.5);
    for (std::size_t k = 0; k < 4; ++k) {
        const double load = twin_loads(cell)[k];
        CHECK(
            twins_of(cell)[k].mean == doctest::Approx(load / (1 - load) * square / 2).epsilon(1e-12)
        );
    }
    // As the replications have it at the first load, where the start shows no more.
    std::vector<double> waits;
    for (std::uint32_t i = 0; i < 200; ++i) {
        waits.push_back(value_of(cell, run_replication(cell, {i}), first_twin(cell).column));
    }
    const auto found = engine::estimate_mean(waits, 0.95, engine::IntervalMethod::student_t);
    CHECK(std::fabs(found->mean - first_twin(cell).mean) < 4 * found->standard_error);
}

TEST_CASE("a worker gets the twins with the cell") {
    const Plan plan = tests::plan_of(campaign_text("32", "0.7", "{count: 64, method: auto}"));
    const Cell received = decode_cell(encode_cell(plan.cells[0]));
    CHECK(run_replication(received, {3}) == run_replication(plan.cells[0], {3}));
}

TEST_CASE("twins are those of the jobs, whoever simulates them") {
    std::string text = campaign_text("32", "0.7", "{count: 64, method: auto}");
    const Plan easy = tests::plan_of(text);
    text.replace(text.find("easy"), 4, "fcfs");
    const Plan plan = tests::plan_of(text);
    const Cell& cell = plan.cells[0];
    const auto together = run_side_by_side(cell, std::vector<ReplicationRequest>{{3}, {5}});
    REQUIRE(together.size() == 2);
    const engine::Observations alone = run_replication(cell, {5});
    CHECK(together[1] == alone);
    CHECK(run_replication(cell, {5}, SimulatorChoice::verified) == alone);
    const std::string column = first_twin(cell).column;
    const engine::Observations other = run_replication(easy.cells[0], {5});
    CHECK(value_of(easy.cells[0], other, column) == value_of(cell, alone, column));
}

TEST_CASE("whoever names no method computes as before") {
    const Plan plain = tests::plan_of(campaign_text("32", "0.7", "64"));
    const Plan named = tests::plan_of(campaign_text("32", "0.7", "{count: 64, method: plain}"));
    const Plan twins = tests::plan_of(campaign_text("32", "0.7", "{count: 64, method: auto}"));
    CHECK(plain.cells[0].replication_key == named.cells[0].replication_key);
    CHECK(plain.plan_hash == named.plan_hash);
    CHECK(plain.cells[0].replication_key != twins.cells[0].replication_key);
    engine::Observations with = run_replication(twins.cells[0], {0});
    with.values.resize(plain.cells[0].measures->columns.size());
    CHECK(with == run_replication(plain.cells[0], {0}));
}

TEST_CASE("where no twin is known the cell has none") {
    for (const char* interarrival : {"deterministic: {value: 1}", "erlang: {shape: 2, mean: 1}"}) {
        std::string text = campaign_text("32", "0.7", "{count: 64, method: auto}");
        text.replace(
            text.find("components: 1,"),
            14,
            std::string("components: 1, interarrival: {") + interarrival + "},"
        );
        CHECK(tests::plan_of(text).cells[0].controls.empty());
    }
    const std::string no_warm_up = "{jobs: 3000, warm_up: none}";
    CHECK(tests::plan_of(campaign_text("32", "0.7", "{count: 64, method: auto}", no_warm_up))
              .cells[0]
              .controls.empty());
}

/// The cell of a campaign after so many replications.
struct Run {
    explicit Run(const std::string& text) : plan(tests::plan_of(text)), progress(plan) {
        tests::run_made_up(
            progress,
            [this](const ReplicationTask& task) {
                return run_replication(
                    plan.cells[task.id.cell], {task.id.replication, task.utilization}
                );
            },
            1,
            1
        );
    }
    const CellProgress& cell() const { return *progress.cells()[0]; }

    Plan plan;
    CampaignProgress progress;
};

TEST_CASE("a twin takes most of the noise off the means of a queue, and none off others") {
    const Run run(campaign_text("32", "0.75", "{count: 64, method: auto}", "{jobs: 20000}"));
    const auto estimate_of = [&](const char* metric) {
        const MetricSample sample = run.cell().metric_sample(metric, 64);
        return *sample.estimate(0.95, engine::IntervalMethod::skew_adjusted);
    };
    const auto plain_of = [&](const char* metric) {
        const auto values = run.cell().column(*column_index(run.cell().cell(), metric), 64);
        return *engine::estimate_mean(values, 0.95, engine::IntervalMethod::skew_adjusted);
    };
    for (const char* metric : {"response_time.mean", "wait.mean"}) {
        const double ratio = plain_of(metric).standard_error / estimate_of(metric).standard_error;
        MESSAGE(std::string(metric) << ": variance divided by " << ratio * ratio);
        CHECK(ratio * ratio > 6);
        CHECK(
            std::fabs(plain_of(metric).mean - estimate_of(metric).mean)
            < 3 * plain_of(metric).standard_error
        );
    }
    CHECK(plain_of("service_time.mean").interval == estimate_of("service_time.mean").interval);
}

TEST_CASE("a queue that is its own twin is estimated by what was simulated") {
    const auto gain_of = [](const char* policy, const char* metric) {
        std::string text = campaign_text("1", "0.75", "{count: 64, method: auto}");
        text.replace(text.find("easy"), 4, policy);
        const Run run(text);
        const auto found = estimate_by_twin(run.cell(), metric, 64);
        return found ? found->variance_reduction : 1;
    };
    CHECK(gain_of("fcfs", "wait.mean") == 1);
    CHECK(gain_of("easy", "wait.mean") == 1);  // of jobs that need every processor it is fcfs
    CHECK(gain_of("fcfs", "response_time.mean") > 100);  // the noise of the service times is left
    CHECK(gain_of("sjf", "wait.mean") > 2);
}

TEST_CASE("control variates of a campaign are those that it names, beside twins too") {
    const std::string text = campaign_text("32", "0.75", "{count: 64, method: auto}");
    const Run run(text + "control_variates: {metric: response_time, controls: [service_time]}\n");
    REQUIRE(run.cell().cell().controls.size() == 5);
    const auto table = controlled_estimates_table(run.plan, run.progress);
    REQUIRE(table.rows() == 1);
    const auto names = results_schema::column_of<results_schema::Texts>(table, "controls");
    CHECK(names.at(0) == "service_time.mean");
}

}  // namespace
}  // namespace schedfarm::app
