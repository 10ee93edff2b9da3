#include "policies/queue_limits.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class QueueLimitsVerifier final : public ScheduleVerifier {
  public:
    explicit QueueLimitsVerifier(QueueTable table)
        : table_(std::move(table)), started_(table_.rules.size()) {}

    void observe(const ScheduleStep& step) override {
        if (step.kind == ScheduleStep::Kind::start) {
            count_in(step);
        } else if (step.kind == ScheduleStep::Kind::completion) {
            Started& queue = started_[table_.queue_of(*step.job)];
            queue.processors -= step.job->size;
            --queue.jobs;
            --queue.of_user[step.job->user];
        }
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

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

}  // namespace

std::unique_ptr<ScheduleVerifier> make_queue_limits_verifier(QueueTable table) {
    return std::make_unique<QueueLimitsVerifier>(std::move(table));
}

}  // namespace schedfarm::policies
