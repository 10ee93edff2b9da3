#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/policies/gang/verifiers/grid_gang_verifier.hpp"
#include "tests/policies/gang/verifiers/plain_gang_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

class MigrationVerifier final : public GridGangVerifier {
  public:
    MigrationVerifier(const GangSettings& settings, FillOrder order, const BuddyTrees& trees)
        : GridGangVerifier(settings, trees)
        , order_(order)
        , fill_order_(order == FillOrder::adaptive ? FillOrder::leaves : order) {}

  protected:
    void enter_slice() override {
        if (order_ == FillOrder::adaptive && grid().is_first_of_cycle()) {
            fill_order_ = FillOrder::leaves;  // if no job is there
        }
    }
    void check(double time, Moment moment) override {
        if (moment == Moment::slice_begins) {
            expect_rule(time);
        }
        if (refills()) {
            expect_full(time);
        }
    }
    void begin(const ScheduleStep& step, const Watched& before) override {
        const double spent = expect_start(step, before);
        const double due = std::max(0.0, grid().cost_s() - spent);
        expect(before.paid == due, step.time, before.index, "does not pay what the switch costs");
    }

  private:
    bool fills(std::uint32_t job_class) const { return !trees().is_root(job_class); }

    /// What the jobs that are there ask for in each half of the classes that fill.
    void adapt() {
        const std::uint32_t fillers = trees().classes() - (trees().has_root() ? 1 : 0);
        std::uint64_t small = 0;
        std::uint64_t large = 0;
        for (const Watched& job : present()) {
            if (job.job_class < fillers / 2) {
                small += trees().node_size(job.job_class);
            } else if (fills(job.job_class) && job.job_class >= fillers - fillers / 2) {
                large += trees().node_size(job.job_class);
            }
        }
        fill_order_ = large > small ? FillOrder::root : FillOrder::leaves;
    }

    /// No class that may run in the slice has a job that waits beside a node that is idle.
    void expect_full(double time) const {
        for (const Watched& waiting : present()) {
            if (waiting.is_running || (!fills(waiting.job_class) && waiting.job_class != row())) {
                continue;
            }
            for (std::uint32_t node = 0; node < trees().node_count(waiting.job_class); ++node) {
                const std::uint32_t size = trees().node_size(waiting.job_class);
                const bool is_idle =
                    std::none_of(present().begin(), present().end(), [&](const Watched& job) {
                        return job.is_running && job.first < (node + 1) * size
                               && node * size < job.first + trees().node_size(job.job_class);
                    });
                expect(!is_idle, time, waiting.index, "waits beside an idle node");
            }
        }
    }
    std::uint32_t row() const { return grid().row_class(); }

    /// Takes the job into the rule's set if it fits.
    bool take(std::size_t job) {
        const std::uint32_t size = trees().node_size(present()[job].job_class);
        if (rule_[job] || size > idle_) {
            return rule_[job];
        }
        rule_[job] = true;
        idle_ -= size;
        return true;
    }
    /// The oldest jobs of a class that are not taken yet: at most so many.
    void take_class(std::uint32_t job_class, std::uint32_t most) {
        for (std::size_t job = 0; job < present().size() && most > 0; ++job) {
            if (present()[job].job_class == job_class && !rule_[job]) {
                if (!take(job)) {
                    return;
                }
                --most;
            }
        }
    }

    void name_by_rule() {
        rule_.assign(present().size(), false);
        idle_ = trees().processors();
        if (trees().is_root(row())) {
            take_class(row(), 1);
        } else {
            for (const BuddyTrees::Tree& tree : trees().trees()) {
                const std::uint32_t own = served_class(tree, row());
                take_class(own, (1U << tree.top) / (1U << own));
            }
        }
        const std::uint32_t fillers = trees().classes() - (trees().has_root() ? 1 : 0);
        for (std::uint32_t i = 0; i < fillers; ++i) {
            take_class(fill_order_ == FillOrder::leaves ? i : fillers - 1 - i, never_mind);
        }
    }

    void expect_rule(double time) {
        if (order_ == FillOrder::adaptive && grid().is_first_of_cycle()) {
            adapt();
        }
        name_by_rule();
        for (std::size_t job = 0; job < present().size(); ++job) {
            const Watched& watched = present()[job];
            expect(watched.is_running || !rule_[job], time, watched.index, "should run");
            expect(!watched.is_running || rule_[job], time, watched.index, "should not run");
        }
    }

    static constexpr std::uint32_t never_mind = ~std::uint32_t{0};

    FillOrder order_;
    FillOrder fill_order_;  // of the cycle

    std::vector<bool> rule_;  // by job present
    std::uint32_t idle_ = 0;
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_migration_verifier(
    const GangSettings& settings, FillOrder order, const BuddyTrees& trees
) {
    return std::make_unique<MigrationVerifier>(settings, order, trees);
}

}  // namespace schedfarm::tests
