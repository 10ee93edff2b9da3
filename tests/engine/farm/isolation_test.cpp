// Tasks that misbehave in every way, each in a child of a real server.
#include "engine/farm/processes/isolation.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include <doctest/doctest.h>
#include <unistd.h>

#include "engine/farm/stopwatch.hpp"
#include "engine/farm/transport/serialization.hpp"
#include "engine/farm/worker.hpp"

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace): a test of this
                                    // namespace

namespace {

Bytes text_bytes(const std::string& text) {
    ByteWriter writer;
    writer.text(text);
    return writer.take();
}

std::string text_of(const Bytes& bytes) {
    return ByteReader(bytes).text();
}

constexpr std::size_t mib = std::size_t{1} << 20;

Bytes misbehave(const Bytes& payload) {
    const std::string how = text_of(payload);
    if (how == "throw") {
        throw std::runtime_error("thrown on purpose");
    } else if (how == "segfault") {
        std::raise(SIGSEGV);
    } else if (how == "abort") {
        std::abort();
    } else if (how == "exit") {
        ::_exit(7);
    } else if (how == "loop") {
        for (;;) {
            std::this_thread::sleep_for(std::chrono::seconds(1));
        }
    } else if (how == "memory") {
        std::vector<Bytes> hoard;
        for (;;) {
            hoard.emplace_back(16 * mib);
        }
    } else if (how == "kill server") {
        ::kill(::getppid(), SIGKILL);
    } else if (how == "large") {
        return Bytes(3 * mib, std::byte{5});
    }
    return text_bytes("done " + how);
}

TaskResult run(IsolationServer& server, const std::string& how) {
    const TaskFunction function = [&server](const Bytes& payload) {
        return server.execute(payload);
    };
    return execute_task({TaskId{1}, text_bytes(how), 0}, function, 0);
}

void check_still_serves(IsolationServer& server) {
    const TaskResult result = run(server, "work");
    CHECK(result.status == TaskStatus::done);
    CHECK(text_of(result.payload) == "done work");
}

}  // namespace

TEST_CASE("A task that crashes or throws costs nothing but itself") {
    struct Case {
        std::string how;
        TaskStatus status;
        std::string message;
    };
    IsolationServer server(misbehave, {});
    check_still_serves(server);
    for (const Case& expected : {
             Case{"throw", TaskStatus::failed, "thrown on purpose"},
             Case{"segfault", TaskStatus::crashed, "killed by signal 11 (Segmentation fault)"},
             Case{"abort", TaskStatus::crashed, "killed by signal 6 (Aborted)"},
             Case{"exit", TaskStatus::crashed, "it ended its process with exit code 7"},
         }) {
        CAPTURE(expected.how);
        const TaskResult result = run(server, expected.how);
        CHECK(result.status == expected.status);
        CHECK(result.message == expected.message);
        check_still_serves(server);
    }
    CHECK(run(server, "large").payload == Bytes(3 * mib, std::byte{5}));
}

TEST_CASE("A task that passes its time limit is ended there") {
    IsolationServer server(misbehave, {0.2, std::nullopt});
    const Stopwatch stopwatch;
    const TaskResult result = run(server, "loop");
    CHECK(result.status == TaskStatus::timeout);
    CHECK(result.message == "still running after 0.2 s");
    CHECK(stopwatch.seconds() >= 0.2);
    check_still_serves(server);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("A task that passes its memory limit fails by itself") {
    IsolationServer server(misbehave, {std::nullopt, 200 * mib});
    const TaskResult result = run(server, "memory");
    CHECK(result.status == TaskStatus::failed);
    CHECK(result.message == "out of memory (its limit is 200 MiB)");
    check_still_serves(server);
}
#endif

TEST_CASE("A server that is gone is no fault of the task and leaves the worker") {
    IsolationServer server(misbehave, {});
    CHECK_THROWS_AS(run(server, "kill server"), WorkerBroken);
    CHECK_THROWS_AS(run(server, "work"), WorkerBroken);
}
