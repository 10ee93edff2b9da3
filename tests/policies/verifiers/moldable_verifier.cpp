#include "tests/policies/verifiers/moldable_verifier.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "policies/moldable/moldable_problem.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

class MoldableVerifier final : public ScheduleVerifier {
  public:
    MoldableVerifier(const MoldableInvariants& invariants, const SystemDescription& system)
        : invariants_(invariants)
        , processors_(system.processors())
        , free_(processors_)
        , has_counts_(system.outages.empty()) {}

    void observe(const ScheduleStep& step) override {
        switch (step.kind) {
            case ScheduleStep::Kind::arrival:
                has_counts_ = has_counts_ && step.job->structure == RequestStructure::total;
                waiting_.push_back(step.job->index);
                arrived_ = true;
                break;
            case ScheduleStep::Kind::start:
                start(step);
                break;
            case ScheduleStep::Kind::completion:
                complete(step);
                break;
            default:
                break;
        }
    }

    void end_of_instant(double time) override {
        if (batch_.empty()) {
            begin_batch();
        }
        ended_ = false;
        arrived_ = false;
        last_free_ = free_;
        last_time_ = time;
    }

    void finish() override {}

  private:
    static std::uint32_t processors_of(const ScheduleStep& step) {
        std::uint32_t sum = 0;
        for (const ClusterShare& share : step.shares) {
            sum += share.count;
        }
        return sum;
    }

    [[noreturn]] static void fail(const ScheduleStep& step, const char* what) {
        throw ScheduleError(
            "at time " + std::to_string(step.time) + ": job " + std::to_string(step.job->index)
            + " " + what
        );
    }

    void start(const ScheduleStep& step) {
        const std::uint32_t processors = processors_of(step);
        free_ -= processors;
        join_batch(step);
        if (step.job->moldable != nullptr) {
            check_allotment(step, processors);
        }
        if (invariants_.starts != MoldableStarts::any && has_counts_) {
            if (!ended_ && !arrived_) {
                fail(step, "starts though nothing has ended");
            }
            // Jobs without service hold processors for no time; only the last state counts.
            if (step.time > last_time_) {
                most_free_ = std::max(most_free_, last_free_);
            }
            if (invariants_.starts == MoldableStarts::without_gaps && processors <= most_free_) {
                fail(step, "would have fitted before");
            }
        }
    }

    void begin_batch() {
        batch_.swap(waiting_);
        most_free_ = 0;
        last_free_ = 0;
    }

    void join_batch(const ScheduleStep& step) {
        if (batch_.empty()) {
            begin_batch();
        }
        if (std::find(batch_.begin(), batch_.end(), step.job->index) == batch_.end()) {
            fail(step, "starts though its batch has not begun");
        }
    }

    void check_allotment(const ScheduleStep& step, std::uint32_t processors) const {
        if (step.job->moldable->times.front() == 0) {
            return;  // without service: it keeps nobody, on however many
        }
        if (invariants_.allotment == MoldableAllotment::one && processors != 1) {
            fail(step, "runs on more than one processor");
        }
        const auto all = std::min<std::size_t>(processors_, step.job->moldable->times.size());
        if (invariants_.allotment == MoldableAllotment::all && processors != all) {
            fail(step, "does not run on all processors");
        }
    }

    void complete(const ScheduleStep& step) {
        free_ += processors_of(step);
        ended_ = true;
        std::erase(batch_, step.job->index);
    }

    MoldableInvariants invariants_;
    std::uint32_t processors_;
    std::uint32_t free_;
    bool has_counts_;              // free processors say what fits
    std::uint32_t most_free_ = 0;  // before time moved on, since the batch began
    std::uint32_t last_free_ = 0;  // at the end of the last instant
    double last_time_ = 0;
    bool ended_ = false;  // a job, at this instant
    bool arrived_ = false;
    std::vector<std::uint64_t> waiting_;
    std::vector<std::uint64_t> batch_;  // jobs that have not ended
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_moldable_verifier(
    const MoldableInvariants& invariants, const SystemDescription& system
) {
    return std::make_unique<MoldableVerifier>(invariants, system);
}

}  // namespace schedfarm::tests
