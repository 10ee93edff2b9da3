#include "engine/planning/promise_verifier.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/foundation/special_values.hpp"

namespace schedfarm::engine {

namespace {

/// A few roundings of a sum of times.
double rounding(double time) {
    constexpr double tolerance = 1e-12;
    return tolerance * (1 + time);
}

class PromiseVerifier final : public ScheduleVerifier {
  public:
    PromiseVerifier(RunTime run_time, const SystemDescription& system, Retraction retraction)
        : run_time_(run_time), retraction_(retraction), checks_(system.outages.empty()) {}

    void observe(const ScheduleStep& step) override {
        if (!checks_ || step.job == nullptr) {
            return;
        }
        made_.resize(std::max(made_.size(), step.id.value + std::size_t{1}));
        Made& made = made_[step.id.value];
        switch (step.kind) {
            case ScheduleStep::Kind::arrival:
                checks_ = step.job->structure == RequestStructure::total;
                made = {};
                break;
            case ScheduleStep::Kind::withdrawal:
                made = {};
                break;
            case ScheduleStep::Kind::promise:
                promise(step, made);
                break;
            case ScheduleStep::Kind::start:
                start(step, made);
                made = {};
                break;
            default:
                break;
        }
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

  private:
    struct Made {
        Promise promise;
        double time = -infinity;
    };

    [[noreturn]] static void fail(const ScheduleStep& step, const char* what, double time) {
        throw ScheduleError(
            "at time " + std::to_string(step.time) + ": job " + std::to_string(step.job->index)
            + what + std::to_string(time)
        );
    }

    bool binds(const Made& made) const { return made.time > excused_until_; }

    void promise(const ScheduleStep& step, Made& made) {
        const double latest = step.promise.latest;
        const bool is_taken_back = latest == infinity && retraction_ == Retraction::allowed;
        if (binds(made) && !is_taken_back && latest > made.promise.latest + rounding(step.time)) {
            fail(step, " is delayed: it was promised a start by ", made.promise.latest);
        }
        made = {step.promise, step.time};
    }

    void start(const ScheduleStep& step, const Made& made) {
        if (binds(made) && step.time > made.promise.latest + rounding(step.time)) {
            fail(step, " starts late: it was promised a start by ", made.promise.latest);
        }
        if (binds(made) && step.time < made.promise.earliest - rounding(step.time)) {
            fail(step, " starts early: it was promised a start from ", made.promise.earliest);
        }
        if (step.job->service_time > planned_duration(*step.job, run_time_)) {
            excused_until_ = std::max(excused_until_, step.time + step.job->service_time);
        }
    }

    RunTime run_time_;
    Retraction retraction_;
    bool checks_;
    double excused_until_ = -infinity;
    std::vector<Made> made_;  // by slot of the job; -infinity: no promise
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_promise_verifier(
    RunTime run_time, const SystemDescription& system, Retraction retraction
) {
    return std::make_unique<PromiseVerifier>(run_time, system, retraction);
}

}  // namespace schedfarm::engine
