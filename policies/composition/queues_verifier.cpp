#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "policies/composition/queue_admission.hpp"
#include "policies/composition/queues.hpp"
#include "policies/queue_limits.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

// Events come ahead of the actions of their instant: what is handed down follows the last of them.
class QueuesVerifier final : public ScheduleVerifier {
  public:
    QueuesVerifier(QueuesPlan plan, const PolicyContext& context, const MakeVerifier& make_inner)
        : limits_(make_queue_limits_verifier(plan.table))
        , admission_(std::move(plan.table))
        , inner_(plan.inner.make_verifier(context, make_inner)) {}

    void observe(const ScheduleStep& step) override {
        using Kind = ScheduleStep::Kind;
        limits_->observe(step);
        switch (step.kind) {
            case Kind::arrival:
                jobs_.resize(std::max(jobs_.size(), step.id.value + std::size_t{1}));
                jobs_[step.id.value] = {step.job, false};
                admission_.submit(step.id, *step.job);
                return;
            case Kind::withdrawal:
                if (!admission_.leave(step.id)) {
                    return;
                }
                break;
            case Kind::completion:
                admission_.leave(step.id);
                break;
            case Kind::capacity_changed:
            case Kind::timer:
            case Kind::load_finished:
                break;
            case Kind::start:
                hand_down(step.time);
                jobs_[step.id.value].has_started = true;
                break;
            default:
                hand_down(step.time);
        }
        pass_on(step);
    }

    void end_of_instant(double time) override {
        hand_down(time);
        is_handed_down_ = false;
        if (inner_) {
            inner_->end_of_instant(time);
        }
    }

    void finish() override {
        if (inner_) {
            inner_->finish();
        }
    }

  private:
    struct Present {
        const Job* job = nullptr;
        bool has_started = false;
    };
    void pass_on(const ScheduleStep& step) {
        if (inner_) {
            inner_->observe(step);
        }
    }

    /// Once at each instant.
    void hand_down(double time) {
        if (is_handed_down_) {
            return;
        }
        is_handed_down_ = true;
        admission_.hand_down([this](JobId id) { return !jobs_[id.value].has_started; });
        const auto tell = [this, time](ScheduleStep::Kind kind, std::span<const JobId> jobs) {
            for (const JobId id : jobs) {
                ScheduleStep step;
                step.kind = kind;
                step.time = time;
                step.id = id;
                step.job = jobs_[id.value].job;
                pass_on(step);
            }
        };
        tell(ScheduleStep::Kind::withdrawal, admission_.taken_back());
        tell(ScheduleStep::Kind::arrival, admission_.handed_down());
    }

    std::unique_ptr<ScheduleVerifier> limits_;
    QueueAdmission admission_;
    std::unique_ptr<ScheduleVerifier> inner_;
    bool is_handed_down_ = false;
    std::vector<Present> jobs_;  // by slot
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_queues_verifier(
    QueuesPlan plan, const PolicyContext& context, const MakeVerifier& make_inner
) {
    return std::make_unique<QueuesVerifier>(std::move(plan), context, make_inner);
}

}  // namespace schedfarm::policies
