// The supervisor with shells in the place of mpirun: they stop and end as it does.
#include "engine/farm/processes/supervisor.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "tests/engine/farm/journal_support.hpp"

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace): a test of this
                                    // namespace
using schedfarm::tests::TemporaryFolder;

namespace {

struct Watched {
    std::vector<StopRequest> requests;

    SupervisorHooks hooks() {
        return {[this](StopRequest request) { requests.push_back(request); }, {}};
    }
};

/// A shell can trap only what was not ignored when it was started, as USR1 is.
std::vector<std::string> shell(const std::string& script) {
    return {"env", "--default-signal=USR1", "sh", "-c", script};
}

}  // namespace

TEST_CASE("Exit codes come through and so do deaths") {
    Watched watched;
    Supervisor supervisor(watched.hooks());
    CHECK(supervisor.run(shell("exit 3")) == 3);
    CHECK(supervisor.run(shell("kill -9 $$")) == 128 + SIGKILL);
    CHECK(!supervisor.run({"/no such program"}).has_value());
    CHECK(supervisor.stop_request() == StopRequest::none);
}

TEST_CASE("Who waits for a launcher is called every second") {
    std::vector<double> seconds;
    Supervisor supervisor({{}, [&](double since_start_s) {
                               seconds.push_back(since_start_s);
                           }});
    CHECK(supervisor.run(shell("sleep 2.5")) == 0);
    REQUIRE(!seconds.empty());
    CHECK(seconds.front() >= 1);
}

TEST_CASE("A launcher that goes on when the run is over is ended, whatever it waits for") {
    Supervisor supervisor(
        {{},
         {},
         [] {
             return true;
         }},
        0.5
    );
    CHECK(supervisor.run(shell("sleep 60; exit 3")) == 128 + SIGKILL);
}

TEST_CASE("TERM becomes USR1 for the launcher and a second one TERM") {
    for (const int first : {SIGTERM, SIGINT, SIGUSR1}) {
        Watched watched;
        Supervisor supervisor(watched.hooks());
        // The shell asks to be stopped when its handler is there, so no signal can come too early.
        const std::string send =
            "kill -" + std::to_string(first) + " " + std::to_string(::getpid());
        CHECK(
            supervisor.run(
                shell("trap 'exit 3' USR2 USR1; " + send + "; while :; do sleep 0.01; done")
            )
            == 3
        );
        CHECK(watched.requests == std::vector<StopRequest>{StopRequest::drain});
    }
    Watched watched;
    Supervisor supervisor(watched.hooks());
    const std::string send = "kill -TERM " + std::to_string(::getpid());
    CHECK(
        supervisor.run(shell(
            "trap '" + send + "' USR1; trap 'exit 9' TERM; " + send
            + "; while :; do sleep 0.01; done"
        ))
        == 9
    );
    CHECK(watched.requests == std::vector<StopRequest>{StopRequest::drain, StopRequest::at_once});
}

TEST_CASE("A hangup that this process was told to ignore, as by nohup, stops nothing") {
    std::signal(SIGHUP, SIG_IGN);
    Watched watched;
    {
        Supervisor supervisor(watched.hooks());
        const std::string send = "kill -HUP " + std::to_string(::getpid());
        CHECK(supervisor.run(shell(send + "; sleep 0.3; exit 3")) == 3);
    }
    std::signal(SIGHUP, SIG_DFL);
    CHECK(watched.requests.empty());
}

TEST_CASE("A launcher that hangs after its ranks have ended is killed") {
    Watched watched;
    Supervisor supervisor(watched.hooks(), 0.2);
    CHECK(supervisor.run(shell("sleep 0.01; kill -STOP $$")) == 128 + SIGKILL);
}

TEST_CASE("A launcher that does not end when it is told to is killed") {
    Watched watched;
    Supervisor supervisor(watched.hooks(), 0.2);
    const std::string send = "kill -TERM " + std::to_string(::getpid());
    CHECK(
        supervisor.run(shell("trap '' USR1 TERM; " + send + "; sleep 1.5; " + send + "; sleep 1000")
        )
        == 128 + SIGKILL
    );
}

TEST_CASE("Nothing that the launcher started outlives it") {
    const TemporaryFolder folder;
    const std::string file = (folder / "pid").string();
    Watched watched;
    Supervisor supervisor(watched.hooks());
    CHECK(
        supervisor.run(shell("setsid sleep 1000 & echo $! > " + file + "; kill -9 $$"))
        == 128 + SIGKILL
    );
    pid_t orphan = 0;
    std::ifstream(file) >> orphan;
    REQUIRE(orphan > 0);
    CHECK(!std::filesystem::exists("/proc/" + std::to_string(orphan)));
}
