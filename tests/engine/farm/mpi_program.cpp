// A small farm of its own, started by the MPI tests under mpirun:
//   mpi_program <scene> [argument [children of each rank, or of this process alone]]
// Every scene ends with exit code 0 when what it checks holds, and prints what it measured.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/farm/farm.hpp"
#include "engine/farm/journal/journal.hpp"
#include "engine/farm/stopwatch.hpp"
#include "engine/foundation/hash.hpp"

#include "tests/engine/farm/numbers.hpp"

namespace schedfarm::tests {

namespace {

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace): a test of this
                                    // namespace

constexpr int exit_wrong = 1;
constexpr int exit_abort = 4;

constexpr std::uint64_t task_count = 300;

/// A hash of the number after 1 ms or so of work; some numbers fail.
Bytes hash_task(const Bytes& payload) {
    const std::uint64_t number = decode_number(payload);
    if (number % 97 == 5) {
        throw std::runtime_error(fmt::format("number {} is not liked", number));
    }
    std::uint64_t hash = number;
    for (int i = 0; i < 20000 + static_cast<int>(number % 7) * 20000; ++i) {
        hash = mix(hash + 1);
    }
    return encode_number(hash);
}

double processor_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void sleep_seconds(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

/// Where a scene is played.
struct Stage {
    const World& world;
    Workers workers;
    std::uint32_t children;  ///< of each rank

    std::uint32_t size() const {
        return world.size() > 1 ? 1 + (world.size() - 1) * children
                                : 1 + (workers.server == nullptr ? 0 : children);
    }
};

/// The master's part of a scene, with what the report must say in any scene.
FarmReport run(const Stage& stage, Numbers& numbers, const FarmOptions& options = {}) {
    const std::size_t before = numbers.results.size();
    FarmReport report = run_master(stage.world, numbers, stage.workers, options);
    std::uint64_t tasks = 0;
    double accounted_seconds = 0;
    for (const RankOverhead& rank : report.ranks) {
        tasks += rank.tasks;
        accounted_seconds = std::max(
            accounted_seconds,
            rank.busy_seconds + rank.idle_seconds + rank.dispatch_seconds + rank.io_seconds
        );
        if (rank.rank != static_cast<std::uint32_t>(&rank - report.ranks.data())
            || rank.host.empty()) {
            throw std::logic_error("a rank is not accounted for");
        }
    }
    if (tasks != numbers.results.size() - before || report.ranks.size() != stage.size()
        || accounted_seconds > 1.01 * report.wall_seconds + 0.01) {
        throw std::logic_error("the overheads do not add up");
    }
    return report;
}

int hash_scene(const Stage& stage, const std::string& /*argument*/) {
    Numbers numbers(task_count);
    const FarmReport report = run(stage, numbers);
    for (const auto& [number, result] : numbers.results) {
        const RankOverhead& executor = report.ranks.at(result.rank);
        if (executor.tasks == 0 || result.seconds > executor.busy_seconds) {
            throw std::logic_error("a result of a rank that has not computed it");
        }
    }
    fmt::print(
        "digest {:016x} failed {} ranks {}\n",
        digest(numbers.results),
        failures(numbers),
        report.ranks.size()
    );
    return numbers.finished() && !report.interrupted ? 0 : exit_wrong;
}

/// Orders and results far beyond what MPI sends eagerly, many under way at once.
Bytes large_task(const Bytes& payload) {
    return encode_number(mix(decode_number(payload)), std::size_t{3} << 20);
}

int large_scene(const Stage& stage, const std::string& /*argument*/) {
    Numbers numbers(60);
    numbers.padding = std::size_t{1} << 20;
    numbers.predicted_seconds = 0.01;
    run(stage, numbers);
    for (const auto& [number, result] : numbers.results) {
        if (decode_number(result.payload) != mix(number)
            || result.payload.size() != (std::size_t{3} << 20) + 8) {
            return exit_wrong;
        }
    }
    return numbers.finished() ? 0 : exit_wrong;
}

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
std::uint64_t killer = task_count;
pid_t victim = 0;  ///< 0: the worker that executes the task
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

Bytes deadly_task(const Bytes& payload) {
    if (decode_number(payload) == killer) {
        ::kill(victim == 0 ? ::getpid() : victim, SIGKILL);
    }
    return hash_task(payload);
}

/// Runs with a journal, which is gone on from when it is there.
int journal_run(
    const Stage& stage, const std::string& path, const std::function<void()>& on_result
) {
    Numbers numbers(task_count);
    if (std::filesystem::exists(path)) {
        const JournalContent content = read_journal(path);
        for (const TaskResult& result : content.results) {
            numbers.results.emplace(result.id.value, result);
        }
        numbers.journal = Journal::reopen(path, content);
    } else {
        numbers.journal = Journal::create(path, {});
    }
    numbers.on_result = on_result;
    run(stage, numbers, {.on_tick = [&] { numbers.journal->sync(); }, .should_drain = {}});
    fmt::print("digest {:016x} failed {}\n", digest(numbers.results), failures(numbers));
    return 0;
}

int journal_scene(const Stage& stage, const std::string& path) {
    return journal_run(stage, path, {});
}

int master_dies_scene(const Stage& stage, const std::string& path) {
    int left = 100;
    return journal_run(stage, path, [&] {
        if (--left == 0) {
            std::raise(SIGKILL);
        }
    });
}

/// The journal finds no more room while all workers are busy.
int full_disk_scene(const Stage& stage, const std::string& path) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4000, 4000};
    setrlimit(RLIMIT_FSIZE, &limit);
    return journal_run(stage, path, {});
}

