#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "tests/policies/gang/verifiers/grid_gang_verifier.hpp"
#include "tests/policies/gang/verifiers/plain_gang_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

constexpr double tolerance = 1e-9;  // relative to the time

class TreePackingVerifier final : public GridGangVerifier {
  public:
    TreePackingVerifier(const GangSettings& settings, PackingTie tie, const BuddyTrees& trees)
        : GridGangVerifier(settings, trees), tie_(tie) {}

  protected:
    void check(double time, Moment moment) override {
        if (refills() || moment == Moment::slice_begins) {
            expect_own(time);
            expect_parasites(time);
            expect_queues(time);
        }
        fresh_.clear();
        settled_.clear();
        for (const Watched& job : present()) {
            if (job.is_running) {
                settled_.push_back(job.index);
            }
        }
    }

    void begin(const ScheduleStep& step, const Watched& before) override {
        const std::uint32_t first = step.processors.front().first.value;
        expect_start(step, before);
        const double due = std::max(0.0, grid().start() + grid().cost_s() - step.time);
        const bool pays = std::abs(before.paid - due) <= tolerance * (1 + step.time);
        expect(pays, step.time, before.index, "does not pay what the switch costs");
        if (before.has_started) {
            expect(before.first == first, step.time, before.index, "leaves its node");
            return;
        }
        const bool is_taken = bound_at(first, before.job_class) != nullptr;
        expect(!is_taken, step.time, before.index, "is bound to a node that is taken");
        fresh_.push_back(before.index);
    }

    void end(const ScheduleStep& step, const Watched& job) override {
        GridGangVerifier::end(step, job);
        std::erase(settled_, job.index);
    }

  private:
    static bool holds(const std::vector<std::uint64_t>& jobs, const Watched& job) {
        return std::find(jobs.begin(), jobs.end(), job.index) != jobs.end();
    }
    bool is_own(std::uint32_t job_class, std::uint32_t processor) const {
        const std::uint32_t row = grid().row_class();
        return trees().is_root(row)
                   ? job_class == row
                   : job_class == served_class(trees().trees()[tree_of(processor)], row);
    }
    const Watched* bound_at(std::uint32_t first, std::uint32_t job_class) const {
        const auto at = std::find_if(present().begin(), present().end(), [&](const Watched& job) {
            return job.has_started && job.first == first && job.job_class == job_class;
        });
        return at == present().end() ? nullptr : &*at;
    }
    /// Whether no running job that `counts` has processors of the node.
    template <typename Counts>
    bool is_idle(std::uint32_t first, std::uint32_t job_class, Counts counts) const {
        const std::uint32_t size = trees().node_size(job_class);
        return std::none_of(present().begin(), present().end(), [&](const Watched& job) {
            return job.is_running && counts(job) && job.first < first + size
                   && first < job.first + trees().node_size(job.job_class);
        });
    }
    /// Running jobs that come before the parasites.
    auto comes_first() const {
        return [this](const Watched& job) {
            return holds(settled_, job) || is_own(job.job_class, job.first);
        };
    }

    /// Whether a job that waits could have a node, besides the running jobs that count.
    template <typename Counts>
    bool has_node(const Watched& job, bool own_only, Counts counts) const {
        const std::uint32_t size = trees().node_size(job.job_class);
        for (std::uint32_t node = 0; node < trees().node_count(job.job_class); ++node) {
            const std::uint32_t first = node * size;
            if ((!own_only || is_own(job.job_class, first))
                && bound_at(first, job.job_class) == nullptr
                && is_idle(first, job.job_class, counts)) {
                return true;
            }
        }
        return false;
    }

    void expect_own(double time) const {
        for (const Watched& job : present()) {
            const bool is_free = job.has_started
                                     ? !job.is_running && is_own(job.job_class, job.first)
                                           && is_idle(job.first, job.job_class, comes_first())
                                     : has_node(job, true, comes_first());
            expect(!is_free, time, job.index, "is neglected in the slice of its class");
        }
    }

    /// The parasite of a node, if its own job could be one.
    const Watched* candidate(std::uint32_t first, std::uint32_t job_class) const {
        const Watched* job = bound_at(first, job_class);
        const bool may_be = job != nullptr && !holds(fresh_, *job) && !comes_first()(*job)
                            && is_idle(first, job_class, comes_first());
        return may_be ? job : nullptr;
    }
    /// Processors of the node that parasites can keep busy.
    std::uint32_t best(std::uint32_t first, std::uint32_t job_class) const {
        const std::uint32_t own =
            candidate(first, job_class) != nullptr ? trees().node_size(job_class) : 0;
        if (job_class == 0) {
            return own;
        }
        const std::uint32_t half = trees().node_size(job_class - 1);
        return std::max(own, best(first, job_class - 1) + best(first + half, job_class - 1));
    }
    void name(std::uint32_t first, std::uint32_t job_class) {
        const std::uint32_t most = best(first, job_class);
        if (most == 0) {
            return;
        }
        const Watched* job = candidate(first, job_class);
        const bool is_best = job != nullptr && trees().node_size(job_class) == most;
        const std::uint32_t half = job_class == 0 ? 0 : trees().node_size(job_class - 1);
        const bool is_matched =
            half > 0 && best(first, job_class - 1) + best(first + half, job_class - 1) == most;
        if (is_best && (!is_matched || tie_ == PackingTie::root)) {
            named_.push_back(job->index);
        } else {
            name(first, job_class - 1);
            name(first + half, job_class - 1);
        }
    }

    void expect_parasites(double time) {
        named_.clear();
        for (const BuddyTrees::Tree& tree : trees().trees()) {
            name(tree.first, tree.top);
        }
        for (const Watched& job : present()) {
            const bool is_parasite = job.is_running && !comes_first()(job) && !holds(fresh_, job);
            expect(!is_parasite || holds(named_, job), time, job.index, "should be no parasite");
            expect(is_parasite || !holds(named_, job), time, job.index, "should be a parasite");
        }
    }

    /// Queued jobs stand behind all but queued jobs of smaller classes.
    void expect_queues(double time) const {
        for (const Watched& job : present()) {
            if (job.has_started || trees().is_root(job.job_class)) {
                continue;
            }
            const bool is_free = has_node(job, false, [&](const Watched& other) {
                return !holds(fresh_, other) || comes_first()(other)
                       || other.job_class >= job.job_class;
            });
            expect(!is_free, time, job.index, "waits though the larger jobs leave it a node");
        }
    }

    PackingTie tie_;
    std::vector<std::uint64_t> fresh_;    // jobs bound in this batch of events
    std::vector<std::uint64_t> settled_;  // that have run since an earlier one
    std::vector<std::uint64_t> named_;    // parasites by the rule
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_tree_packing_verifier(
    const GangSettings& settings, PackingTie tie, const BuddyTrees& trees
) {
    return std::make_unique<TreePackingVerifier>(settings, tie, trees);
}

}  // namespace schedfarm::tests
