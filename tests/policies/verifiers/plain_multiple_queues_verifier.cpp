#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "tests/policies/verifiers/plain_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

class MultipleQueuesVerifier final : public ScheduleVerifier {
  public:
    MultipleQueuesVerifier(const MultipleQueuesSettings& table, const SystemDescription& system)
        : table_(table)
        , waiting_(table.rules.size())
        , free_(system.processors())
        , head_must_start_(system.outages.empty()) {}

    void observe(const ScheduleStep& step) override {
        if (step.job == nullptr) {
            return;
        }
        const Known job{
            step.job->index, table_.queue_of(*step.job), step.job->user, step.job->size};
        if (step.kind == ScheduleStep::Kind::arrival) {
            head_must_start_ = head_must_start_ && step.job->structure == RequestStructure::total;
            waiting_[job.queue].push_back(job);
            ++events_;
        } else if (step.kind == ScheduleStep::Kind::start) {
            start(job, step.time);
        } else if (step.kind == ScheduleStep::Kind::completion) {
            free_ += job.size;
            ++events_;
            if (table_.simultaneous != Simultaneous::batch) {
                completed_.push_back(job);
            }
            std::erase_if(running_, [&job](const Known& other) {
                return other.index == job.index;
            });
        }
    }

    void end_of_instant(double time) override {
        if (head_must_start_ && (table_.simultaneous == Simultaneous::batch || events_ < 2)) {
            check_first(time);
        }
        events_ = 0;
        completed_.clear();
        ++batch_;
    }

    void finish() override {}

  private:
    void check_first(double time) const {
        for (const std::size_t queue : table_.served) {
            for (const Known& job : waiting_[queue]) {
                if (exceeds_queue(job)) {
                    break;
                }
                if (!exceeds_user(job)) {
                    expect(job.size > free_, job, time, "is the first, fits and waits");
                    return;
                }
            }
        }
    }

    struct Known {
        std::uint64_t index;
        std::size_t queue;
        std::uint32_t user;
        std::uint32_t size;
        std::uint64_t start = 0;  // number of the batch
    };

    static void expect(bool holds, const Known& job, double time, const char* problem) {
        if (!holds) {
            throw ScheduleError(fmt::format("at time {}: job {} {}", time, job.index, problem));
        }
    }

    void start(const Known& job, double time) {
        expect(!exceeds_queue(job), job, time, "exceeds a limit of its queue");
        expect(!exceeds_user(job), job, time, "exceeds the limit of its user in its queue");
        std::vector<Known>& queue = waiting_[job.queue];
        auto at = queue.begin();
        for (; at->index != job.index; ++at) {
            expect(
                table_.backfilling == QueueBackfilling::easy || may_be_held(*at),
                job,
                time,
                "overtakes in its queue"
            );
        }
        queue.erase(at);
        running_.push_back(job);
        running_.back().start = batch_;
        free_ -= job.size;
    }

    // Beside the jobs that ran when it was looked at: those of its queue behind it came later.
    bool counts(const Known& job, const Known& wanted) const {
        return job.queue == wanted.queue && (job.start < batch_ || job.index < wanted.index);
    }

    bool exceeds_queue(const Known& wanted) const {
        const QueueRule& rule = table_.rules[wanted.queue];
        std::uint64_t processors = wanted.size;
        std::uint64_t jobs = 1;
        for (const Known& job : running_) {
            processors += counts(job, wanted) ? job.size : 0;
            jobs += counts(job, wanted) ? 1U : 0U;
        }
        return processors > rule.most_processors || jobs > rule.most_running;
    }

    std::uint64_t running_of_user(const Known& wanted) const {
        return static_cast<std::uint64_t>(std::count_if(
            running_.begin(),
            running_.end(),
            [&](const Known& job) { return counts(job, wanted) && job.user == wanted.user; }
        ));
    }

    bool exceeds_user(const Known& wanted) const {
        return running_of_user(wanted) >= table_.rules[wanted.queue].most_running_per_user;
    }

    // By its user, at least before all finishes of the instant were taken.
    bool may_be_held(const Known& wanted) const {
        const auto completed = static_cast<std::uint64_t>(std::count_if(
            completed_.begin(),
            completed_.end(),
            [&](const Known& job) { return job.queue == wanted.queue && job.user == wanted.user; }
        ));
        return running_of_user(wanted) + completed
               >= table_.rules[wanted.queue].most_running_per_user;
    }

    MultipleQueuesSettings table_;
    std::vector<std::vector<Known>> waiting_;  // by queue, in order of arrival
    std::vector<Known> running_;
    std::vector<Known> completed_;  // at this instant, where finishes are taken one by one
    std::uint64_t free_;
    std::uint64_t batch_ = 0;
    std::uint64_t events_ = 0;  // finishes and submissions of this instant
    bool head_must_start_;
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_multiple_queues_verifier(
    const MultipleQueuesSettings& table, const SystemDescription& system
) {
    return std::make_unique<MultipleQueuesVerifier>(table, system);
}

}  // namespace schedfarm::tests
