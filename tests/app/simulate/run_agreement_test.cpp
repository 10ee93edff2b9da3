// The metrics of a whole log are the same from `run` and from `simulate`.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "app/run/replication.hpp"
#include "app/simulate/schedule_summary.hpp"
#include "app/simulate/simulate.hpp"

#include "tests/app/campaign/campaign_text.hpp"
#include "tests/support/dice.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::app::tests {

namespace {

namespace fs = std::filesystem;
using schedfarm::tests::Dice;

constexpr std::uint32_t processors = 16;

/// Jobs of all kinds: some come together, some have no run time, no processors, no request, or ran
/// longer than they asked for.
std::string random_log(Dice& dice) {
    std::string text = fmt::format("; MaxProcs: {}\n", processors);
    const std::uint32_t jobs = 1 + dice.below(80);
    std::uint32_t submit = dice.below(1000);
    for (std::uint32_t job = 1; job <= jobs; ++job) {
        submit += dice.below(3) == 0 ? 0 : dice.below(60);
        const std::uint32_t run = dice.below(12) == 0 ? 0 : 1 + dice.below(300);
        const int size = dice.below(15) == 0 ? -1 : static_cast<int>(1 + dice.below(processors));
        const int request = dice.below(10) == 0 ? -1 : static_cast<int>(1 + dice.below(500));
        text += fmt::format(
            "{} {} -1 {} {} -1 -1 {} {} -1 1 {} 1 1 1 1 -1 -1\n",
            job,
            submit,
            run,
            size,
            size,
            request,
            1 + dice.below(5)
        );
    }
    return text;
}

/// A file that is gone when the test is.
class WrittenLog {
  public:
    explicit WrittenLog(const std::string& text)
        : file_(fs::temp_directory_path() / fmt::format("schedfarm-agreement-{}.swf", getpid())) {
        std::ofstream(file_) << text;
    }
    WrittenLog(const WrittenLog&) = delete;
    WrittenLog& operator=(const WrittenLog&) = delete;
    ~WrittenLog() { fs::remove(file_); }
    std::string name() const { return file_.string(); }

  private:
    fs::path file_;
};

/// By column.
std::map<std::string, double> from_run(const std::string& log, const std::string& policy) {
    const Plan plan = plan_of(
        {{4, "experiment: trace"},
         {5, fmt::format("system: {{clusters: [{}]}}", processors)},
         {6, "workload: {model: trace, file: " + log + ", resampling: none}"},
         {7, "policy: " + policy},
         {8, "horizon: {jobs: all}"},
         {9, "replications: 1"},
         {10,
          "probes: [{wait: {quantiles: [0.5, 0.95]}}, {response_time: {quantiles: [0.5, "
          "0.95]}}, {slowdown: {quantiles: [0.5, 0.95]}}, {bounded_slowdown: {quantiles: [0.5, "
          "0.95]}}, utilization, gross_utilization, loss_of_capacity]"}}
    );
    const Cell& cell = plan.cells.at(0);
    const engine::Observations observed = run_replication(cell, {});
    std::map<std::string, double> values;
    for (std::size_t i = 0; i < cell.measures->columns.size(); ++i) {
        values[cell.measures->columns[i].name] = observed.values.at(i);
    }
    values["jobs"] = static_cast<double>(observed.jobs);
    return values;
}

std::map<std::string, double> from_simulate(const std::string& log, const std::string& policy) {
    SimulationRequest request;
    request.trace = log;
    request.policy = policy;
    request.clusters = std::to_string(processors);
    request.settings = {"workload.missing_request=dropped"};
    const Simulation simulation = simulate(request, SimulatorChoice::automatic);
    const ScheduleSummary summary = summarise_schedule(
        simulation.log,
        processors,
        simulation.traits.preemptive ? Occupation::with_pauses : Occupation::unbroken,
        simulation.experiment
    );
    std::map<std::string, double> values{
        {"jobs", static_cast<double>(summary.jobs)}, {"utilization", summary.utilization}};
    for (const auto& [name, of_jobs] :
         {std::pair("wait", &summary.wait),
          std::pair("response_time", &summary.response),
          std::pair("slowdown", &summary.slowdown),
          std::pair("bounded_slowdown", &summary.bounded_slowdown)}) {
        values[fmt::format("{}.mean", name)] = of_jobs->mean;
        values[fmt::format("{}.p50", name)] = of_jobs->median;
        values[fmt::format("{}.p95", name)] = of_jobs->p95;
    }
    if (summary.gross_utilization) {
        values["gross_utilization"] = *summary.gross_utilization;
    }
    if (summary.loss_of_capacity) {
        values["loss_of_capacity"] = *summary.loss_of_capacity;
    }
    return values;
}

bool is_kept(const std::string& line) {
    int number = 0, submit = 0, wait = 0, run = 0, size = 0;
    int cpu = 0, memory = 0, asked = 0, request = 0;
    const int read = std::sscanf(  // NOLINT(cert-err34-c)
        line.c_str(),
        "%d %d %d %d %d %d %d %d %d",
        &number,
        &submit,
        &wait,
        &run,
        &size,
        &cpu,
        &memory,
        &asked,
        &request
    );
    return read == 9 && run > 0 && size > 0 && request > 0;
}

bool has_jobs(const std::string& log) {
    for (std::size_t begin = 0; begin < log.size(); begin = log.find('\n', begin) + 1) {
        if (is_kept(log.substr(begin, log.find('\n', begin) - begin))) {
            return true;
        }
    }
    return false;
}

}  // namespace

TEST_CASE("a simulation says where resampling has one block to draw from") {
    constexpr int week_s = 604800;
    for (const auto& [weeks, resampling, is_one] :
         {std::tuple{0.5, "users", true},
          std::tuple{0.5, "none", false},
          std::tuple{3.5, "users", false},
          std::tuple{3.5, "weeks", false},
          std::tuple{1.5, "weeks", true}}) {
        std::string text;
        for (int job = 0; job <= 20; ++job) {
            text += fmt::format(
                "{} {} -1 60 1 -1 -1 1 60 -1 1 {} 1 1 1 1 -1 -1\n",
                job + 1,
                std::floor(job * weeks * week_s / 20),
                1 + job % 3
            );
        }
        const WrittenLog log(text);
        SimulationRequest request;
        request.trace = log.name();
        request.policy = "easy";
        request.clusters = std::to_string(processors);
        request.settings = {std::string("workload.resampling=") + resampling};
        const JobSource source = open_cell(request).source;
        CAPTURE(source.notes);
        CHECK(
            (source.notes.find("one block to draw from: the log") != std::string::npos) == is_one
        );
    }
}

TEST_CASE("run and simulate agree on every metric of 50 random logs") {
    Dice dice(37);
    std::size_t compared = 0;
    for (int log = 0; log < schedfarm::tests::short_or_long(50, 2000); ++log) {
        const std::string text = random_log(dice);
        if (!has_jobs(text)) {
            continue;
        }
        const WrittenLog file(text);
        for (const std::string policy : {"fcfs", "easy", "conservative", "sjf", "matrix_gang"}) {
            CAPTURE(text);
            CAPTURE(policy);
            const auto run = from_run(file.name(), policy);
            for (const auto& [metric, value] : from_simulate(file.name(), policy)) {
                CAPTURE(metric);
                REQUIRE(run.contains(metric));
                // Sums in other orders.
                CHECK(std::abs(run.at(metric) - value) <= 1e-12 * std::abs(value));
                ++compared;
            }
        }
    }
    CHECK(compared > 3000);
}

}  // namespace schedfarm::app::tests
