// Gang scheduling with tree packing: jobs stay on their nodes, and the idle processors of every
// time slice go to parasites, so many as any choice of bound jobs keeps busy (Wang, Papaefthymiou &
// Squillante 1997, section 7, name it; policies/gang/tree_packing.hpp says what is searched).
//
// Slices stand on a fixed grid, as with migration. In the row of the root class its oldest job has
// the machine to itself, if there is one. Else the bound jobs of the row's own classes run, then
// their queues go to free nodes; then the parasites; then the other queues, largest class first,
// which no choice of queued jobs betters. A queued job is bound to the free node where it keeps the
// most processors busy in a cycle. Nothing starts in mid-slice unless mid_slice says so; then what
// runs goes on and the rest is filled anew. Root-class jobs never fill.
//
// Cost: O(processors) per slice, O(nodes of the class · classes²) per first dispatch.
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/kernel/actions.hpp"

#include "policies/gang/grid_gang.hpp"
#include "policies/gang/tree_packing.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class TreePackingGang final : public GridGang {
  public:
    TreePackingGang(const GangSettings& settings, PackingTie tie, const BuddyTrees& trees)
        : GridGang(settings, trees)
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

  private:
    struct Sized {
        JobId id;
        std::uint32_t size = 0;
    };

    void arrive(JobId id, std::uint32_t size, std::uint32_t job_class) override {
        queues_[job_class].push_back({id, size});
    }

    void complete(JobId /*id*/, TreeNode at) override {
        packing_.release(at);
        packing_.unbind(at);
    }

    void begin(double /*now*/) override { packing_.release_all(); }

    void fill() override {
        const std::vector<SlicePart>& own = rows_[grid().row_class()];
        for (const SlicePart& part : own) {
            run_bound(part);
            run_queued(part);
        }
        for (const TreeNode at : packing_.parasites()) {
            run_at(at);
        }
        for (const SlicePart& part : fillers_) {
            run_queued(part);
        }
    }

    void run_bound(const SlicePart& part) {
        for (const NodeRange& range : part.nodes) {
            for (std::uint32_t node = range.first; node < range.end; ++node) {
                if (packing_.nodes().is_bound(part.job_class, node)
                    && packing_.nodes().is_idle(part.job_class, node)) {
                    run_at({part.job_class, node});
                }
            }
        }
    }

    void run_queued(const SlicePart& part) {
        std::deque<Sized>& queue = queues_[part.job_class];
        while (!queue.empty()) {
            const auto node = packing_.best_node(part.job_class, part.nodes);
            if (!node) {
                return;
            }
            at_[part.job_class][*node] = queue.front();
            queue.pop_front();
            packing_.bind({part.job_class, *node});
            run_at({part.job_class, *node});
        }
    }

    void run_at(TreeNode at) {
        const Sized& job = at_[at.node_class][at.node];
        run(job.id, job.size, at);
        packing_.occupy(at);
    }

    TreePacking packing_;
    std::vector<std::vector<SlicePart>> rows_;  // by class
    std::vector<SlicePart> fillers_;            // the largest class first
    std::vector<std::deque<Sized>> queues_;     // by class
    std::vector<std::vector<Sized>> at_;        // by class and node: the job bound to it
};

std::vector<ParameterDescription> tree_packing_gang_parameters() {
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

PackingTie packing_tie(const Parameters& given) {
    return given.text("order") == "leaves" ? PackingTie::leaves : PackingTie::root;
}

PolicyDescription describe_tree_packing_gang() {
    PolicyDescription description;
    description.alternative = {
        .name = "tree_packing_gang",
        .summary =
            "Gang scheduling with tree packing: idle processors of a slice run those bound jobs "
            "that keep the most of them busy.",
        .parameters = tree_packing_gang_parameters(),
        .check = gang_problems,
        .source = "Wang, Papaefthymiou & Squillante 1997, section 7"};
    description.traits = [](const Parameters&) {
        return PolicyTraits{.preemptive = true, .names_processors = true};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<TreePackingGang>(
            gang_settings(given), packing_tie(given), BuddyTrees(context.system.processors())
        );
    };
    description.check_system = gang_system_problems;
    return description;
}

}  // namespace schedfarm::policies
