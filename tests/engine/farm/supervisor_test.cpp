// The supervisor with shells in the place of mpirun: they stop and end as it does.
#include "engine/farm/processes/supervisor.hpp"

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include "tests/engine/farm/journal_support.hpp"

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace): a test of this
                                    // namespace
using schedfarm::tests::TemporaryFolder;

namespace {

struct Watched {
    std::string standard_output;
    std::string output;
    std::vector<StopRequest> requests;

    SupervisorHooks hooks() {
        return {
            [this](std::string_view bytes) { standard_output += bytes; },
            [this](std::string_view bytes) { output += bytes; },
            [this](StopRequest request) {
                requests.push_back(request);
            }};
    }
};

/// A shell can trap only what was not ignored when it was started, as USR1 is.
std::vector<std::string> shell(const std::string& script) {
    return {"env", "--default-signal=USR1", "sh", "-c", script};
}

}  // namespace

TEST_CASE("Exit codes and output come through and so do deaths") {
    Watched watched;
    Supervisor supervisor(watched.hooks());
    CHECK(supervisor.run(shell("echo said >&2; exit 3")) == 3);
    CHECK(watched.output == "said\n");
    CHECK(watched.standard_output.empty());
    const std::string long_text = "seq 1 30000";  // more than a pipe holds
    CHECK(supervisor.run(shell(long_text + "; echo said >&2")) == 0);
    CHECK(watched.output == "said\nsaid\n");
    CHECK(watched.standard_output.size() == 168894);
    CHECK(watched.standard_output.ends_with("29999\n30000\n"));
    CHECK(supervisor.run(shell("kill -9 $$")) == 128 + SIGKILL);
    CHECK(!supervisor.run({"/no such program"}).has_value());
    CHECK(supervisor.stop_request() == StopRequest::none);
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

TEST_CASE("Where nothing is saved the first signal is TERM for the launcher") {
    Watched watched;
    SupervisorHooks hooks = watched.hooks();
    hooks.first = StopRequest::at_once;
    Supervisor supervisor(hooks);
    const std::string send = "kill -INT " + std::to_string(::getpid());
    CHECK(
        supervisor.run(shell(
            "trap 'exit 8' USR1; trap 'exit 9' TERM; " + send + "; while :; do sleep 0.01; done"
        ))
        == 9
    );
    CHECK(watched.requests == std::vector<StopRequest>{StopRequest::at_once});
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

TEST_CASE("Stop signals come through where nobody reads what is passed on") {
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0);
    const Descriptor reading(ends[0]);
    const Descriptor writing(ends[1]);
    const std::string page(4096, '.');
    Watched watched;
    SupervisorHooks hooks = watched.hooks();
    std::vector<bool> rooms;
    std::function<bool(int)> wait;
    hooks.on_output = [&](std::string_view) {
        rooms.push_back(wait(writing.number()));
        while (::write(writing.number(), page.data(), page.size()) > 0) {
        }
        rooms.push_back(wait(writing.number()));
    };
    Supervisor supervisor(hooks);
    wait = [&supervisor](int descriptor) {
        return supervisor.wait_for_room(descriptor);
    };
    const std::string send = "kill -INT " + std::to_string(::getpid());
    const std::string drained =
        "trap 'exit 3' TERM; trap 'echo drained >&2; " + send + "; exit 3' USR1; ";
    CHECK(
        supervisor.run(shell(drained + "echo said; " + send + "; while :; do sleep 0.01; done"))
        == 3
    );
    CHECK(rooms == std::vector<bool>{true, false});
    CHECK(watched.output == "drained\n");
    CHECK(watched.requests == std::vector<StopRequest>{StopRequest::drain, StopRequest::at_once});
}
