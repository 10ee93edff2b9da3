// Holds a schedule to what managers and clusters said to each other: a job that was committed runs
// on the clusters that committed it and on no others, each with a reservation that it accepted; no
// job is committed at one cluster and given up at another; and in the end every reservation was
// committed or given up. A job of which nothing was said runs at home. What is promised is kept
// where no message is lost; a start that waits for a commit delays others.
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "engine/planning/promise_verifier.hpp"

#include "policies/composition/managers/managers.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class ManagersVerifier final : public ScheduleVerifier {
  public:
    explicit ManagersVerifier(ManagersPlan plan) : plan_(std::move(plan)) {}

    void observe(const ScheduleStep& step) override {
        using Kind = ScheduleStep::Kind;
        if (step.kind == Kind::message && step.timer.owner == 0) {
            hear(step.time, *step.message);
        } else if (step.kind == Kind::start) {
            check_start(step);
        }
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override {
        for (const auto& [job, pieces] : pieces_) {
            if (!pieces.empty()) {
                fail(0, job, "has never started and is reserved for");
            }
        }
    }

  private:
    enum class State : std::uint8_t { asked, accepted, committed };
    using Pieces = std::map<std::uint32_t, State>;  // by cluster

    [[noreturn]] static void fail(double time, std::uint64_t job, const char* problem) {
        throw ScheduleError(fmt::format("at time {}: job {} {}", time, job, problem));
    }

    // A reservation whose answer is lost may stand all the same: what counts is that it was asked
    // for, and that a commit finds it accepted by all.
    void hear(double time, const Message& message) {
        if (has_started(message.subject)) {
            return;  // a commit whose answer was lost
        }
        Pieces& pieces = pieces_[message.subject];
        switch (static_cast<MessageKind>(message.kind)) {
            case MessageKind::reserve:
                expect_none_committed(time, message.subject, pieces);
                pieces[message.to] = State::asked;
                break;
            case MessageKind::accepted:
                pieces[message.from] = State::accepted;
                break;
            case MessageKind::declined:
                expect_none_committed(time, message.subject, pieces);
                pieces.erase(message.from);
                break;
            case MessageKind::commit:
                if (std::any_of(pieces.begin(), pieces.end(), [](const auto& piece) {
                        return piece.second == State::asked;
                    })) {
                    fail(time, message.subject, "is committed before all clusters have accepted");
                }
                pieces[message.to] = State::committed;
                break;
            case MessageKind::abort:
                expect_none_committed(time, message.subject, pieces);
                pieces.erase(message.to);
                break;
            default:
                break;
        }
    }

    static void expect_none_committed(double time, std::uint64_t job, const Pieces& pieces) {
        for (const auto& [cluster, state] : pieces) {
            if (state == State::committed) {
                fail(time, job, "is committed at one cluster and not at another");
            }
        }
    }

    void check_start(const ScheduleStep& step) {
        Pieces& pieces = pieces_[step.job->index];
        if (pieces.empty()) {
            pieces[static_cast<std::uint32_t>(plan_.route.part_of(*step.job))] = State::committed;
        }
        std::size_t clusters = 0;
        for (const ClusterShare& share : step.shares) {
            const auto piece = pieces.find(share.cluster.value);
            if (piece == pieces.end() || piece->second != State::committed) {
                fail(step.time, step.job->index, "runs on a cluster that has not committed it");
            }
            ++clusters;
        }
        if (clusters != pieces.size()) {
            fail(step.time, step.job->index, "does not run on a cluster that has committed it");
        }
        pieces_.erase(step.job->index);
        started_.resize(std::max<std::size_t>(started_.size(), step.job->index + 1));
        started_[step.job->index] = true;
    }

    bool has_started(std::uint64_t job) const { return job < started_.size() && started_[job]; }

    ManagersPlan plan_;
    std::map<std::uint64_t, Pieces> pieces_;  // by index of the job, until it starts
    std::vector<bool> started_;               // by index of the job
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_managers_verifier(
    ManagersPlan plan, const PolicyContext& context
) {
    const RunTime run_time = plan.run_time;
    const bool are_lost = !plan.lost.empty();
    auto own = std::make_unique<ManagersVerifier>(std::move(plan));
    if (are_lost) {
        return own;
    }
    return join_verifiers(std::move(own), make_promise_verifier(run_time, context.system));
}

}  // namespace schedfarm::policies
