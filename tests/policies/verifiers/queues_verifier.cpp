#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "policies/composition/queue_admission.hpp"

#include "tests/policies/verifiers/own_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

/// What is started of queues with limits, counted anew.
// Cost: O(log users) per start and completion.
class StartedInQueues {
  public:
    explicit StartedInQueues(QueueTable table)
        : table_(std::move(table)), started_(table_.rules.size()) {}

    void observe(const ScheduleStep& step) {
        if (step.kind == ScheduleStep::Kind::start) {
            count_in(step);
        } else if (step.kind == ScheduleStep::Kind::completion) {
            Started& queue = started_[table_.queue_of(*step.job)];
            queue.processors -= step.job->size;
            --queue.jobs;
            --queue.of_user[step.job->user];
        }
    }

  private:
    struct Started {
        std::uint64_t processors = 0;
        std::uint64_t jobs = 0;
        std::map<std::uint32_t, std::uint64_t> of_user;
    };

    void count_in(const ScheduleStep& step) {
        const std::size_t number = table_.queue_of(*step.job);
        const QueueRule& rule = table_.rules[number];
        Started& queue = started_[number];
        queue.processors += step.job->size;
        ++queue.jobs;
        const std::uint64_t own = ++queue.of_user[step.job->user];
        const auto expect = [&step](bool holds, const char* problem) {
            if (!holds) {
                throw ScheduleError(
                    fmt::format("at time {}: job {} {}", step.time, step.job->index, problem)
                );
            }
        };
        expect(
            queue.processors <= rule.most_processors && queue.jobs <= rule.most_running,
            "exceeds a limit of its queue"
        );
        expect(own <= rule.most_running_per_user, "exceeds the limit of its user in its queue");
    }

    QueueTable table_;
    std::vector<Started> started_;  // by queue: jobs that have started and not completed
};

// Events come ahead of the actions of their instant: what is handed down follows the last of them.
class QueuesVerifier final : public ScheduleVerifier {
  public:
    QueuesVerifier(QueuesPlan plan, const PolicyContext& context, const MakeVerifier& make_inner)
        : limits_(plan.table)
        , admission_(std::move(plan.table))
        , inner_(make_inner(plan.inner.description(), plan.inner.parameters(), context)) {}

    void observe(const ScheduleStep& step) override {
        using Kind = ScheduleStep::Kind;
        limits_.observe(step);
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

    StartedInQueues limits_;
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

}  // namespace schedfarm::tests
