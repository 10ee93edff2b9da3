#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "policies/gang_verifier.hpp"
#include "policies/migration_gang.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr double never = std::numeric_limits<double>::infinity();

// Walks the grid of slices beside the schedule.
class MigrationVerifier final : public GangVerifier {
  public:
    MigrationVerifier(const GangSettings& settings, FillOrder order, const BuddyTrees& trees)
        : GangVerifier(trees), settings_(settings), order_(order), quanta_(settings, trees) {}

    void end_of_instant(double time) override {
        walk_to(time);
        if (due_ < time) {
            throw ScheduleError(fmt::format("the time slice at {} was left out", due_));
        }
        if (start_ == time && checked_ != time) {
            checked_ = time;
            expect_rule(time);
        }
        due_ = end_;
        if (present().empty()) {
            due_ = never;
        }
    }

  protected:
    void arrive(const ScheduleStep& step, const Watched& job) override {
        quanta_.arrive(step.job->submit_time, step.job->service_time, job.job_class);
    }
    void begin(const ScheduleStep& step, const Watched& before) override {
        walk_to(step.time);
        expect(step.time == start_, step.time, before.index, "starts in the middle of a slice");
        const bool pays = before.paid == settings_.switch_cost_s;
        expect(pays, step.time, before.index, "does not pay what the switch costs");
    }
    // A step comes before the end of its instant: the slice is still the one that it ends in.
    void end(const ScheduleStep& step, const Watched& job) override {
        const bool is_suspended = step.kind == ScheduleStep::Kind::suspend;
        const bool is_inside = is_suspended ? step.time == end_ : step.time <= end_;
        const bool is_whole = job.since == start_ && is_inside;
        expect(is_whole, step.time, job.index, "crosses or leaves a slice");
    }

  private:
    void walk_to(double time) {
        while (end_ <= time) {
            const double cycle_start = cycle_ * settings_.cycle_s;
            start_ = cycle_start + offset_;
            offset_ += quanta_.of_cycle(cycle_start)[row_];
            current_ = row_;
            end_ = cycle_start + offset_;
            if (++row_ == trees().classes()) {
                row_ = 0;
                offset_ = 0;
                cycle_ += 1;
                end_ = cycle_ * settings_.cycle_s;
            }
        }
    }

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
        const std::uint32_t row_class = trees().classes() - 1 - current_;
        if (trees().is_root(row_class)) {
            take_class(row_class, 1);
        } else {
            for (const BuddyTrees::Tree& tree : trees().trees()) {
                const std::uint32_t own = served_class(tree, row_class);
                take_class(own, (1U << tree.top) / (1U << own));
            }
        }
        const std::uint32_t fillers = trees().classes() - (trees().has_root() ? 1 : 0);
        for (std::uint32_t i = 0; i < fillers; ++i) {
            take_class(order_ == FillOrder::leaves ? i : fillers - 1 - i, never_mind);
        }
    }

    void expect_rule(double time) {
        name_by_rule();
        for (std::size_t job = 0; job < present().size(); ++job) {
            const Watched& watched = present()[job];
            expect(watched.is_running || !rule_[job], time, watched.index, "should run");
            expect(!watched.is_running || rule_[job], time, watched.index, "should not run");
        }
    }

    static constexpr std::uint32_t never_mind = ~std::uint32_t{0};

    GangSettings settings_;
    FillOrder order_;
    GangQuanta quanta_;

    double start_ = -1;  // of the current slice
    double end_ = 0;
    std::uint32_t current_ = 0;  // its row
    double cycle_ = 0;           // of the slice after it
    std::uint32_t row_ = 0;
    double offset_ = 0;
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
