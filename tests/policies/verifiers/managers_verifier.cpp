// Holds a schedule to what managers and clusters said to each other: a job that was committed runs
// on the clusters that committed it and on no others, each with a reservation that it accepted; no
// job is committed at one cluster and given up at another; and in the end every reservation was
// committed or given up. One that all have committed is asked for anew only when its start has
// passed, or at one other cluster, to move there: that one commits it when the first has given it
// up, and no sooner. A job of which nothing was said runs at home.
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "tests/policies/verifiers/own_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

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
    enum class State : std::uint8_t { asked, accepted, committed, settled };  // the last: may move
    struct Piece {
        State state = State::asked;
        double start = 0;
    };
    using Pieces = std::map<std::uint32_t, Piece>;  // by cluster

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
                if (pieces.size() == 1 && pieces.begin()->first != message.to
                    && pieces.begin()->second.state == State::committed) {
                    pieces.begin()->second.state = State::settled;
                } else if (have_missed(pieces, time)) {
                    pieces.clear();
                }
                expect_none_committed(time, message.subject, pieces);
                pieces[message.to] = {State::asked, message.time};
                break;
            case MessageKind::accepted:
                pieces[message.from].state = State::accepted;
                break;
            case MessageKind::declined:
                expect_none_committed(time, message.subject, pieces);
                give_up(message.from, pieces);
                break;
            case MessageKind::commit:
                if (std::any_of(pieces.begin(), pieces.end(), [](const auto& piece) {
                        return piece.second.state == State::asked;
                    })) {
                    fail(time, message.subject, "is committed before all clusters have accepted");
                }
                if (std::any_of(pieces.begin(), pieces.end(), [](const auto& piece) {
                        return piece.second.state == State::settled;
                    })) {
                    fail(time, message.subject, "is committed before it is released elsewhere");
                }
                pieces[message.to].state = State::committed;
                break;
            case MessageKind::abort:
                expect_none_committed(time, message.subject, pieces);
                give_up(message.to, pieces);
                break;
            case MessageKind::released:
                pieces.erase(message.from);
                break;
            default:
                break;
        }
    }

    /// A job that was to move stays.
    static void give_up(std::uint32_t cluster, Pieces& pieces) {
        pieces.erase(cluster);
        if (pieces.size() == 1 && pieces.begin()->second.state == State::settled) {
            pieces.begin()->second.state = State::committed;
        }
    }

    static bool have_missed(const Pieces& pieces, double now) {
        return std::all_of(pieces.begin(), pieces.end(), [now](const auto& piece) {
            return piece.second.state == State::committed && piece.second.start <= now;
        });
    }

    static void expect_none_committed(double time, std::uint64_t job, const Pieces& pieces) {
        for (const auto& [cluster, piece] : pieces) {
            if (piece.state == State::committed) {
                fail(time, job, "is committed at one cluster and not at another");
            }
        }
    }

    void check_start(const ScheduleStep& step) {
        Pieces& pieces = pieces_[step.job->index];
        // It starts before it could move.
        if (const auto stays = std::find_if(
                pieces.begin(),
                pieces.end(),
                [](const auto& piece) { return piece.second.state == State::settled; }
            );
            stays != pieces.end()) {
            pieces = {{stays->first, {State::committed, stays->second.start}}};
        }
        if (pieces.empty()) {
            pieces[static_cast<std::uint32_t>(plan_.route.part_of(*step.job))] = {State::committed};
        }
        std::size_t clusters = 0;
        for (const ClusterShare& share : step.shares) {
            const auto piece = pieces.find(share.cluster.value);
            if (piece == pieces.end() || piece->second.state != State::committed) {
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

MadeVerifier make_managers_verifier(ManagersPlan plan) {
    return std::make_unique<ManagersVerifier>(std::move(plan));
}

}  // namespace schedfarm::tests
