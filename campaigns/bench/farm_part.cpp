#include "campaigns/bench/farm_part.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "engine/farm/master_loop.hpp"
#include "engine/farm/mpi_crowd.hpp"
#include "engine/farm/serialization.hpp"
#include "engine/farm/stopwatch.hpp"
#include "engine/foundation/hash.hpp"

#include "campaigns/bench/bench.hpp"
#include "campaigns/bench/steady_work.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr std::array kind_names{"dispatch", "crowd", "busy", "alone", "idle", "sleeping"};
constexpr std::size_t result_bytes = 1024;

std::uint64_t compute(std::uint64_t iterations) {
    std::uint64_t value = iterations;
    for (std::uint64_t i = 0; i < iterations; ++i) {
        value = engine::mix(value + i);
    }
    return value;
}

engine::Bytes encode_number(std::uint64_t number) {
    engine::ByteWriter writer;
    writer.u64(number);
    return writer.take();
}

engine::TaskFunction sleep_for(double seconds) {
    return [seconds](const engine::Bytes& /*payload*/) {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        return engine::Bytes();
    };
}

engine::TaskFunction task_of(const FarmPart& part) {
    switch (part.kind) {
        case FarmPartKind::busy:
            return [](const engine::Bytes& payload) {
                return encode_number(compute(engine::ByteReader(payload).u64()));
            };
        case FarmPartKind::idle:
            return sleep_for(part.seconds);
        case FarmPartKind::sleeping:
            return sleep_for(part.task_seconds);
        default:
            return [](const engine::Bytes& /*payload*/) {
                return engine::Bytes(result_bytes);
            };
    }
}

FarmPartResult result_of(const SteadyWindow& window) {
    const auto results = static_cast<double>(std::max<std::uint64_t>(window.results, 1));
    return {
        results / window.seconds,
        window.cpu_seconds / results,
        window.cpu_seconds / window.seconds,
        peak_memory_mib(),
        window.busy_seconds / window.seconds};
}

FarmPartResult measure_steady(const engine::World& world, const FarmPart& part) {
    const std::uint32_t workers = (part.ranks - 1) * part.per_rank;
    SteadySettings settings;
    settings.warm_up_results = settings.wave_results = workers;
    settings.seconds = part.seconds;
    settings.task_seconds = part.predicted_seconds;
    settings.payload = encode_number(part.iterations);
    const engine::Stopwatch clock;
    SteadyWork work(settings, [&] { return clock.seconds(); });
    if (part.kind == FarmPartKind::crowd) {
        engine::MpiCrowdTransport transport(part.ranks - 1, part.per_rank);
        run_on(transport, work, {}, {});
    } else {
        engine::FarmOptions options;
        options.levels = engine::Levels::one;
        run_master(world, work, task_of(part), options);
    }
    return result_of(work.window());
}

FarmPartResult measure_alone(const FarmPart& part) {
    const engine::Stopwatch clock;
    std::uint64_t tasks = 0;
    std::uint64_t sum = 0;
    while (clock.seconds() < part.seconds) {
        sum += compute(part.iterations) | 1U;
        ++tasks;
    }
    FarmPartResult result;
    // The sum is never 0; it keeps the computation.
    result.tasks_per_second = sum == 0 ? 0 : static_cast<double>(tasks) / clock.seconds();
    return result;
}

/// So many equal tasks.
class FixedWork final : public engine::WorkSource {
  public:
    FixedWork(std::uint64_t count, engine::Task task) : count_(count), task_(std::move(task)) {}

    std::optional<engine::Task> next_task() override {
        if (given_ == count_) {
            return std::nullopt;
        }
        task_.id.value = given_++;
        return task_;
    }
    void accept(const engine::TaskResult& /*result*/) override { ++accepted_; }
    bool finished() const override { return accepted_ == count_; }
    std::optional<std::uint64_t> tasks_ready() const override { return count_ - given_; }

  private:
    std::uint64_t count_;
    engine::Task task_;
    std::uint64_t given_ = 0;
    std::uint64_t accepted_ = 0;
};

/// A whole run, from the first hello to the last order to stop.
FarmPartResult measure_run(const engine::World& world, const FarmPart& part, std::uint64_t count) {
    FixedWork work(count, {{}, encode_number(part.iterations), part.predicted_seconds});
    const double before = process_cpu_seconds();
    const engine::FarmReport report = run_master(world, work, task_of(part), {});
    const double cpu_seconds = process_cpu_seconds() - before;
    return {
        static_cast<double>(count) / report.wall_seconds,
        cpu_seconds / static_cast<double>(count),
        cpu_seconds / report.wall_seconds,
        peak_memory_mib(),
        static_cast<double>(count) * part.task_seconds / report.wall_seconds};
}

}  // namespace

std::string to_text(const FarmPart& part) {
    return fmt::format(
        "{} {} {} {} {} {} {}",
        kind_names.at(static_cast<std::size_t>(part.kind)),
        part.ranks,
        part.per_rank,
        part.task_seconds,
        part.predicted_seconds,
        part.seconds,
        part.iterations
    );
}

FarmPart farm_part_of(const std::string& text) {
    std::istringstream words(text);
    std::string kind;
    FarmPart part;
    words >> kind >> part.ranks >> part.per_rank >> part.task_seconds >> part.predicted_seconds
        >> part.seconds >> part.iterations;
    const auto found = std::find(kind_names.begin(), kind_names.end(), kind);
    if (!words || found == kind_names.end()) {
        throw std::invalid_argument("'" + text + "' is no part of the farm's benchmark");
    }
    part.kind = static_cast<FarmPartKind>(found - kind_names.begin());
    return part;
}

std::string to_text(const FarmPartResult& result) {
    return fmt::format(
        "{} {} {} {} {}",
        result.tasks_per_second,
        result.cpu_seconds_per_task,
        result.cpu_share,
        result.memory_mib,
        result.busy_workers
    );
}

FarmPartResult farm_part_result_of(const std::string& text) {
    std::istringstream words(text);
    FarmPartResult result;
    words >> result.tasks_per_second >> result.cpu_seconds_per_task >> result.cpu_share
        >> result.memory_mib >> result.busy_workers;
    if (!words) {
        throw std::invalid_argument("'" + text + "' is no result of the farm's benchmark");
    }
    return result;
}

FarmPartResult run_farm_part(const engine::World& world, const FarmPart& part) {
    if (part.kind == FarmPartKind::alone) {
        return measure_alone(part);
    }
    if (!world.is_master()) {
        if (part.kind == FarmPartKind::crowd) {
            engine::impersonate_workers(part.per_rank, [&](const engine::Task& /*task*/) {
                return part.task_seconds;
            });
        } else {
            run_worker(world, task_of(part));
        }
        return {};
    }
    switch (part.kind) {
        case FarmPartKind::idle:
            return measure_run(world, part, 1);
        case FarmPartKind::busy:
            return measure_run(
                world,
                part,
                static_cast<std::uint64_t>((part.ranks - 1) * part.seconds / part.task_seconds)
            );
        default:
            return measure_steady(world, part);
    }
}

std::uint64_t iterations_of(double task_seconds) {
    std::uint64_t iterations = 1000;
    while (true) {
        const engine::Stopwatch stopwatch;
        const bool is_odd = compute(iterations) % 2 == 1;
        const double seconds = stopwatch.seconds() + (is_odd ? 1e-12 : 0);
        if (seconds > 0.1) {
            return static_cast<std::uint64_t>(
                static_cast<double>(iterations) * task_seconds / seconds
            );
        }
        iterations *= 2;
    }
}

}  // namespace schedfarm::campaigns
