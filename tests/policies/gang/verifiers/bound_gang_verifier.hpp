// What the verifiers of gang scheduling without migration check beside
// policies/gang/gang_verifier.hpp: a job stays on its node and no two jobs of a class are bound to
// one. They walk the rotation beside the schedule: which slice must be on follows from the jobs
// that are there, and with it who runs, who may begin or stop and what each pays.
//
// All is checked when the policy has had its say. What was there before it had, completions and
// arrivals of the instant included, is told apart by what began and stopped in the batch.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "policies/gang/bound_gang.hpp"
#include "policies/gang/gang_verifier.hpp"

namespace schedfarm::tests {

using policies::BoundGangSettings;
using policies::GangQuanta;
using policies::GangVerifier;
using policies::MidSlice;
using policies::SliceClock;
using policies::SlicePart;

class BoundGangVerifier : public GangVerifier {
  public:
    BoundGangVerifier(const BoundGangSettings& settings, const engine::BuddyTrees& trees)
        : GangVerifier(trees), settings_(settings), quanta_(settings.gang, trees) {}

    void end_of_instant(double time) final;

  protected:
    /// The slice of now, or the last one, of processors that switch together.
    struct Slice {
        SliceClock clock;
        double works_from = 0;
        double end = 0;
        bool is_on = false;
        bool is_new = false;  ///< it began in this batch of events
    };
    /// A job that began a stretch in this batch.
    struct Begun {
        std::uint64_t index = 0;
        std::uint32_t job_class = 0;
        std::size_t tree = 0;    ///< of its first processor
        bool was_bound = false;  ///< before
    };

    /// Called after each batch, when the policy has had its say.
    virtual void check(double time) = 0;

    /// Whether the slice, which these parts keep alive, is to go on in this batch, trees before
    /// `tree` served; throws if it should have ended before.
    bool goes_on(
        const Slice& slice, std::span<const SlicePart> parts, double time, std::size_t tree = 0
    ) const;
    /// Whether a slice for these nodes had something to begin with, trees before `tree` served.
    bool had_work(const SlicePart& part, std::size_t tree = 0) const;
    void begin_slice(Slice& slice, double time, std::uint32_t row_class, double quantum_s) const;

    /// Checks of all jobs on some processors, those that `is_here` says, that they begin, pay and
    /// stop as the slice wants; that nothing runs if it is not on.
    template <typename Here>
    void expect_in_slice(const Slice& slice, double time, const Here& is_here) const;

    /// Whether the slice is to give nodes that are idle now to jobs.
    bool is_to_serve(const Slice& slice) const { return refills() || slice.is_new; }
    bool is_in(const Watched& job, const SlicePart& part) const;
    bool runs_in(const SlicePart& part) const;
    /// A job that is bound to these nodes and does not run though its processors are idle, or waits
    /// though one of these nodes is free: its index. As if `unseen` jobs (indices) did not run.
    std::optional<std::uint64_t> neglected(
        const SlicePart& part, std::span<const std::uint64_t> unseen = {}
    ) const;

    const BoundGangSettings& settings() const { return settings_; }
    GangQuanta& quanta() { return quanta_; }
    const std::vector<Begun>& begun() const { return begun_; }

  private:
    void arrive(const engine::ScheduleStep& step, const Watched& job) final;
    void begin(const engine::ScheduleStep& step, const Watched& before) final;
    void end(const engine::ScheduleStep& step, const Watched& job) final;

    bool refills() const { return settings_.gang.mid_slice == MidSlice::refill; }
    std::uint32_t node_of(const Watched& job) const {
        return trees().is_root(job.job_class) ? 0 : job.first >> job.job_class;
    }
    const Begun* begun_as(std::uint64_t index) const;
    bool is_stopped(std::uint64_t index) const;
    /// Before the policy had its say.
    bool was_bound(const Watched& job) const;
    bool ran(const Watched& job) const;
    bool was_queued(std::uint32_t job_class, std::size_t tree) const;
    bool could_begin(const SlicePart& part, std::size_t tree) const;

    /// Whether no job of those that `counts` says holds a processor of the node.
    template <typename Counts>
    bool is_idle(std::uint32_t job_class, std::uint32_t node, const Counts& counts) const;
    /// Whether one of these nodes has no job that `is_bound` says, and is what `is_free` says.
    template <typename Bound, typename Free>
    bool has_node(const SlicePart& part, const Bound& is_bound, const Free& is_free) const;
    void expect_begun(const Slice& slice, double time, const Watched& job) const;

    BoundGangSettings settings_;
    GangQuanta quanta_;
    std::vector<Begun> begun_;            // in this batch of events
    std::vector<std::uint64_t> stopped_;  // suspended in this batch: indices
};

template <typename Here>
void BoundGangVerifier::expect_in_slice(const Slice& slice, double time, const Here& is_here)
    const {
    for (const Watched& job : present()) {
        if (!job.has_started || !is_here(job)) {
            continue;
        }
        const bool is_kept = slice.is_on && !slice.is_new;
        expect(
            !is_kept || !is_stopped(job.index), time, job.index, "stops before its slice is over"
        );
        expect(slice.is_on || !job.is_running, time, job.index, "runs though no slice is on");
        if (job.is_running) {
            expect_begun(slice, time, job);
        }
    }
}

}  // namespace schedfarm::tests
