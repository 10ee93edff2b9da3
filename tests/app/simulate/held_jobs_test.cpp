// Logs of a real Slurm in which jobs were held, wait for others or left while they waited, as
// `simulate` takes them.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "app/simulate/simulate.hpp"

namespace schedfarm::app {

namespace {

Simulation simulated(const std::string& log, const std::string& policy, const char* processors) {
    SimulationRequest request;
    request.trace = log;
    request.policy = policy;
    request.clusters = processors;
    return simulate(request, Implementation::verified);
}

Simulation recorded(const std::string& name, const char* processors) {
    const std::string folder = SCHEDFARM_RECORDINGS "/" + name + "/run1";
    SimulationRequest request;
    request.trace = folder + "/starts.txt";
    request.policy = "slurm";
    request.clusters = processors;
    request.settings = {
        "conf=" + folder + "/slurm.conf",
        "associations=" + folder + "/assoc.txt",
        "qos=" + folder + "/qos.txt"};
    return simulate(request, Implementation::verified);
}

/// Starts within ten seconds of those of the log.
int near(const Simulation& simulation) {
    int count = 0;
    const auto& logged = simulation.source.replayed->logged.wait_s;
    const auto& submit = simulation.source.replayed->jobs.submit;
    for (std::size_t job = 0; job < logged.size(); ++job) {
        const double off = simulation.log.start[job] - submit[job] - logged[job];
        count += std::abs(off) <= 10 ? 1 : 0;
    }
    return count;
}

}  // namespace

// Jobs 3 and 4 have the machine until 7230; job 1 runs from 7200 to 10800.
TEST_CASE("under every policy a job waits until those that it depends on have ended") {
    const std::string log = SCHEDFARM_SIMULATE_DATA "/dependency.sacct";
    for (const char* policy : {"fcfs", "easy", "conservative", "sjf", "slurm"}) {
        CAPTURE(policy);
        const Simulation simulation = simulated(log, policy, "8");
        std::vector<double> start(5);
        for (std::size_t job = 0; job < 4; ++job) {
            start[static_cast<std::size_t>(simulation.source.number(job))] =
                simulation.log.start[job];
        }
        CHECK(start[3] == 0);
        CHECK(start[1] >= 7200);
        CHECK(start[2] >= start[1] + 3600);
        CHECK(start[2] <= start[1] + 3600 + 60);
    }
}

TEST_CASE("a recorded Slurm's starts of held jobs and of those behind cancelled ones are met") {
    const Simulation deps = recorded("deps", "32");
    CHECK(deps.log.jobs() == 50);
    CHECK(near(deps) >= 43);
    const Simulation cancel = recorded("cancel", "8");
    CHECK(cancel.log.jobs() == 3);
    CHECK(near(cancel) == 3);
    CHECK(cancel.source.notes.find("1 left while waiting: replayed") != std::string::npos);
}

}  // namespace schedfarm::app