/// Ranks are taken for lost after so long.
constexpr double short_silence_seconds = 2;

/// A rank is suspended that has tasks: a machine that was cut off says as little. Others do its
/// tasks. The argument is a file: whoever creates it strikes.
int silent_rank_scene(const Stage& stage, const std::string& /*argument*/) {
    Numbers numbers(task_count);
    FarmOptions options;
    options.silence_seconds = short_silence_seconds;
    options.on_lost = [](const LostWorker& lost) {
        fmt::print("lost {} with {} of its tasks\n", lost.first_rank, lost.tasks > 0);
    };
    const FarmReport report = run(stage, numbers, options);
    fmt::print("digest {:016x} failed {}\n", digest(numbers.results), failures(numbers));
    World::leave(report.has_lost_ranks && numbers.finished() ? 0 : exit_wrong);
}

/// The master is suspended: the ranks end by themselves.
int silent_master_scene(const Stage& stage, const std::string& /*argument*/) {
    Numbers numbers(task_count);
    int left = 100;
    numbers.on_result = [&] {
        if (--left == 0) {
            std::raise(SIGSTOP);
        }
    };
    run(stage, numbers);
    return exit_wrong;
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::string struck_file;

Bytes silencing_task(const Bytes& payload) {
    if (decode_number(payload) == task_count / 2) {
        const int file = ::open(struck_file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
        if (file >= 0) {
            ::kill(victim, SIGSTOP);
        }
    }
    return hash_task(payload);
}

int uncaught_scene(const Stage& stage, const std::string& /*argument*/) {
    Numbers numbers(task_count);
    numbers.on_result = [] {
        throw 17;
    };
    run(stage, numbers);
    return 0;
}

int drain_scene(const Stage& stage, const std::string& /*argument*/) {
    Numbers numbers(task_count);
    FarmOptions options;
    options.should_drain = [&] {
        return numbers.results.size() >= 20;
    };
    const FarmReport report = run(stage, numbers, options);
    fmt::print("{} results\n", numbers.results.size());
    // Each worker had at most one task in work and one ahead; the drain is seen at the next turn.
    const bool few =
        numbers.results.size() >= 20 && numbers.results.size() <= 21 + 2 * stage.size();
    return report.interrupted && few ? 0 : exit_wrong;
}

Bytes sleep_task(const Bytes& /*payload*/) {
    sleep_seconds(3);
    return {};
}

/// One task for all: the master and the other workers wait 3 s. Prints the processor time that this
/// cost the master.
int idle_scene(const Stage& stage, const std::string& /*argument*/) {
    Numbers numbers(1);
    const double before = processor_seconds();
    int ticks = 0;
    const FarmReport report =
        run(stage, numbers, {.on_tick = [&] { ++ticks; }, .should_drain = {}});
    const double share = (processor_seconds() - before) / report.wall_seconds;
    fmt::print("master: {:.4f} of a core while waiting, {} ticks\n", share, ticks);
    return share < 0.05 && ticks > 10 ? 0 : exit_wrong;
}

Bytes ten_millisecond_task(const Bytes& /*payload*/) {
    const Stopwatch stopwatch;
    while (stopwatch.seconds() < 0.01) {
    }
    return {};
}

/// Prints how many 10 ms tasks, or empty ones, go through per second. Argument: the kind and
/// whether the length is predicted, as in "busy", "busy_predicted", "empty", "empty_predicted".
int rate_scene(const Stage& stage, const std::string& kind) {
    const bool empty = kind.rfind("empty", 0) == 0;
    Numbers numbers(empty ? 200000 : 800);
    if (kind.find("predicted") != std::string::npos) {
        numbers.predicted_seconds = empty ? 1e-6 : 0.01;
    }
    const double before = processor_seconds();
    const FarmReport report = run(stage, numbers);
    fmt::print(
        "{}: {:.0f} tasks/s, master {:.3f} of a core\n",
        kind,
        static_cast<double>(numbers.count) / report.wall_seconds,
        (processor_seconds() - before) / report.wall_seconds
    );
    return 0;
}

struct Scene {
    int (*master)(const Stage&, const std::string&);
    Bytes (*task)(const Bytes&);
};

const std::map<std::string, Scene>& scenes() {
    static const std::map<std::string, Scene> all{
        {"hash", {hash_scene, hash_task}},
        {"large", {large_scene, large_task}},
        {"journal", {journal_scene, deadly_task}},
        {"worker_dies", {journal_scene, deadly_task}},
        {"rank_dies", {journal_scene, deadly_task}},
        {"master_dies", {master_dies_scene, deadly_task}},
        {"full_disk", {full_disk_scene, deadly_task}},
        {"silent_rank", {silent_rank_scene, silencing_task}},
        {"silent_master", {silent_master_scene, hash_task}},
        {"uncaught", {uncaught_scene, hash_task}},
        {"drain", {drain_scene, hash_task}},
        {"broadcast", {nullptr, hash_task}},
        {"idle", {idle_scene, sleep_task}},
        {"busy", {rate_scene, ten_millisecond_task}},
        {"empty",
         {rate_scene,
          [](const Bytes& payload) {
              return payload;
          }}},
    };
    return all;
}

/// Every rank gets the master's bytes, which are too many for one message.
int broadcast_scene(const World& world) {
    Bytes bytes;
    if (world.is_master()) {
        bytes = Bytes((std::size_t{64} << 20) + 12345);
        for (std::size_t i = 0; i < bytes.size(); i += 1000) {
            bytes[i] = static_cast<std::byte>(mix(i));
        }
    }
    bytes = world.broadcast(std::move(bytes));
    bool same = bytes.size() == (std::size_t{64} << 20) + 12345;
    for (std::size_t i = 0; same && i < bytes.size(); i += 1000) {
        same = bytes[i] == static_cast<std::byte>(mix(i));
    }
    const bool empty_stays_empty = world.broadcast({}).empty();
    return same && empty_stays_empty ? 0 : exit_wrong;
}

int play(const Stage& stage, const std::string& name, const std::string& argument) {
    if (name == "broadcast") {
        return broadcast_scene(stage.world);
    }
    if (!stage.world.is_master()) {
        const bool is_short = name.starts_with("silent");
        run_worker(
            stage.world,
            *stage.workers.server,
            nullptr,
            is_short ? short_silence_seconds : longest_silence_seconds
        );
        return 0;
    }
    return scenes().at(name).master(stage, argument);
}

}  // namespace

}  // namespace schedfarm::tests

int main(int argc, char** argv) {
    using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace)
    namespace tests = schedfarm::tests;
    const std::string name = argc > 1 ? argv[1] : "hash";
    const std::string argument = argc > 2 ? argv[2] : "";
    const auto children = static_cast<std::uint32_t>(argc > 3 ? std::stoi(argv[3]) : 1);
    if (name == "worker_dies" || name == "rank_dies") {
        tests::killer = 150;
        tests::victim = name == "rank_dies" ? ::getpid() : 0;
    }
    if (name == "silent_rank") {
        tests::victim = ::getpid();
        tests::struck_file = argument;
    }
    const TaskFunction task = tests::scenes().at(name).task;
    const Launched launched = look_for_launcher();
    std::optional<WorkerServer> server;
    if (launched.is_rank || argc > 3) {
        server.emplace(children, task, TaskLimits());
    }
    try {
        const World world(launched);
        try {
            return tests::play(
                {world, {server ? &*server : nullptr, task}, children}, name, argument
            );
        } catch (const std::exception& error) {
            std::fprintf(stderr, "rank %u: %s\n", world.rank(), error.what());
            world.abort(tests::exit_abort);
        }
    } catch (int /*thrown by the scene 'uncaught'*/) {
        return 0;
    }
}
