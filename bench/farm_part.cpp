#include "bench/farm_part.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/farm/stopwatch.hpp"
#include "engine/farm/transport/serialization.hpp"
#include "engine/foundation/hash.hpp"

#include "app/cli/explain.hpp"

#include "bench/bench.hpp"
#include "bench/steady_work.hpp"

namespace schedfarm::bench {

namespace {

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
        default:
            return [](const engine::Bytes& /*payload*/) {
                return engine::Bytes(result_bytes);
            };
    }
}

FarmPartResult measure_steady(
    const engine::World& world, const engine::Workers& workers, const FarmPart& part
) {
    const engine::Stopwatch clock;
    SteadySettings settings;
    settings.wave_results = std::uint64_t{std::max(1U, part.ranks - 1)} * part.children;
    settings.warm_up_results = settings.wave_results;
    settings.seconds = part.seconds;
    settings.task_seconds = part.predicted_seconds;
    SteadyWork work(settings, [&] { return clock.seconds(); });
    run_master(world, work, workers, {});
    const SteadyWindow window = work.window();
    const auto results = static_cast<double>(std::max<std::uint64_t>(window.results, 1));
    return {
        results / window.seconds,
        window.cpu_seconds / results,
        window.cpu_seconds / window.seconds};
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
FarmPartResult measure_run(
    const engine::World& world,
    const engine::Workers& workers,
    const FarmPart& part,
    std::uint64_t count
) {
    FixedWork work(count, {{}, encode_number(part.iterations), part.predicted_seconds});
    const double before = process_cpu_seconds();
    const engine::FarmReport report = run_master(world, work, workers, {});
    const double cpu_seconds = process_cpu_seconds() - before;
    return {
        static_cast<double>(count) / report.wall_seconds,
        cpu_seconds / static_cast<double>(count),
        cpu_seconds / report.wall_seconds};
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(
    FarmPart, kind, ranks, children, task_seconds, predicted_seconds, seconds, iterations
)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(
    FarmPartResult, tasks_per_second, cpu_seconds_per_task, cpu_share
)

std::string to_text(const FarmPart& part) {
    return nlohmann::json(part).dump();
}

FarmPart farm_part_of(const std::string& text) {
    return nlohmann::json::parse(text).get<FarmPart>();
}

std::string to_text(const FarmPartResult& result) {
    return nlohmann::json(result).dump();
}

FarmPartResult farm_part_result_of(const std::string& text) {
    return nlohmann::json::parse(text).get<FarmPartResult>();
}

FarmPartResult run_farm_part(const FarmPart& part) {
    if (part.kind == FarmPartKind::alone) {
        return measure_alone(part);
    }
    engine::WorkerServer server(part.children, task_of(part), {});
    const engine::World world(engine::look_for_launcher());
    try {
        if (!world.is_master()) {
            run_worker(world, server);
            return {};
        }
        const engine::Workers workers{&server, {}};
        const std::uint32_t count = std::max(1U, part.ranks - 1) * part.children;
        switch (part.kind) {
            case FarmPartKind::idle:
                return measure_run(world, workers, part, 1);
            case FarmPartKind::busy:
                return measure_run(
                    world,
                    workers,
                    part,
                    static_cast<std::uint64_t>(count * part.seconds / part.task_seconds)
                );
            default:
                return measure_steady(world, workers, part);
        }
    } catch (...) {
        world.abort(static_cast<int>(app::explain_current_exception()));
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

}  // namespace schedfarm::bench
