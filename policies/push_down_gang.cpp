// Gang scheduling with push-down (Wang, Papaefthymiou & Squillante 1997, sections 2.4 and 2.6):
// each tree goes through its classes by the rules of vanilla gang scheduling, on its own, and the
// processors that its slice leaves idle go to smaller classes.
//
// In a slice of class i the jobs of class i come first, bound ones before queued ones; then for
// k = i − 1 … 0 the bound jobs whose processors are all idle and queued jobs on idle nodes that
// nobody of their class is bound to. Whoever fills so stays until the slice is over: when its
// quantum is, or when no job of class i runs. A tree that has finished class 0 waits while there is
// a job of the root class; when all wait the root class has one slice, and all begin again with
// their largest class. The first switch_cost_s of a slice do no work.
//
// Cost: O(classes + jobs bound in the tree) per event, O(nodes of the class) per first dispatch.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/actions.hpp"

#include "policies/bound_gang_verifier.hpp"
#include "policies/bound_jobs.hpp"
#include "policies/gang.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class PushDownGang final : public Policy {
  public:
    PushDownGang(const GangSettings& settings, NodeAssignment assignment, const BuddyTrees& trees)
        : switch_cost_s_(settings.switch_cost_s)
        , trees_(trees)
        , quanta_(settings, trees)
        , jobs_(trees, assignment)
        , root_part_{.job_class = trees.classes() - 1, .nodes = {{0, 1}}} {
        for (const BuddyTrees::Tree& tree : trees.trees()) {
            Slices& slices = trees_slices_.emplace_back();
            for (std::uint32_t own = 0; own <= tree.top; ++own) {
                slices.parts.push_back(
                    {.job_class = own, .nodes = {BuddyTrees::nodes_of(tree, own)}}
                );
            }
            slices.own = slices.parts.size();
        }
    }

    void react(const EventBatch& events, Actions& actions) override {
        for (const JobId id : events.completions) {
            jobs_.leave(id);
        }
        for (const JobId id : events.arrivals) {
            const Job& job = actions.job(id);
            const std::uint32_t job_class = gang_class(job, trees_);
            quanta_.arrive(job.submit_time, job.service_time, job_class);
            jobs_.arrive(id, job_class, job.size);
        }
        bool root_is_over = false;
        for (const Timer timer : events.timers) {
            if (timer == root_timer) {
                root_is_over = true;
            } else {
                trees_slices_[timer.tag].is_over = true;
            }
        }
        if (root_is_active_ && !go_on_with_root(root_is_over, actions)) {
            return;
        }
        bool all_wait = true;
        for (std::size_t tree = 0; tree < trees_slices_.size(); ++tree) {
            go_on(tree, actions);
            all_wait = all_wait && trees_slices_[tree].phase == Phase::waits;
        }
        if (all_wait) {
            begin_root(actions);
        }
    }

  private:
    enum class Phase : std::uint8_t { idle, serves, waits };

    struct Slices {
        std::vector<SlicePart> parts;  // by class
        Phase phase = Phase::idle;
        std::size_t own = 0;  // class served now or last; at first above the largest
        double start = 0;
        bool is_over = false;
        std::vector<double> quanta = {};  // of this cycle, by row
    };

    static constexpr Timer root_timer{~std::uint64_t{0}};

    bool has_root_jobs() const {
        return trees_.has_root() && jobs_.present(root_part_.job_class) > 0;
    }

    void begin_root(Actions& actions) {
        root_is_active_ = true;
        root_start_ = actions.now();
        jobs_.serve(root_part_, root_start_ + switch_cost_s_, actions);
        actions.set_timer(root_start_ + quanta_.of_cycle(root_start_).front(), root_timer);
    }

    /// Whether the root slice is over; then all trees are to begin again.
    bool go_on_with_root(bool is_over, Actions& actions) {
        if (!is_over) {
            jobs_.serve(root_part_, root_start_ + switch_cost_s_, actions);
            if (jobs_.has_running(root_part_)) {
                return false;
            }
            actions.cancel_timer(root_timer);
        }
        jobs_.suspend(root_part_, actions);
        root_is_active_ = false;
        for (Slices& slices : trees_slices_) {
            slices.phase = Phase::idle;
            slices.own = slices.parts.size();
        }
        return true;
    }

    void go_on(std::size_t tree, Actions& actions) {
        Slices& slices = trees_slices_[tree];
        if (slices.phase == Phase::waits) {
            return;
        }
        if (slices.phase == Phase::serves) {
            if (!slices.is_over) {
                serve(slices, slices.own, actions);
                if (jobs_.has_running(slices.parts[slices.own])) {
                    fill(slices, actions);
                    return;
                }
                actions.cancel_timer(Timer{tree});
            }
            for (std::size_t k = 0; k <= slices.own; ++k) {
                jobs_.suspend(slices.parts[k], actions);
            }
        }
        slices.is_over = false;
        next_slice(tree, actions);
    }

    void serve(const Slices& slices, std::size_t job_class, Actions& actions) {
        jobs_.serve(slices.parts[job_class], slices.start + switch_cost_s_, actions);
    }

    void fill(const Slices& slices, Actions& actions) {
        for (std::size_t k = slices.own; k-- > 0;) {
            serve(slices, k, actions);
        }
    }

    void next_slice(std::size_t tree, Actions& actions) {
        Slices& slices = trees_slices_[tree];
        slices.phase = Phase::idle;
        const std::size_t last = slices.own;
        const std::size_t classes = slices.parts.size();
        if (last == classes) {
            slices.quanta = quanta_.of_cycle(actions.now());
        }
        if (begin_below(last, 0, tree, actions)) {
            return;
        }
        if (has_root_jobs()) {
            slices.phase = Phase::waits;
            return;
        }
        slices.quanta = quanta_.of_cycle(actions.now());
        begin_below(classes, last, tree, actions);
    }

    /// Begins a slice of the largest class in [from, before) that has work.
    bool begin_below(std::size_t before, std::size_t from, std::size_t tree, Actions& actions) {
        Slices& slices = trees_slices_[tree];
        for (std::size_t own = before; own-- > from;) {
            if (jobs_.has_work(slices.parts[own])) {
                slices.phase = Phase::serves;
                slices.own = own;
                slices.start = actions.now();
                serve(slices, own, actions);
                fill(slices, actions);
                const double quantum = slices.quanta[trees_.classes() - 1 - own];
                actions.set_timer(slices.start + quantum, Timer{tree});
                return true;
            }
        }
        return false;
    }

    double switch_cost_s_;
    BuddyTrees trees_;
    GangQuanta quanta_;
    BoundJobs jobs_;
    std::vector<Slices> trees_slices_;
    SlicePart root_part_;
    bool root_is_active_ = false;
    double root_start_ = 0;
};

}  // namespace

PolicyDescription describe_push_down_gang() {
    PolicyDescription description;
    description.alternative = {
        .name = "push_down_gang",
        .summary =
            "Gang scheduling with push-down: idle processors of a slice run bound jobs of "
            "smaller classes.",
        .parameters = bound_gang_parameters(),
        .check = gang_problems,
        .source = "Wang, Papaefthymiou & Squillante 1997, section 2.4"};
    description.traits = [](const Parameters&) {
        return PolicyTraits{.preemptive = true};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<PushDownGang>(
            gang_settings(given), node_assignment(given), BuddyTrees(context.system.processors())
        );
    };
    description.make_verifier = [](const Parameters& given, const PolicyContext& context) {
        return make_push_down_verifier(
            gang_settings(given), BuddyTrees(context.system.processors())
        );
    };
    description.check_system = gang_system_problems;
    return description;
}

}  // namespace schedfarm::policies
