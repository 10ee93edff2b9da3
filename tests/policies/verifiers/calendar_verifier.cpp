#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "engine/planning/profile/availability_profile.hpp"

#include "tests/policies/verifiers/own_verifiers.hpp"
namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

// Every job needs its processors from its start on, promised or real, up to its planned end: a
// promise that finds them taken breaks another one.
class CalendarVerifier final : public ScheduleVerifier {
  public:
    CalendarVerifier(double slot_s, RunTime run_time, const SystemDescription& system)
        : slot_s_(slot_s)
        , run_time_(run_time)
        , checks_(system.outages.empty())
        , profile_(system.processors()) {}

    void observe(const ScheduleStep& step) override {
        using Kind = ScheduleStep::Kind;
        if (!checks_ || step.job == nullptr) {
            return;
        }
        needed_.resize(std::max(needed_.size(), step.id.value + std::size_t{1}));
        Need& need = needed_[step.id.value];
        switch (step.kind) {
            case Kind::arrival:
                checks_ = step.job->structure == RequestStructure::total;
                need = {};
                break;
            case Kind::withdrawal:
            case Kind::completion:
                give_up(step, need);
                break;
            case Kind::promise:
                expect(on_grid(step.promise.latest), step, "is promised a start within a slot");
                give_up(step, need);
                reserve(step, need, step.promise.latest);
                break;
            case Kind::start:
                expect(on_grid(step.time), step, "starts within a slot");
                expect(
                    is_same(step.time, need.begin), step, "starts at another time than promised"
                );
                break;
            default:
                break;
        }
    }
    void end_of_instant(double time) override { profile_.forget_before(time); }
    void finish() override {}

  private:
    struct Need {
        double begin = 0;
        double end = 0;
        std::uint32_t size = 0;  // 0: none
    };

    static void expect(bool holds, const ScheduleStep& step, const char* problem) {
        if (!holds) {
            throw ScheduleError(
                fmt::format("at time {}: job {} {}", step.time, step.job->index, problem)
            );
        }
    }

    static bool is_same(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + b); }
    bool on_grid(double time) const { return is_same(time, std::round(time / slot_s_) * slot_s_); }

    void give_up(const ScheduleStep& step, Need& need) {
        const double begin = std::max(need.begin, step.time);
        if (need.size > 0 && begin < need.end) {
            profile_.release(begin, need.end, need.size);
        }
        need = {};
    }

    void reserve(const ScheduleStep& step, Need& need, double begin) {
        const double duration = planned_duration(*step.job, run_time_);
        need = {begin, planned_end(begin, duration), step.job->size};
        expect(
            profile_.is_free(need.begin, need.end, need.size),
            step,
            "is promised processors that others were promised"
        );
        profile_.reserve(need.begin, need.end, need.size);
    }

    double slot_s_;
    RunTime run_time_;
    bool checks_;
    AvailabilityProfile profile_;
    std::vector<Need> needed_;  // by slot of the job
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_calendar_verifier(
    double slot_s, RunTime run_time, const SystemDescription& system
) {
    return std::make_unique<CalendarVerifier>(slot_s, run_time, system);
}

}  // namespace schedfarm::tests
