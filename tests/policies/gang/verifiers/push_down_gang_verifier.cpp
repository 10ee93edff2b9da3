#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "tests/policies/gang/verifiers/bound_gang_verifier.hpp"
#include "tests/policies/gang/verifiers/plain_gang_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

class PushDownVerifier final : public BoundGangVerifier {
  public:
    PushDownVerifier(
        const BoundGangSettings& settings, RootSlice root_slice, const BuddyTrees& trees
    )
        : BoundGangVerifier(settings, trees)
        , root_slice_(root_slice)
        , root_{.clock = SliceClock(settings.gang.switches)}
        , root_part_{.job_class = trees.classes() - 1, .nodes = {{0, 1}}} {
        for (const BuddyTrees::Tree& tree : trees.trees()) {
            rotations_.push_back(rotation_of(tree));
        }
    }

  protected:
    void check(double time) override {
        walk(time);
        expect_in_slice(root_, time, [this](const Watched& job) { return is_root(job); });
        expect_served(time, rotations_.size(), root_, {root_part_});
        for (std::size_t tree = 0; tree < rotations_.size(); ++tree) {
            const Rotation& rotation = rotations_[tree];
            expect_in_slice(rotation.slice, time, [&](const Watched& job) {
                return !is_root(job) && tree_of(job.first) == tree;
            });
            if (rotation.slice.is_on) {
                expect_served(time, tree, rotation.slice, served(rotation));
            }
        }
    }

  private:
    /// The slices of the cycle that concern a tree, and where it is among them.
    struct Rotation {
        std::vector<SlicePart> parts = {};     // by class
        std::vector<std::size_t> slices = {};  // of the cycle: of the tree's classes or the root
        std::vector<double> quanta = {};       // of this cycle, by slice of the cycle
        std::size_t first = 0;                 // it begins as if this had just ended
        std::size_t at = 0;
        bool waits = false;  // for the root slice
        Slice slice;
    };

    Rotation rotation_of(const BuddyTrees::Tree& tree) {
        Rotation made{.slice = {.clock = SliceClock(settings().gang.switches)}};
        for (std::uint32_t own = 0; own <= tree.top; ++own) {
            made.parts.push_back({.job_class = own, .nodes = {BuddyTrees::nodes_of(tree, own)}});
        }
        for (std::size_t slice = 0; slice < quanta().slices(); ++slice) {
            const std::uint32_t row = quanta().row_class(slice);
            if (row <= tree.top || trees().is_root(row)) {
                made.slices.push_back(slice);
            }
        }
        made.first = trees().is_root(quanta().row_class(0)) ? 0 : made.slices.size() - 1;
        made.at = made.first;
        return made;
    }

    bool is_root(const Watched& job) const { return trees().is_root(job.job_class); }
    bool root_exists() const {
        return trees().has_root()
               && std::any_of(present().begin(), present().end(), [this](const Watched& job) {
                      return is_root(job);
                  });
    }
    std::uint32_t row_of(const Rotation& rotation) {
        return quanta().row_class(rotation.slices[rotation.at]);
    }

    void walk(double time) {
        for (Rotation& rotation : rotations_) {
            rotation.slice.is_new = false;
        }
        root_.is_new = false;
        const bool root_was_on = root_.is_on;
        root_.is_on = goes_on(root_, {&root_part_, 1}, time);
        if (root_.is_on) {
            return;
        }
        const bool is_free =
            !root_was_on
            && std::none_of(rotations_.begin(), rotations_.end(), [](const Rotation& rotation) {
                   return rotation.slice.is_on;
               });
        if (root_slice_ == RootSlice::first && is_free && root_exists()) {
            for (Rotation& rotation : rotations_) {
                wait_for_root(rotation);
            }
        }
        bool all_wait = true;
        for (std::size_t tree = 0; tree < rotations_.size(); ++tree) {
            if (root_was_on) {
                rotations_[tree].waits = false;
                rotations_[tree].quanta.clear();
            }
            walk_tree(tree, time, root_was_on);
            all_wait = all_wait && rotations_[tree].waits;
        }
        if (all_wait) {
            const Rotation& any = rotations_.front();
            const double quantum = quanta().of_cycle(time)[any.slices[any.at]];
            begin_slice(root_, time, root_part_.job_class, quantum);
            for (Rotation& rotation : rotations_) {
                rotation.slice.clock.forget();
            }
        }
    }

