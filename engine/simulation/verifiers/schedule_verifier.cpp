#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/simulation/placement.hpp"
#include "engine/simulation/submitted_request.hpp"

namespace schedfarm::engine {

namespace {

// Relative to the time, per stretch of service: a few roundings of a difference of times.
constexpr double tolerance = 1e-12;

// Keeps the schedule once more, from the steps alone.
class MachineVerifier final : public ScheduleVerifier {
  public:
    explicit MachineVerifier(const SystemDescription& system);

    void observe(const ScheduleStep& step) override;
    void end_of_instant(double time) override;
    void finish() override;

  private:
    enum class Phase : std::uint8_t { absent, off_machine, loading, loaded, running };

    struct Way {
        Phase phase = Phase::absent;
        std::uint64_t index = 0;
        double required = 0;
        double received = 0;
        double since = 0;
        double load_duration = 0;
        std::uint32_t stretches = 0;
        bool has_started = false;
        std::vector<std::uint32_t> counts;  // processors held, by cluster
        std::vector<ProcessorRange> processors;
        std::vector<ProcessorRange> bound;                     // where it may run; empty: anywhere
        std::vector<std::pair<std::uint32_t, double>> memory;  // by processor

        bool may_run_on(std::uint32_t processor) const {
            return bound.empty()
                   || std::any_of(bound.begin(), bound.end(), [processor](const auto& range) {
                          return processor >= range.first.value
                                 && processor - range.first.value < range.count;
                      });
        }
    };

    [[noreturn]] void fail(const ScheduleStep& step, const std::string& what) const;
    void expect(bool holds, const ScheduleStep& step, const char* what) const {
        if (!holds) {
            fail(step, what);
        }
    }
    void expect_time(double time);
    Way& way_of(const ScheduleStep& step);
    std::uint32_t cluster_of(std::uint32_t processor) const;

    void arrive(const ScheduleStep& step, Way& way);
    void begin(const ScheduleStep& step, Way& way);
    void load(const ScheduleStep& step, Way& way);
    void occupy(const ScheduleStep& step, Way& way);
    void occupy_by_name(const ScheduleStep& step, Way& way);
    void check_request(const ScheduleStep& step, Way& way) const;
    void leave_machine(Way& way);
    void end_stretch(const ScheduleStep& step, Way& way);
    void complete(const ScheduleStep& step, Way& way);
    void set_memory(const ScheduleStep& step, Way& way);
    void change_capacity(const ScheduleStep& step);

