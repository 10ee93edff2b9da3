// Tasks that misbehave in every way, each in a child of a real server: what they cost.
#include "engine/farm/processes/worker_server.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/farm/stopwatch.hpp"
#include "engine/farm/transport/serialization.hpp"
#include "engine/farm/transport/socket_transport.hpp"

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
        std::this_thread::sleep_for(std::chrono::seconds(60));  // nobody gets to its end
    } else if (how == "large") {
        return Bytes(3 * mib, std::byte{5});
    }
    return text_bytes("done " + how);
}

/// An owner with so many workers.
class Owner {
  public:
    explicit Owner(
        const TaskExecutor& execute, const TaskLimits& limits = {}, std::uint32_t workers = 1
    )
        : server_(workers, execute, limits), transport_(server_, 1) {}

    void give(std::uint32_t worker, const std::vector<std::string>& hows) {
        Order order{OrderKind::work, {}};
        for (const std::string& how : hows) {
            order.tasks.push_back({TaskId{next_++}, text_bytes(how), 0.001});
        }
        transport_.send(worker, order);
    }

    /// The next so many results, by task.
    std::map<std::uint64_t, TaskResult> take(std::size_t count) {
        std::map<std::uint64_t, TaskResult> results;
        while (results.size() < count) {
            if (const auto received = transport_.receive(1)) {
                for (const TaskResult& result : received->report.results) {
                    CHECK(result.rank == received->worker + 1);
                    CHECK(results.emplace(result.id.value, result).second);
                }
            }
        }
        return results;
    }

    TaskResult run(const std::string& how) {
        give(0, {how});
        return take(1).begin()->second;
    }

    void check_still_serves() {
        const TaskResult result = run("work");
        CHECK(result.status == TaskStatus::done);
        CHECK(text_of(result.payload) == "done work");
    }

  private:
    WorkerServer server_;
    ChildrenTransport transport_;
    std::uint64_t next_ = 0;
};

}  // namespace

TEST_CASE("A task that crashes or throws costs nothing but itself") {
    struct Case {
        std::string how;
        TaskStatus status;
        std::string message;
    };
    Owner owner(misbehave);
    owner.check_still_serves();
    for (const Case& expected : {
             Case{"throw", TaskStatus::failed, "thrown on purpose"},
             Case{"segfault", TaskStatus::crashed, "killed by signal 11 (Segmentation fault)"},
             Case{"abort", TaskStatus::crashed, "killed by signal 6 (Aborted)"},
             Case{"exit", TaskStatus::crashed, "it ended its process with exit code 7"},
         }) {
        CAPTURE(expected.how);
        const TaskResult result = owner.run(expected.how);
        CHECK(result.status == expected.status);
        CHECK(result.message == expected.message);
        owner.check_still_serves();
    }
    CHECK(owner.run("large").payload == Bytes(3 * mib, std::byte{5}));
}

TEST_CASE("Workers are kept from task to task") {
    Owner owner([](const Bytes& /*payload*/) { return text_bytes(std::to_string(::getpid())); });
    const std::string process = text_of(owner.run("").payload);
    CHECK(process != std::to_string(::getpid()));
    CHECK(text_of(owner.run("").payload) == process);
}