    void wait_for_root(Rotation& rotation) {
        if (!rotation.waits && settings().after_empty == AfterEmpty::top) {
            rotation.at = rotation.first;
        }
        while (!rotation.waits) {
            rotation.at = (rotation.at + 1) % rotation.slices.size();
            rotation.waits = trees().is_root(row_of(rotation));
        }
    }

    void walk_tree(std::size_t tree, double time, bool root_was_on) {
        Rotation& rotation = rotations_[tree];
        Slice& slice = rotation.slice;
        if (rotation.waits) {
            return;
        }
        const bool was_on = slice.is_on;
        slice.is_on = was_on && goes_on(slice, {&rotation.parts[row_of(rotation)], 1}, time, tree);
        if (slice.is_on) {
            return;
        }
        if (!was_on && !root_was_on && settings().after_empty == AfterEmpty::top) {
            rotation.at = rotation.first;
        }
        if (rotation.quanta.empty()) {
            rotation.quanta = quanta().of_cycle(time);
        }
        for (std::size_t tried = 0; tried < rotation.slices.size(); ++tried) {
            rotation.at = rotation.at + 1 == rotation.slices.size() ? 0 : rotation.at + 1;
            if (rotation.at == 0) {
                rotation.quanta = quanta().of_cycle(time);
            }
            const std::uint32_t row = row_of(rotation);
            rotation.waits = trees().is_root(row) && root_exists();
            if (rotation.waits) {
                return;
            }
            if (!trees().is_root(row) && had_work(rotation.parts[row], tree)) {
                begin_slice(slice, time, row, rotation.quanta[rotation.slices[rotation.at]]);
                root_.clock.forget();
                return;
            }
        }
    }

    /// What a slice serves, its own class first.
    std::vector<SlicePart> served(const Rotation& rotation) {
        const std::uint32_t own = row_of(rotation);
        std::vector<SlicePart> parts = {rotation.parts[own]};
        for (std::uint32_t distance = 1; distance <= own; ++distance) {
            parts.push_back(rotation.parts[own - distance]);
        }
        return parts;
    }

    /// Only what the parts serve runs, and no job of a part is neglected for one of a later part
    /// that began in this batch.
    void expect_served(
        double time, std::size_t tree, const Slice& slice, const std::vector<SlicePart>& parts
    ) const {
        for (const Watched& job : present()) {
            if (!job.is_running) {
                continue;
            }
            const std::size_t its = is_root(job) ? rotations_.size() : tree_of(job.first);
            const bool may_run = std::any_of(parts.begin(), parts.end(), [&](const auto& part) {
                return part.job_class == job.job_class;
            });
            expect(its != tree || may_run, time, job.index, "fills but may not");
        }
        std::vector<std::uint64_t> unseen;
        for (auto part = parts.rbegin(); slice.is_on && is_to_serve(slice) && part != parts.rend();
             ++part) {
            const auto job = neglected(*part, unseen);
            expect(!job, time, job.value_or(0), "is neglected");
            for (const Begun& other : begun()) {
                if (other.tree == tree && other.job_class == part->job_class) {
                    unseen.push_back(other.index);
                }
            }
        }
    }

    RootSlice root_slice_;
    std::vector<Rotation> rotations_;  // by tree
    Slice root_;
    SlicePart root_part_;
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_push_down_verifier(
    const BoundGangSettings& settings, RootSlice root_slice, const BuddyTrees& trees
) {
    return std::make_unique<PushDownVerifier>(settings, root_slice, trees);
}

}  // namespace schedfarm::tests
