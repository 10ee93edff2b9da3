#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "policies/gang/gang_verifier.hpp"
#include "policies/gang/migration_gang.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr double never = std::numeric_limits<double>::infinity();

// Walks the grid of slices beside the schedule.
class MigrationVerifier final : public GangVerifier {
  public:
    MigrationVerifier(const GangSettings& settings, FillOrder order, const BuddyTrees& trees)
        : GangVerifier(trees)
        , refills_(settings.mid_slice == MidSlice::refill)
        , order_(order)
        , fill_order_(order == FillOrder::adaptive ? FillOrder::leaves : order)
        , grid_(settings, trees) {}

    void end_of_instant(double time) override {
        walk_to(time);
        if (due_ < time) {
            throw ScheduleError(fmt::format("the time slice at {} was left out", due_));
        }
        if (grid_.start() == time && checked_ != time) {
            checked_ = time;
            expect_rule(time);
        }
        if (refills_) {
            expect_full(time);
        }
        due_ = present().empty() ? never : grid_.end();
    }

  protected:
    void arrive(const ScheduleStep& step, const Watched& job) override {
        grid_.arrive(step.job->submit_time, step.job->service_time, job.job_class);
    }
    void begin(const ScheduleStep& step, const Watched& before) override {
        walk_to(step.time);
        const double spent = step.time - grid_.start();
        expect(spent == 0 || refills_, step.time, before.index, "starts in the middle of a slice");
        const double due = std::max(0.0, grid_.cost_s() - spent);
        expect(before.paid == due, step.time, before.index, "does not pay what the switch costs");
    }
    // A step comes before the end of its instant: the slice is still the one that it ends in.
    void end(const ScheduleStep& step, const Watched& job) override {
        const bool is_suspended = step.kind == ScheduleStep::Kind::suspend;
        const bool is_inside = is_suspended ? step.time == grid_.end() : step.time <= grid_.end();
        const bool is_whole = job.since >= grid_.start();
        expect(is_inside && is_whole, step.time, job.index, "crosses or leaves a slice");
    }

  private:
    void walk_to(double time) {
        while (grid_.end() <= time) {
            grid_.next();
            if (order_ == FillOrder::adaptive && grid_.is_first_of_cycle()) {
                fill_order_ = FillOrder::leaves;  // if no job is there
            }
        }
    }

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
    std::uint32_t row() const { return grid_.row_class(); }

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
        if (order_ == FillOrder::adaptive && grid_.is_first_of_cycle()) {
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

    bool refills_;
    FillOrder order_;
    FillOrder fill_order_;  // of the cycle
    SliceGrid grid_;
    double due_ = never;
    double checked_ = -1;

    std::vector<bool> rule_;  // by job present
    std::uint32_t idle_ = 0;
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_migration_verifier(
    const GangSettings& settings, FillOrder order, const BuddyTrees& trees
) {
    return std::make_unique<MigrationVerifier>(settings, order, trees);
}

}  // namespace schedfarm::policies