TEST_CASE("A task that passes its time limit is ended there") {
    Owner owner(misbehave, {0.2, std::nullopt});
    const Stopwatch stopwatch;
    const TaskResult result = owner.run("loop");
    CHECK(result.status == TaskStatus::timeout);
    CHECK(result.message == "still running after 0.2 s");
    CHECK(stopwatch.seconds() >= 0.2);
    CHECK(result.seconds >= 0.2);
    owner.check_still_serves();
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("A task that passes its memory limit fails by itself, and again") {
    Owner owner(misbehave, {std::nullopt, 200 * mib});
    for (int i = 0; i < 3; ++i) {
        const TaskResult result = owner.run("memory");
        CHECK(result.status == TaskStatus::failed);
        CHECK(result.message == "out of memory (its limit is 200 MiB)");
        owner.check_still_serves();
    }
}
#endif

// The bundle's other tasks are executed by the worker that comes in the place of the dead one, and
// those of another worker where they were.
TEST_CASE("The rest of a bundle with a crash is executed, and what other workers have") {
    Owner owner(misbehave, {}, 2);
    owner.give(0, {"a", "segfault", "b", "throw", "abort", "c"});  // tasks 0 to 5
    owner.give(1, {"d", "exit", "e"});                             // 6 to 8
    const auto results = owner.take(9);
    for (const auto& [task, how] :
         std::map<std::uint64_t, std::string>{{0, "a"}, {2, "b"}, {5, "c"}, {6, "d"}, {8, "e"}}) {
        CHECK(results.at(task).status == TaskStatus::done);
        CHECK(text_of(results.at(task).payload) == "done " + how);
    }
    CHECK(results.at(1).message == "killed by signal 11 (Segmentation fault)");
    CHECK(results.at(3).message == "thrown on purpose");
    CHECK(results.at(4).message == "killed by signal 6 (Aborted)");
    CHECK(results.at(7).message == "it ended its process with exit code 7");
}

// Results travel together, so that a worker has some when it dies; a large one is sent at once.
TEST_CASE("What a worker had done when it died is not executed again") {
    void* const shared =
        ::mmap(nullptr, sizeof(int) * 7, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(shared != MAP_FAILED);
    auto* const executed = static_cast<std::atomic<int>*>(shared);
    Owner owner([executed](const Bytes& payload) {
        const std::string how = text_of(payload);
        ++executed[how == "segfault" ? 0 : how == "large" ? 1 : std::stoi(how)];
        return misbehave(payload);
    });
    owner.give(0, {"2", "3", "large", "4", "segfault", "5", "6"});
    const auto results = owner.take(7);
    CHECK(text_of(results.at(0).payload) == "done 2");
    CHECK(text_of(results.at(3).payload) == "done 4");
    CHECK(results.at(2).payload.size() == 3 * mib);
    CHECK(results.at(4).status == TaskStatus::crashed);
    for (int i = 0; i < 7; ++i) {
        CAPTURE(i);
        CHECK(executed[i] == 1);
    }
    ::munmap(shared, sizeof(int) * 7);
}

// Of eight tasks that are executed together one kills the process: it is found by executing them
// one by one, and the others are given no blame.
TEST_CASE("Of tasks that are executed together only the one that crashes is blamed") {
    const auto together = [](std::span<const Task> tasks) {
        std::vector<Bytes> payloads;
        for (const Task& task : tasks.first(std::min(tasks.size(), most_together))) {
            payloads.push_back(misbehave(task.payload));
        }
        return payloads;
    };
    Owner owner({misbehave, together});
    owner.give(0, {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "segfault", "11"});
    const auto results = owner.take(12);
    for (const auto& [task, result] : results) {
        CAPTURE(task);
        CHECK((result.status == TaskStatus::done) == (task != 10));
    }
    CHECK(results.at(10).message == "killed by signal 11 (Segmentation fault)");
}

TEST_CASE("A server that is killed ends its workers and is no fault of the task") {
    Owner owner(misbehave);
    CHECK_THROWS_WITH_AS(
        owner.run("kill server"), doctest::Contains("keeps the workers is gone"), std::runtime_error
    );
}

TEST_CASE("Workers that die before they do anything are replaced, but not for ever") {
    WorkerServer server(1, misbehave, {});
    ChildrenTransport transport(server, 1);
    const auto only_child_of = [](pid_t process) {
        const std::string id = std::to_string(process);
        pid_t child = 0;
        std::ifstream("/proc/" + id + "/task/" + id + "/children") >> child;
        return child;
    };
    const pid_t keeper = only_child_of(::getpid());
    int kills = 0;
    const auto kill_one_after_another = [&] {
        for (pid_t last = 0; kills < 20; ++kills) {
            pid_t worker = only_child_of(keeper);
            while (worker == last || worker == 0) {
                transport.receive(0.01);
                worker = only_child_of(keeper);
            }
            ::kill(worker, SIGKILL);
            last = worker;
        }
    };
    CHECK_THROWS_WITH_AS(
        kill_one_after_another(),
        doctest::Contains("6 workers in a row have died before they executed anything"),
        std::runtime_error
    );
    CHECK(kills >= 6);
}

TEST_CASE("A worker that can execute nothing more says so to its owner") {
    Owner owner([](const Bytes& /*payload*/) -> Bytes { throw WorkerBroken("the log is gone"); });
    CHECK_THROWS_WITH_AS(owner.run("work"), "the log is gone", WorkerBroken);
}

TEST_CASE("Server and workers are gone when their owner is") {
    std::string process;
    {
        Owner owner([](const Bytes& /*payload*/) { return text_bytes(std::to_string(::getpid())); }
        );
        process = text_of(owner.run("").payload);
        CHECK(std::filesystem::exists("/proc/" + process));
        owner.give(0, {""});
    }
    CHECK_FALSE(std::filesystem::exists("/proc/" + process));
}
