// Gang scheduling under distributed hierarchical control as it is (Feitelson & Rudolph 1990; Wang,
// Papaefthymiou & Squillante 1997, section 2.3): one time slice after the other for the rows of the
// timeplexing cycle, on all trees at once.
//
// At the start of a slice the jobs bound to the nodes of its row resume, then its classes' queues
// go to free nodes; a job that arrives in its class's slice takes a free node, and a node that
// becomes free the head of the queue. The slice is over when its quantum is, or when none of its
// nodes runs. Rows without work are skipped. In the first part of a slice, the switch, nothing
// works.
//
// Cost: O(classes + jobs of the row) per slice, O(nodes of the class) per first dispatch.
#include <algorithm>
#include <vector>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/kernel/actions.hpp"

#include "policies/gang/bound_gang.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class VanillaGang final : public BoundGang {
  public:
    VanillaGang(const BoundGangSettings& settings, const BuddyTrees& trees)
        : BoundGang(settings, trees), clock_(settings.gang.switches), slice_(quanta_.slices() - 1) {
        for (std::size_t slice = 0; slice < quanta_.slices(); ++slice) {
            parts_.push_back(row_parts(trees, quanta_.row_class(slice)));
        }
    }

  private:
    void decide(std::span<const Timer> timers, Actions& actions) override {
        if (is_active_ && timers.empty()) {
            if (settings_.gang.mid_slice == MidSlice::refill) {
                serve(actions.now());
            }
            if (runs()) {
                return;
            }
            actions.cancel_timer(Timer{});
        }
        if (is_active_) {
            for (const SlicePart& part : parts_[slice_]) {
                jobs_.suspend(part, change_);
            }
        } else if (settings_.after_empty == AfterEmpty::top) {
            slice_ = parts_.size() - 1;
        }
        next_slice(actions);
    }

    void serve(double now) {
        for (const SlicePart& part : parts_[slice_]) {
            jobs_.serve(part, std::max(0.0, works_from_ - now), change_);
        }
    }

    bool runs() const {
        return std::any_of(
            parts_[slice_].begin(),
            parts_[slice_].end(),
            [this](const SlicePart& part) { return jobs_.has_running(part); }
        );
    }

    bool has_work() const {
        return std::any_of(
            parts_[slice_].begin(),
            parts_[slice_].end(),
            [this](const SlicePart& part) { return jobs_.has_work(part); }
        );
    }

    void next_slice(Actions& actions) {
        is_active_ = false;
        for (std::size_t tried = 0; tried < parts_.size() && !is_active_; ++tried) {
            slice_ = slice_ + 1 == parts_.size() ? 0 : slice_ + 1;
            if (slice_ == 0) {
                cycle_quanta_ = quanta_.of_cycle(actions.now());
            }
            is_active_ = has_work();
        }
        if (is_active_) {
            const SliceTimes times =
                clock_.begin(actions.now(), quanta_.row_class(slice_), cycle_quanta_[slice_]);
            works_from_ = times.works_from;
            const ProcessorRange all{ProcessorId{0}, trees_.processors()};
            announce_slice(actions, quanta_.row_class(slice_), all, times.end);
            serve(actions.now());
            actions.set_timer(times.end, Timer{});
        }
    }

    std::vector<std::vector<SlicePart>> parts_;  // by slice
    std::vector<double> cycle_quanta_;
    SliceClock clock_;

    // The current slice, or the last.
    std::size_t slice_;
    double works_from_ = 0;
    bool is_active_ = false;
};

}  // namespace

PolicyDescription describe_vanilla_gang() {
    PolicyDescription description = bound_gang_description<VanillaGang>();
    description.alternative.name = "vanilla_gang";
    description.alternative.summary =
        "Gang scheduling: a time slice for each class of sizes, one after the other.";
    description.alternative.source =
        "Feitelson & Rudolph 1990; Wang, Papaefthymiou & Squillante 1997, section 2.3";
    return description;
}

}  // namespace schedfarm::policies
