// What the verifiers of gang scheduling without migration check beside policies/gang_verifier.hpp:
// a job stays on its node, no two jobs of a class are bound to one, what begins in a slice pays for
// the rest of the switch, and nothing begins in mid-slice where that is not to be.
//
// When a slice began is inferred from what is paid. Where a slice may begin without a switch any
// instant at which nothing ran before passes for a beginning, and its end is not checked.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "policies/bound_gang.hpp"
#include "policies/gang_verifier.hpp"

namespace schedfarm::policies {

class BoundGangVerifier : public GangVerifier {
  public:
    BoundGangVerifier(const BoundGangSettings& settings, const engine::BuddyTrees& trees)
        : GangVerifier(trees)
        , settings_(settings.gang)
        , rows_(rows_of_cycle(settings.gang, trees))
        , quanta_(GangQuanta(settings.gang, trees).of_cycle(0))
        , slices_(trees.trees().size() + 1) {}

    void end_of_instant(double time) final {
        check(time);
        for (Slice& slice : slices_) {
            slice.is_new = false;
        }
    }

  protected:
    /// Called after each batch, when the policy has had its say.
    virtual void check(double time) = 0;
    /// Jobs whose slices begin and end together.
    virtual std::size_t group_of(std::uint32_t job_class, std::uint32_t processor) const = 0;

    void begin(const engine::ScheduleStep& step, const Watched& before) override;

    bool is_in(const Watched& job, const SlicePart& part) const;
    bool runs_in(const SlicePart& part) const;
    /// A job that is bound to these nodes and does not run though its processors are idle, or waits
    /// though one of these nodes is free: its index. As if `unseen` jobs (indices) did not run.
    std::optional<std::uint64_t> neglected(
        const SlicePart& part, std::span<const std::uint64_t> unseen = {}
    ) const;

    /// Whether the group's slice is to give nodes that are idle now to jobs.
    bool is_to_serve(std::size_t group) const {
        return settings_.mid_slice == MidSlice::refill || slices_[group].is_new;
    }
    /// Whether the group's slice, of this row, may end by its quantum now; and whether it may go
    /// on. True for quanta that change from day to day.
    bool is_expiry(double time, std::size_t group, std::uint32_t row_class) const;
    bool is_within(double time, std::size_t group, std::uint32_t row_class) const;

  private:
    std::uint32_t node_of(const Watched& job) const {
        return trees().is_root(job.job_class) ? 0 : job.first >> job.job_class;
    }
    bool is_idle(std::uint32_t job_class, std::uint32_t node, std::span<const std::uint64_t> unseen)
        const;
    bool has_free_node(const SlicePart& part, std::span<const std::uint64_t> unseen) const;

    struct Slice {
        double start = -std::numeric_limits<double>::infinity();
        double paid = 0;
        bool is_new = false;  // it began in this batch of events
    };

    /// What a job pays that begins as the first of its group: a slice begins if it can.
    void begin_slice(Slice& slice, double time, const Watched& job) const;
    bool always_pays() const {
        return settings_.switches.seconds > 0 && settings_.switches.paid == SwitchPaid::every_slice;
    }

    GangSettings settings_;
    std::vector<std::uint32_t> rows_;  // by slice of the cycle
    std::vector<double> quanta_;
    std::vector<Slice> slices_;  // by group: the last
};

/// Checks that the running jobs are those of one row, all of them, that no slice outlasts its
/// quantum and that jobs are suspended at its end only.
std::unique_ptr<engine::ScheduleVerifier> make_vanilla_verifier(
    const BoundGangSettings& settings, const engine::BuddyTrees& trees
);

}  // namespace schedfarm::policies
