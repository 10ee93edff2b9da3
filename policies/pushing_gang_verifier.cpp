#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "policies/bound_gang_verifier.hpp"
#include "policies/pushing_gang.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

// The class of a slice is that of the job that begins first where nothing ran.
class PushingVerifier final : public BoundGangVerifier {
  public:
    PushingVerifier(
        const BoundGangSettings& settings, PushDirection direction, const BuddyTrees& trees
    )
        : BoundGangVerifier(settings, trees), direction_(direction), own_(trees.trees().size()) {}

  protected:
    void check(double time) override {
        const bool root_exists = trees().has_root() && jobs_of(trees().classes() - 1) > 0;
        const bool root_runs = root_exists && runs_in(root_part());
        bool any_runs = root_runs;
        for (std::size_t tree = 0; tree < own_.size(); ++tree) {
            if (!runs_on(tree)) {
                own_[tree].reset();
            }
            any_runs = any_runs || own_[tree];
            if (own_[tree]) {
                expect_tree(!root_runs, time, tree, "runs beside the root class");
                expect_slice(time, tree, *own_[tree]);
            } else if (!root_exists) {
                for (std::uint32_t k = 0; k <= trees().trees()[tree].top; ++k) {
                    expect_tree(!neglected(part(tree, k)), time, tree, "is idle and has work");
                }
            }
        }
        const bool root_is_within = is_within(time, own_.size(), trees().classes() - 1);
        expect_tree(!root_runs || root_is_within, time, own_.size(), "goes on after its slice");
        expect_tree(!root_exists || any_runs, time, own_.size(), "waits though nothing runs");
        begun_.clear();
    }

    std::size_t group_of(std::uint32_t job_class, std::uint32_t processor) const override {
        return trees().is_root(job_class) ? own_.size() : tree_of(processor);
    }

    void begin(const ScheduleStep& step, const Watched& before) override {
        const std::size_t group = group_of(before.job_class, step.processors.front().first.value);
        if (group < own_.size() && !runs_on(group)) {
            own_[group] = before.job_class;
        }
        begun_.push_back({before.index, before.job_class, group});
        BoundGangVerifier::begin(step, before);
    }

    // Jobs of the slice's own class stop when it is over; then, or when none of them runs any more,
    // those that fill it.
    void end(const ScheduleStep& step, const Watched& job) override {
        if (step.kind != ScheduleStep::Kind::suspend) {
            return;
        }
        const std::size_t group = group_of(job.job_class, job.first);
        const std::uint32_t own =
            group == own_.size() ? job.job_class : own_[group].value_or(job.job_class);
        const bool fills = job.job_class != own;
        const bool is_over =
            is_expiry(step.time, group, own) || (fills && !runs_in(part(group, own)));
        expect(is_over, step.time, job.index, "is suspended before its slice is over");
    }

  private:
    SlicePart part(std::size_t tree, std::uint32_t job_class) const {
        return {
            .job_class = job_class,
            .nodes = {BuddyTrees::nodes_of(trees().trees()[tree], job_class)}};
    }
    SlicePart root_part() const { return {.job_class = trees().classes() - 1, .nodes = {{0, 1}}}; }
    bool runs_on(std::size_t tree) const {
        return std::any_of(present().begin(), present().end(), [&](const Watched& job) {
            return job.is_running && group_of(job.job_class, job.first) == tree;
        });
    }
    /// The classes that a slice serves, its own first.
    std::vector<std::uint32_t> served(std::size_t tree, std::uint32_t own) const {
        std::vector<std::uint32_t> classes = {own};
        const std::uint32_t top = trees().trees()[tree].top;
        for (std::uint32_t distance = 1; direction_ != PushDirection::up && distance <= own;
             ++distance) {
            classes.push_back(own - distance);
        }
        for (std::uint32_t k = own + 1; direction_ != PushDirection::down && k <= top; ++k) {
            classes.push_back(k);
        }
        if (direction_ == PushDirection::both) {
            std::stable_sort(classes.begin() + 1, classes.end(), [this](auto a, auto b) {
                return jobs_of(a) > jobs_of(b);
            });
        }
        return classes;
    }
    std::int64_t jobs_of(std::uint32_t job_class) const {
        return std::count_if(present().begin(), present().end(), [job_class](const auto& job) {
            return job.job_class == job_class;
        });
    }
    /// No job of a class is neglected for one of a later class that began in this batch.
    void expect_slice(double time, std::size_t tree, std::uint32_t own) const {
        expect_tree(is_within(time, tree, own), time, tree, "goes on after its slice");
        const std::vector<std::uint32_t> classes = served(tree, own);
        for (std::uint32_t k = 0; k <= trees().trees()[tree].top; ++k) {
            const bool may_run = std::find(classes.begin(), classes.end(), k) != classes.end();
            expect_tree(
                may_run || !runs_in(part(tree, k)), time, tree, "runs a class that may not fill"
            );
        }
        std::vector<std::uint64_t> unseen;
        for (auto k = classes.rbegin(); is_to_serve(tree) && k != classes.rend(); ++k) {
            expect_tree(!neglected(part(tree, *k), unseen), time, tree, "neglects a job");
            for (const Begun& job : begun_) {
                if (job.group == tree && job.job_class == *k) {
                    unseen.push_back(job.index);
                }
            }
        }
    }
    void expect_tree(bool holds, double time, std::size_t tree, const char* problem) const {
        if (!holds) {
            const bool is_root = tree == own_.size();
            const std::string name = is_root ? "the root class" : fmt::format("tree {}", tree);
            throw ScheduleError(fmt::format("at time {}: {} {}", time, name, problem));
        }
    }

    struct Begun {
        std::uint64_t index = 0;
        std::uint32_t job_class = 0;
        std::size_t group = 0;
    };

    PushDirection direction_;
    std::vector<Begun> begun_;                       // in this batch of events
    std::vector<std::optional<std::uint32_t>> own_;  // by tree: the class of its slice
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_pushing_verifier(
    const BoundGangSettings& settings, PushDirection direction, const BuddyTrees& trees
) {
    return std::make_unique<PushingVerifier>(settings, direction, trees);
}

}  // namespace schedfarm::policies