    std::vector<std::uint32_t> capacity_;  // in order, by cluster
    std::vector<std::uint32_t> cluster_end_;
    std::vector<std::uint32_t> busy_;                  // by cluster
    std::vector<std::optional<std::uint32_t>> owner_;  // by processor: job slot
    std::vector<bool> out_of_order_;
    std::vector<double> resident_;  // by processor
    double memory_per_processor_;
    bool cuts_jobs_;            // on processors that go out of order
    bool has_changed_ = false;  // its capacity
    std::vector<Way> ways_;     // by job slot
    double last_time_ = 0;
};

MachineVerifier::MachineVerifier(const SystemDescription& system)
    : capacity_(system.clusters)
    , busy_(system.clusters.size(), 0)
    , owner_(system.processors())
    , out_of_order_(system.processors(), false)
    , resident_(system.processors(), 0.0)
    , memory_per_processor_(system.memory_per_processor)
    , cuts_jobs_(system.outages.cut_jobs()) {
    std::uint32_t end = 0;
    for (const std::uint32_t count : system.clusters) {
        end += count;
        cluster_end_.push_back(end);
    }
}

void MachineVerifier::fail(const ScheduleStep& step, const std::string& what) const {
    const std::uint64_t index = step.job != nullptr ? step.job->index : 0;
    throw ScheduleError(fmt::format("job {} at time {}: {}", index, step.time, what));
}

void MachineVerifier::expect_time(double time) {
    if (time < last_time_) {
        throw ScheduleError(fmt::format("time goes back from {} to {}", last_time_, time));
    }
    last_time_ = time;
}

MachineVerifier::Way& MachineVerifier::way_of(const ScheduleStep& step) {
    if (step.id.value >= ways_.size()) {
        ways_.resize(step.id.value + std::size_t{1});
    }
    Way& way = ways_[step.id.value];
    if (step.kind != ScheduleStep::Kind::arrival) {
        expect(way.phase != Phase::absent, step, "it is not in the system");
        expect(step.job->index == way.index, step, "its slot belongs to another job");
    }
    return way;
}

std::uint32_t MachineVerifier::cluster_of(std::uint32_t processor) const {
    const auto end = std::upper_bound(cluster_end_.begin(), cluster_end_.end(), processor);
    return static_cast<std::uint32_t>(end - cluster_end_.begin());
}

void MachineVerifier::end_of_instant(double time) {
    expect_time(time);
    for (std::size_t p = 0; has_changed_ && cuts_jobs_ && p < owner_.size(); ++p) {
        if (owner_[p] && out_of_order_[p]) {
            throw ScheduleError(fmt::format(
                "job {} at time {}: it runs on processor {}, which is out of order and cuts jobs",
                ways_[*owner_[p]].index,
                time,
                p
            ));
        }
    }
}

void MachineVerifier::observe(const ScheduleStep& step) {
    expect_time(step.time);
    if (step.kind == ScheduleStep::Kind::capacity_changed) {
        change_capacity(step);
        return;
    }
    if (step.job == nullptr) {
        return;
    }
    Way& way = way_of(step);
    switch (step.kind) {
        case ScheduleStep::Kind::arrival:
            arrive(step, way);
            break;
        case ScheduleStep::Kind::start:
        case ScheduleStep::Kind::resume:
            begin(step, way);
            break;
        case ScheduleStep::Kind::suspend:
            expect(way.phase == Phase::running, step, "it was suspended and did not run");
            end_stretch(step, way);
            break;
        case ScheduleStep::Kind::delay:
            way.required += step.amount;
            break;
        case ScheduleStep::Kind::load:
            load(step, way);
            break;
        case ScheduleStep::Kind::load_cut:
            expect(
                way.phase == Phase::loading || way.phase == Phase::loaded,
                step,
                "its load was cut and it did not load"
            );
            leave_machine(way);
            break;
        case ScheduleStep::Kind::load_finished:
            expect(way.phase == Phase::loading, step, "its load ended and it did not load");
            expect(
                std::abs(step.time - way.since - way.load_duration) <= tolerance * (1 + step.time),
                step,
                "its load took another time than planned"
            );
            way.phase = Phase::loaded;
            break;
        case ScheduleStep::Kind::completion:
            complete(step, way);
            break;
        case ScheduleStep::Kind::resident_memory:
            set_memory(step, way);
            break;
        case ScheduleStep::Kind::withdrawal:
            if (step.timer.owner == 0) {  // from the machine, and not to a policy within another
                expect(way.phase == Phase::off_machine, step, "it left and did not wait");
                way.phase = Phase::absent;
            }
            break;
        case ScheduleStep::Kind::promise:
            expect(!way.has_started, step, "it was promised a start and has started");
            break;
        case ScheduleStep::Kind::bind:
            expect(
                way.phase == Phase::off_machine, step, "it was bound while it was on processors"
            );
            way.bound.assign(step.processors.begin(), step.processors.end());
            break;
        case ScheduleStep::Kind::capacity_changed:
        case ScheduleStep::Kind::timer:
        case ScheduleStep::Kind::slice:
        case ScheduleStep::Kind::message:
            break;
    }
}

void MachineVerifier::arrive(const ScheduleStep& step, Way& way) {
    expect(way.phase == Phase::absent, step, "it arrived in a slot that is taken");
    way = Way{};
    way.phase = Phase::off_machine;
    way.index = step.job->index;
    way.required = step.job->service_time;
    way.counts.assign(capacity_.size(), 0);
}

void MachineVerifier::begin(const ScheduleStep& step, Way& way) {
    expect(step.time >= step.job->submit_time, step, "it started before it was submitted");
    expect(
        (step.kind == ScheduleStep::Kind::resume) == way.has_started,
        step,
        "it was started twice or resumed before it started"
    );
    if (way.phase == Phase::loaded) {
        expect(
            std::equal(
                way.processors.begin(),
                way.processors.end(),
                step.processors.begin(),
                step.processors.end()
            ),
            step,
            "it runs elsewhere than it was loaded"
        );
    } else {
        expect(way.phase == Phase::off_machine, step, "it started while it was on processors");
        occupy(step, way);
    }
    check_request(step, way);
    way.phase = Phase::running;
    way.since = step.time;
    way.has_started = true;
    ++way.stretches;
}

void MachineVerifier::load(const ScheduleStep& step, Way& way) {
    expect(way.phase == Phase::off_machine, step, "it was loaded while it was on processors");
    expect(step.time >= step.job->submit_time, step, "it was loaded before it was submitted");
    occupy(step, way);
    way.phase = Phase::loading;
    way.since = step.time;
    way.load_duration = step.amount;
}

void MachineVerifier::occupy(const ScheduleStep& step, Way& way) {
    if (step.processors.empty()) {
        expect(!has_changed_, step, "it is not told which processors it got, and some are out");
        for (const ClusterShare& share : step.shares) {
            expect(share.cluster.value < capacity_.size(), step, "a cluster does not exist");
            way.counts[share.cluster.value] += share.count;
        }
    } else {
        occupy_by_name(step, way);
    }
    for (std::size_t c = 0; c < capacity_.size(); ++c) {
        busy_[c] += way.counts[c];
        expect(
            way.counts[c] == 0 || busy_[c] <= capacity_[c],
            step,
            "more processors of a cluster are used than there are"
        );
    }
    expect(
        memory_per_processor_ == 0 || step.job->memory_per_processor <= memory_per_processor_,
        step,
        "it needs more memory per processor than there is"
    );
}

void MachineVerifier::occupy_by_name(const ScheduleStep& step, Way& way) {
    for (const ProcessorRange& range : step.processors) {
        for (std::uint32_t i = 0; i < range.count; ++i) {
            const std::uint32_t p = range.first.value + i;
            expect(p < owner_.size(), step, "a processor does not exist");
            expect(way.may_run_on(p), step, "it is bound to other processors");
            if (owner_[p]) {
                fail(
                    step, fmt::format("processor {} is held by job {}", p, ways_[*owner_[p]].index)
                );
            }
            expect(!out_of_order_[p], step, "a processor is out of order");
            owner_[p] = step.id.value;
            ++way.counts[cluster_of(p)];
        }
    }
    way.processors.assign(step.processors.begin(), step.processors.end());
}

// The number of processors decides the service of a moldable job; a rigid one gets what it asked.
void MachineVerifier::check_request(const ScheduleStep& step, Way& way) const {
    const Job& job = *step.job;
    std::uint32_t size = 0;
    for (const std::uint32_t count : way.counts) {
        size += count;
    }
    expect(
        job.moldable != nullptr || is_placed_as_requested(job, way.counts)
            || (may_have_fewer(job) && size >= 1 && size < job.size),
        step,
        "it is not placed as it was requested"
    );
    if (job.moldable != nullptr && !way.has_started) {
        const std::span<const double> times = job.moldable->times;
        expect(size >= 1 && size <= times.size(), step, "it cannot run on so many processors");
        way.required += times[size - 1] - job.service_time;
    }
}

void MachineVerifier::leave_machine(Way& way) {
    for (std::size_t c = 0; c < way.counts.size(); ++c) {
        busy_[c] -= way.counts[c];
        way.counts[c] = 0;
    }
    for (const ProcessorRange& range : way.processors) {
        for (std::uint32_t i = 0; i < range.count; ++i) {
            owner_[range.first.value + i].reset();
        }
    }
    way.processors.clear();
    way.phase = Phase::off_machine;
}

void MachineVerifier::end_stretch(const ScheduleStep& step, Way& way) {
    way.received += step.time - way.since;
    leave_machine(way);
}

void MachineVerifier::complete(const ScheduleStep& step, Way& way) {
    expect(way.phase == Phase::running, step, "it completed and did not run");
    end_stretch(step, way);
    const double allowed = tolerance * (1 + step.time) * (1 + way.stretches);
    if (!step.is_cut && std::isfinite(way.required)
        && std::abs(way.received - way.required) > allowed) {
        fail(
            step,
            fmt::format("it received the service {} and requires {}", way.received, way.required)
        );
    }
    for (const auto& [processor, amount] : way.memory) {
        resident_[processor] -= amount;
    }
    way.memory.clear();
    way.phase = Phase::absent;
}

void MachineVerifier::set_memory(const ScheduleStep& step, Way& way) {
    for (const ProcessorRange& range : step.processors) {
        for (std::uint32_t i = 0; i < range.count; ++i) {
            const std::uint32_t p = range.first.value + i;
            expect(p < resident_.size(), step, "memory of a processor that does not exist");
            const auto old =
                std::find_if(way.memory.begin(), way.memory.end(), [p](const auto& entry) {
                    return entry.first == p;
                });
            if (old != way.memory.end()) {
                resident_[p] -= old->second;
                way.memory.erase(old);
            }
            resident_[p] += step.amount;
            way.memory.emplace_back(p, step.amount);
            expect(
                resident_[p] <= memory_per_processor_ * (1 + tolerance),
                step,
                "the memory of a processor is exceeded"
            );
        }
    }
}

void MachineVerifier::change_capacity(const ScheduleStep& step) {
    const bool down = step.change->kind == CapacityChange::Kind::down;
    for (std::uint32_t i = 0; i < step.change->count; ++i) {
        const std::uint32_t p = step.change->first_processor + i;
        expect(out_of_order_[p] != down, step, "a processor left or came back twice");
        out_of_order_[p] = down;
    }
    has_changed_ = true;
}

void MachineVerifier::finish() {
    for (const Way& way : ways_) {
        if (way.phase != Phase::absent) {
            throw ScheduleError(fmt::format(
                "job {} never completed: the schedule ends at time {}", way.index, last_time_
            ));
        }
    }
}

}  // namespace

std::unique_ptr<ScheduleVerifier> make_machine_verifier(const SystemDescription& system) {
    return std::make_unique<MachineVerifier>(system);
}

}  // namespace schedfarm::engine
