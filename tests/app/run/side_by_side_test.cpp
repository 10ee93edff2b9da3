// Replications of a cell that are executed together: which are, in which order they are given out,
// and that each is what it is alone.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "app/campaign/plan/identity/cell_values.hpp"
#include "app/run/campaign_progress.hpp"
#include "app/run/journal/task_message.hpp"
#include "app/run/replication.hpp"
#include "app/run/run_campaign.hpp"

#include "tests/app/run/made_up_campaign.hpp"
#include "tests/app/run/short_cell.hpp"
#include "tests/app/run/small_campaign.hpp"

namespace schedfarm::app {

using engine::Choice;
using engine::ExperimentKind;
using engine::Metric;
using engine::Observations;

TEST_CASE("replications side by side are those of each alone") {
    for (const std::uint64_t start_backlog : {0U, 150U}) {
        Cell cell = cell_of("fcfs");
        cell.experiment.horizon.start_backlog = start_backlog;
        cell.experiment.series_bins = 10;
        cell.probes.requests.emplace_back().metric = Metric::gross_utilization;
        std::vector<ReplicationRequest> requests;
        for (std::uint32_t i = 60; i < 71; ++i) {  // some beyond those with a series
            requests.push_back({i, 0.5 + 0.04 * (i - 60)});
        }
        const std::vector<Observations> together = run_side_by_side(cell, requests);
        REQUIRE(together.size() == requests.size());
        for (std::size_t i = 0; i < requests.size(); ++i) {
            CHECK(together[i] == run_replication(cell, requests[i]));
        }
        CHECK(run_side_by_side(cell, std::span(requests).first(1)).empty());
    }
    CHECK(run_side_by_side(cell_of("fpfs"), std::vector<ReplicationRequest>(8)).empty());
}

// Ten tasks, the third from the end a suspect or of another cell: those before it, at most eight,
// are executed together, each with its own number and load.
TEST_CASE("tasks of one cell are executed together up to the first that is not of them") {
    Cell cell = cell_of("fcfs");
    Cell other = cell_of("fcfs");
    other.experiment.horizon.jobs = 190;
    const auto tasks_of = [&](std::uint32_t suspect, std::uint32_t stranger) {
        std::vector<engine::Task> tasks;
        for (std::uint32_t i = 0; i < 10; ++i) {
            const ReplicationTask task{{0, 5 + i}, 0.3 + 0.05 * i, i == suspect};
            tasks.push_back({{i}, task_message(task, encode_cell(i == stranger ? other : cell)), 0}
            );
        }
        return tasks;
    };
    const std::uint32_t nobody = 10;
    const engine::TaskExecutor execute = replication_function(SimulatorChoice::automatic);
    const auto expect_together = [&](const std::vector<engine::Task>& tasks, std::size_t count) {
        const std::vector<engine::Bytes> found = execute.several(tasks);
        REQUIRE(found.size() == count);
        for (std::size_t i = 0; i < count; ++i) {
            CHECK(found[i] == execute.one()(tasks[i].payload));
        }
    };
    expect_together(tasks_of(nobody, nobody), 8);
    expect_together(tasks_of(7, nobody), 7);
    expect_together(tasks_of(nobody, 6), 6);
    CHECK(execute.several(tasks_of(nobody, 1)).empty());
    const engine::Bytes own = tasks_of(nobody, nobody)[0].payload;
    const engine::Bytes strange = tasks_of(nobody, 0)[0].payload;
    CHECK(execute.one()(own) != execute.one()(strange));
    const engine::TaskExecutor verified = replication_function(SimulatorChoice::verified);
    CHECK(verified.several(tasks_of(nobody, nobody)).empty());
}

TEST_CASE("what is no small queue of total requests is not executed together") {
    const std::vector<ReplicationRequest> requests(3);
    Cell cell = cell_of("fcfs");
    cell.system.clusters = {8, 8};
    Choice workload = *cell.workload;
    workload.parameters.set("request", "unordered");
    cell.workload = std::make_shared<const Choice>(workload);
    CHECK(run_side_by_side(cell, requests).empty());
    cell = cell_of("fcfs");
    cell.system.clusters = {1025};  // more jobs may run than have slots in reason
    CHECK(run_side_by_side(cell, requests).empty());
    cell = cell_of("fcfs");
    cell.experiment.kind = ExperimentKind::bin_filling;
    CHECK(run_side_by_side(cell, requests).empty());
}

TEST_CASE("replays of a whole log, which has its waits beside them, are executed one by one") {
    const auto log = std::filesystem::temp_directory_path()
                     / ("schedfarm-side-by-side-" + std::to_string(::getpid()) + ".swf");
    std::ofstream(log) << "; MaxProcs: 3\n"
                          "1 0 7 40 2 -1 -1 2 50 -1 1 1 -1 -1 -1 -1 -1 -1\n"
                          "2 5 90 60 3 -1 -1 3 80 -1 1 1 -1 -1 -1 -1 -1 -1\n";
    const std::string head = "campaign_format: 1\nname: a\nseed: 1\nexperiment: trace\nworkload: ";
    const std::string model = "{model: trace, resampling: none, file: '" + log.string() + "'}\n";
    const auto plan = tests::plan_of(
        head + model + "system: {clusters: [3]}\nhorizon: {jobs: all, warm_up: none}\npolicy: fcfs\n"
        "replications: 1\n"
    );
    std::vector<engine::Task> tasks;
    for (std::uint32_t i = 0; i < 2; ++i) {
        tasks.push_back({{i}, task_message({{0, i}, {}}, encode_cell(plan.cells.at(0))), 0});
    }
    const engine::TaskExecutor execute = replication_function(SimulatorChoice::automatic);
    CHECK(execute.several(tasks).empty());
    CHECK(execute.one()(tasks[0].payload) != execute.one()(tasks[1].payload));
    std::filesystem::remove(log);
}

// What may be executed together must lie there together.
TEST_CASE("a campaign gives out two replications of each cell, then eight of one in a row") {
    Plan plan;
    plan.cells = {tests::open_cell(0, 40, 40), tests::open_cell(1, 40, 40)};
    CampaignProgress progress(plan);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> given;
    for (int i = 0; i < 24; ++i) {
        const auto task = progress.next();
        REQUIRE(task);
        given.emplace_back(task->id.cell, task->id.replication);
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> expected = {
        {0, 0}, {0, 1}, {1, 0}, {1, 1}};
    for (const std::uint32_t cell : {0U, 1U}) {
        for (std::uint32_t replication = 2; replication < 8; ++replication) {
            expected.emplace_back(cell, replication);
        }
    }
    for (std::uint32_t replication = 8; replication < 16; ++replication) {
        expected.emplace_back(0, replication);
    }
    CHECK(given == expected);
}

}  // namespace schedfarm::app
