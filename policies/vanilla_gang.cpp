// Gang scheduling under distributed hierarchical control as it is (Feitelson & Rudolph 1990; Wang,
// Papaefthymiou & Squillante 1997, section 2.3): one time slice after the other for the rows of the
// timeplexing cycle, on all trees at once.
//
// At the start of a slice the jobs bound to the nodes of its row resume, then its classes' queues
// go to free nodes; a job that arrives in its class's slice takes a free node, and a node that
// becomes free the head of the queue. The slice is over when its quantum is, or when none of its
// nodes runs. Rows without work are skipped. The first switch_cost_s of a slice do no work.
//
// Cost: O(classes + jobs of the row) per slice, O(nodes of the class) per first dispatch.
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

class VanillaGang final : public Policy {
  public:
    VanillaGang(const GangSettings& settings, NodeAssignment assignment, const BuddyTrees& trees)
        : switch_cost_s_(settings.switch_cost_s)
        , trees_(trees)
        , quanta_(settings, trees)
        , jobs_(trees, assignment)
        , row_(trees.classes() - 1) {
        for (std::uint32_t row = 0; row < trees.classes(); ++row) {
            rows_.push_back(row_parts(trees, trees.classes() - 1 - row));
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
        if (is_active_ && events.timers.empty()) {
            serve(actions);
            if (runs()) {
                return;
            }
            actions.cancel_timer(Timer{});
        }
        if (is_active_) {
            for (const SlicePart& part : rows_[row_]) {
                jobs_.suspend(part, actions);
            }
        }
        next_slice(actions);
    }

  private:
    void serve(Actions& actions) {
        for (const SlicePart& part : rows_[row_]) {
            jobs_.serve(part, start_ + switch_cost_s_, actions);
        }
    }

    bool runs() const {
        return std::any_of(rows_[row_].begin(), rows_[row_].end(), [this](const SlicePart& part) {
            return jobs_.has_running(part);
        });
    }

    bool has_work() const {
        return std::any_of(rows_[row_].begin(), rows_[row_].end(), [this](const SlicePart& part) {
            return jobs_.has_work(part);
        });
    }

    void next_slice(Actions& actions) {
        is_active_ = false;
        for (std::size_t tried = 0; tried < rows_.size() && !is_active_; ++tried) {
            row_ = row_ + 1 == rows_.size() ? 0 : row_ + 1;
            if (row_ == 0) {
                cycle_quanta_ = quanta_.of_cycle(actions.now());
            }
            is_active_ = has_work();
        }
        if (is_active_) {
            start_ = actions.now();
            serve(actions);
            actions.set_timer(start_ + cycle_quanta_[row_], Timer{});
        }
    }

    double switch_cost_s_;
    BuddyTrees trees_;
    GangQuanta quanta_;
    BoundJobs jobs_;
    std::vector<std::vector<SlicePart>> rows_;  // the largest class first
    std::vector<double> cycle_quanta_;

    // The current slice, or the last.
    std::size_t row_;
    double start_ = 0;
    bool is_active_ = false;
};

}  // namespace

PolicyDescription describe_vanilla_gang() {
    PolicyDescription description;
    description.alternative = {
        .name = "vanilla_gang",
        .summary = "Gang scheduling: a time slice for each class of sizes, one after the other.",
        .parameters = bound_gang_parameters(),
        .check = gang_problems,
        .source = "Feitelson & Rudolph 1990; Wang, Papaefthymiou & Squillante 1997, section 2.3"};
    description.traits = [](const Parameters&) {
        return PolicyTraits{.preemptive = true};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<VanillaGang>(
            gang_settings(given), node_assignment(given), BuddyTrees(context.system.processors())
        );
    };
    description.make_verifier = [](const Parameters& given, const PolicyContext& context) {
        return make_vanilla_verifier(gang_settings(given), BuddyTrees(context.system.processors()));
    };
    description.check_system = gang_system_problems;
    return description;
}

}  // namespace schedfarm::policies
