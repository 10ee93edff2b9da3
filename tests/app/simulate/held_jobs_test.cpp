// Logs of a real Slurm in which jobs were held, wait for others or left while they waited, as
// `simulate` takes them.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/unserved_job.hpp"

#include "app/simulate/simulate.hpp"

namespace schedfarm::app {

namespace {

Simulation simulated(const std::string& log, const std::string& policy, const char* processors) {
    SimulationRequest request;
    request.trace = log;
    request.policy = policy;
    request.clusters = processors;
    return simulate(request, SimulatorChoice::verified);
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
    return simulate(request, SimulatorChoice::verified);
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

TEST_CASE("a recorded Slurm's starts are met where jobs asked for less than they got") {
    CHECK(near(recorded("weights", "36")) == 42);  // nodes of 2, 4 and 8 CPUs
    CHECK(near(recorded("memmix", "32")) == 50);   // cores, memory, --exclusive, -c
}

// The partition has two of three nodes of 4 CPUs: job 23 asks for three.
TEST_CASE("a job that the site can never place is left out, and named by its own number") {
    SimulationRequest request;
    request.trace = SCHEDFARM_SIMULATE_DATA "/unserved.sacct";
    request.policy = "slurm";
    request.clusters = "12";
    request.settings = {"conf=" SCHEDFARM_SIMULATE_DATA "/unserved.conf"};
    const Simulation simulation = simulate(request, SimulatorChoice::verified);
    REQUIRE(simulation.log.jobs() == 2);
    CHECK(simulation.source.number(0) == 17);
    CHECK(simulation.source.number(1) == 31);
    CHECK(simulation.log.start[1] >= 100);
    CHECK(simulation.source.has_many_unserved);
    CHECK(
        simulation.source.unserved
        == "1 of 3 jobs is left out, for the site can never place it: job 23 asks for 3 nodes and "
           "12 processors (partition batch never gives as much)"
    );
    // Where it can place none of them, that is what is wrong.
    request.settings.emplace_back("changes=PartitionName=batch MaxTime=1");
    CHECK_THROWS_AS(simulate(request, SimulatorChoice::verified), engine::UnservedJobError);
}

}  // namespace schedfarm::app
