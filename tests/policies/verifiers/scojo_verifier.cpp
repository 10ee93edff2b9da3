#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/planning/processor_set.hpp"

#include "tests/policies/verifiers/own_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)
using Kind = ScheduleStep::Kind;

constexpr double scojo_tolerance = 1e-9;  // relative to the time, and to the memory

class ScojoVerifier final : public ScheduleVerifier {
  public:
    ScojoVerifier(const ScojoSettings& settings, const SystemDescription& system)
        : settings_(settings)
        , nodes_(system.processors())
        , checks_memory_(system.memory_per_processor > 0 && !settings.nodes.as_printed) {}

    void observe(const ScheduleStep& step) override {
        if (step.kind == Kind::slice && step.timer.owner == 0) {
            type_ = step.timer.tag;
            last_end_ = step.time;
            slice_end_ = step.amount;
            has_changed_ = true;
            return;
        }
        if (step.job == nullptr) {
            return;
        }
        known_.resize(std::max(known_.size(), step.id.value + std::size_t{1}));
        Known& job = known_[step.id.value];
        switch (step.kind) {
            case Kind::arrival:
                job = Known{};
                job.index = step.job->index;
                job.type = settings_.type_of(*step.job);
                job.resident.assign(checks_memory_ ? nodes_ : 0, 0.0);
                break;
            case Kind::load:
                take_nodes(step, job);
                if (checks_memory_) {
                    expect(
                        step.amount * settings_.load_rate >= missing(step, job) - slack(step),
                        step,
                        "is loaded in less time than it takes"
                    );
                }
                break;
            case Kind::start:
            case Kind::resume:
                take_nodes(step, job);
                expect(
                    !checks_memory_ || missing(step, job) <= slack(step),
                    step,
                    "runs and is not in memory"
                );
                break;
            case Kind::suspend:
            case Kind::load_cut:
                job.is_on = false;
                expect(
                    !job.is_transient || outlives_plan(*step.job),
                    step,
                    "started on nodes of its own type and is not done within the slice"
                );
                job.is_transient = false;
                break;
            case Kind::delay:
                job.charged += step.amount;
                break;
            case Kind::resident_memory:
                set_resident(step, job);
                break;
            case Kind::completion:
                job = Known{};
                break;
            default:
                break;
        }
    }

    void end_of_instant(double time) override {
        for (Known& job : known_) {
            if (job.displaced > job.charged * settings_.load_rate + scojo_tolerance * (1 + time)) {
                fail(time, job.index, "was displaced and not charged for it");
            }
            job.displaced = job.charged = 0;
            job.load_began = job.is_on ? job.load_began : -1;
            if (has_changed_ && job.has_started && job.type == type_ && !job.is_on
                && !job.has_outlived_plan) {
                fail(time, job.index, "does not go on in a slice of its type");
            }
        }
        has_changed_ = false;
    }

    void finish() override {}

  private:
    struct Known {
        std::uint64_t index = 0;
        std::size_t type = 0;
        ProcessorSet place{0};
        bool has_started = false;
        bool is_on = false;
        bool is_transient = false;
        bool has_outlived_plan = false;  ///< or one with whom it shares nodes
        double load_began = -1;
        std::vector<double> resident;  ///< by node
        double displaced = 0;          ///< at this instant, most on a node
        double charged = 0;
    };

    [[noreturn]] static void fail(double time, std::uint64_t job, const char* problem) {
        throw ScheduleError(fmt::format("at time {}: job {} {}", time, job, problem));
    }
    static void expect(bool holds, const ScheduleStep& step, const char* problem) {
        if (!holds) {
            fail(step.time, step.job->index, problem);
        }
    }
    bool outlives_plan(const Job& job) const {
        return job.service_time > planned_duration(job, settings_.run_time);
    }
    static double slack(const ScheduleStep& step) {
        return scojo_tolerance * (1 + step.time + step.job->memory_per_processor);
    }

    ProcessorSet nodes_of(const ScheduleStep& step) const {
        ProcessorSet set(nodes_);
        for (const ProcessorRange& range : step.processors) {
            for (std::uint32_t i = 0; i < range.count; ++i) {
                set.insert(range.first.value + i);
            }
        }
        return set;
    }

    void take_nodes(const ScheduleStep& step, Known& job) {
        const ProcessorSet own = nodes_of(step);
        const bool moves = job.has_started && !job.place.contains(own);
        if (moves) {
            const std::vector<double>& resident = job.resident;
            expect(settings_.relocates && job.type != type_, step, "leaves its nodes");
            expect(
                std::all_of(resident.begin(), resident.end(), [](double has) { return has == 0; }),
                step,
                "moves and is not loaded whole"
            );
            job.displaced = 0;
        }
        if (moves || !job.has_started) {
            expect_apart(step, own, job);
            job.place = own;
        }
        job.has_started = job.is_on = true;
        job.load_began = step.kind == Kind::load ? step.time : -1;
    }

    void expect_apart(const ScheduleStep& step, const ProcessorSet& own, Known& job) {
        for (Known& other : known_) {
            const bool meets = &other != &job && other.has_started && other.type == job.type
                               && other.place.meets(own);
            if (meets && job.has_started) {
                expect(
                    job.has_outlived_plan && other.has_outlived_plan,
                    step,
                    "moves to nodes of another of its type"
                );
            } else if (meets) {
                expect(
                    job.type != type_, step, "starts in its slice on nodes of another of its type"
                );
                job.is_transient = true;
                if (outlives_plan(*step.job)) {
                    job.has_outlived_plan = other.has_outlived_plan = true;
                }
            }
        }
        expect(
            !job.is_transient || outlives_plan(*step.job)
                || step.time + step.job->service_time <= slice_end_ + scojo_tolerance * step.time,
            step,
            "starts on nodes of its own type and cannot be done within the slice"
        );
    }

    double missing(const ScheduleStep& step, const Known& job) const {
        double most = 0;
        nodes_of(step).for_each([&](std::uint32_t node) {
            most = std::max(most, step.job->memory_per_processor - job.resident[node]);
        });
        return most;
    }

    /// Of a job that neither loads nor runs; now, if it may not be.
    double prefetched_since(const ScheduleStep& step, const Known& job) const {
        const bool is_over = step.time == last_end_;
        const std::size_t next = is_over ? type_ : (type_ + 1) % settings_.types();
        return job.type != next || job.is_on
                   ? step.time
                   : std::min(step.time, (is_over ? last_end_ : slice_end_) - settings_.prefetch_s);
    }

    void set_resident(const ScheduleStep& step, Known& job) {
        if (!checks_memory_) {
            return;
        }
        nodes_of(step).for_each([&](std::uint32_t node) {
            const double change = step.amount - job.resident[node];
            if (change > 0) {
                const double since =
                    job.load_began >= 0 ? job.load_began : prefetched_since(step, job);
                expect(
                    change <= (step.time - since) * settings_.load_rate + slack(step),
                    step,
                    "has more in memory than was loaded"
                );
            }
            job.displaced = std::max(job.displaced, -change);
            job.resident[node] = step.amount;
        });
    }

    ScojoSettings settings_;
    std::uint32_t nodes_;
    bool checks_memory_;
    std::size_t type_ = 0;  // of the slice
    double slice_end_ = 0;
    double last_end_ = 0;       // of the slice before
    bool has_changed_ = false;  // at this instant
    std::vector<Known> known_;  // by slot
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_scojo_verifier(
    const ScojoSettings& settings, const SystemDescription& system
) {
    return std::make_unique<ScojoVerifier>(settings, system);
}

}  // namespace schedfarm::tests
