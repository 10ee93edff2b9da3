// Gang scheduling with tree packing: jobs stay on their nodes, and the idle processors of every
// time slice go to parasites, so many as any choice of bound jobs keeps busy (Wang, Papaefthymiou &
// Squillante 1997, section 7, name it; policies/tree_packing.hpp says what is searched).
//
// Slices stand on a fixed grid, as with migration. In the row of the root class its oldest job has
// the machine to itself, if there is one. Else the bound jobs of the row's own classes run, then
// their queues go to free nodes; then the parasites; then the other queues, largest class first,
// which no choice of queued jobs betters. A queued job is bound to the free node where it keeps the
// most processors busy in a cycle. Nothing starts in mid-slice unless mid_slice says so; then what
// runs goes on and the rest is filled anew. Root-class jobs never fill.
//
// Cost: O(processors) per slice, O(nodes of the class · classes²) per first dispatch.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/actions.hpp"

#include "policies/slice_grid.hpp"
#include "policies/tree_packing.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class TreePackingGang final : public Policy {
  public:
    TreePackingGang(const GangSettings& settings, PackingTie tie, const BuddyTrees& trees)
        : refills_(settings.mid_slice == MidSlice::refill)
        , trees_(trees)
        , grid_(settings, trees)
        , packing_(trees, rows_of_cycle(settings, trees), tie)
        , queues_(trees.classes()) {
        for (std::uint32_t row = 0; row < trees.classes(); ++row) {
            rows_.push_back(row_parts(trees, row));
            at_.emplace_back(trees.node_count(row));
        }
        for (std::uint32_t i = trees.trees().front().top + 1; i-- > 0;) {
            fillers_.push_back({.job_class = i, .nodes = {{0, trees.node_count(i)}}});
        }
    }

    void react(const EventBatch& events, Actions& actions) override {
        for (const JobId id : events.completions) {
            complete(id);
        }
        for (const JobId id : events.arrivals) {
            const Job& job = actions.job(id);
            const std::uint32_t job_class = gang_class(job, trees_);
            grid_.arrive(job.submit_time, job.service_time, job_class);
            queues_[job_class].push_back(id);
            ++jobs_;
        }
        if (!events.timers.empty()) {
            end_slice(actions);
        }
        if (jobs_ == 0) {
            return;
        }
        if (!events.timers.empty()) {
            grid_.next();
            begin_slice(actions);
        } else if (!is_timed_) {
            grid_.go_to(actions.now());
            if (refills_ || grid_.start() == actions.now()) {
                begin_slice(actions);
            } else {
                set_timer(actions);
            }
        } else if (refills_) {
            fill(actions);
        }
    }

  private:
    struct Running {
        JobId id;
        TreeNode at;
    };

    void complete(JobId id) {
        const auto one = std::find_if(running_.begin(), running_.end(), [id](const Running& job) {
            return job.id == id;
        });
        packing_.release(one->at);
        packing_.unbind(one->at);
        running_.erase(one);
        --jobs_;
    }

    void set_timer(Actions& actions) {
        actions.set_timer(grid_.end(), Timer{});
        is_timed_ = true;
    }

    void end_slice(Actions& actions) {
        is_timed_ = false;
        for (const Running& job : running_) {
            actions.suspend(job.id);
            packing_.release(job.at);
        }
        running_.clear();
    }

    void begin_slice(Actions& actions) {
        fill(actions);
        set_timer(actions);
    }

    void fill(Actions& actions) {
        const std::vector<SlicePart>& own = rows_[grid_.row_class()];
        for (const SlicePart& part : own) {
            run_bound(part, actions);
            run_queued(part, actions);
        }
        for (const TreeNode at : packing_.parasites()) {
            run(at, actions);
        }
        for (const SlicePart& part : fillers_) {
            run_queued(part, actions);
        }
    }

    void run_bound(const SlicePart& part, Actions& actions) {
        for (const NodeRange& range : part.nodes) {
            for (std::uint32_t node = range.first; node < range.end; ++node) {
                if (packing_.nodes().is_bound(part.job_class, node)
                    && packing_.nodes().is_idle(part.job_class, node)) {
                    run({part.job_class, node}, actions);
                }
            }
        }
    }

    void run_queued(const SlicePart& part, Actions& actions) {
        std::deque<JobId>& queue = queues_[part.job_class];
        while (!queue.empty()) {
            const auto node = packing_.best_node(part.job_class, part.nodes);
            if (!node) {
                return;
            }
            at_[part.job_class][*node] = queue.front();
            queue.pop_front();
            packing_.bind({part.job_class, *node});
            run({part.job_class, *node}, actions);
        }
    }

    void run(TreeNode at, Actions& actions) {
        const JobId id = at_[at.node_class][at.node];
        const ProcessorRange range{
            ProcessorId{at.node * trees_.node_size(at.node_class)}, actions.job(id).size};
        const double works_from = grid_.start() + grid_.cost_s();
        if (works_from > actions.now()) {
            actions.delay(id, works_from - actions.now());
        }
        actions.start_on(id, {&range, 1});
        packing_.occupy(at);
        running_.push_back({id, at});
    }

    bool refills_;
    BuddyTrees trees_;
    SliceGrid grid_;
    TreePacking packing_;
    std::vector<std::vector<SlicePart>> rows_;  // by class
    std::vector<SlicePart> fillers_;            // the largest class first
    std::vector<std::deque<JobId>> queues_;     // by class
    std::vector<std::vector<JobId>> at_;        // by class and node: the job bound to it
    std::vector<Running> running_;
    std::uint64_t jobs_ = 0;
    bool is_timed_ = false;
};

PackingTie packing_tie(const Parameters& given) {
    return given.text("order") == "leaves" ? PackingTie::leaves : PackingTie::root;
}

std::vector<ParameterDescription> parameters() {
    std::vector<ParameterDescription> table = {
        {.name = "order",
         .meaning = "of choices that keep as many processors busy. leaves: the one with smaller "
                    "jobs; root: with larger ones",
         .type = ParameterType::text,
         .default_value = "leaves",
         .words = {"leaves", "root"}}};
    const std::vector<ParameterDescription> shared = gang_parameters(MidSlice::idle);
    table.insert(table.end(), shared.begin(), shared.end());
    return table;
}

}  // namespace

PolicyDescription describe_tree_packing_gang() {
    PolicyDescription description;
    description.alternative = {
        .name = "tree_packing_gang",
        .summary =
            "Gang scheduling with tree packing: idle processors of a slice run those bound jobs "
            "that keep the most of them busy.",
        .parameters = parameters(),
        .check = gang_problems,
        .source = "Wang, Papaefthymiou & Squillante 1997, section 7"};
    description.traits = [](const Parameters&) {
        return PolicyTraits{.preemptive = true};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<TreePackingGang>(
            gang_settings(given), packing_tie(given), BuddyTrees(context.system.processors())
        );
    };
    description.make_verifier = [](const Parameters& given, const PolicyContext& context) {
        return make_tree_packing_verifier(
            gang_settings(given), packing_tie(given), BuddyTrees(context.system.processors())
        );
    };
    description.check_system = gang_system_problems;
    return description;
}

}  // namespace schedfarm::policies
