// Gang scheduling with push-down, in which the processors that a slice leaves idle go to smaller
// classes (Wang, Papaefthymiou & Squillante 1997, sections 2.4 and 2.6): each tree goes through its
// classes by the rules of vanilla gang scheduling, on its own.
//
// In a slice of class i the jobs of class i come first, bound ones before queued ones; then, class
// by class, the next smaller first, the bound jobs whose processors are all idle and queued jobs on
// idle nodes that nobody of their class is bound to. Whoever fills so stays until
// the slice is over: when its quantum is, or when no job of class i runs. A tree that comes to the
// slice of the root class waits there while there is a job of that class; when all wait it has one
// slice, and all go on after it. So they do where no tree serves when the job comes, unless
// `root_slice` is in_turn: then the others come first. All trees begin as after a root slice. In
// the first part of a slice, the switch, nothing works. Jobs of the root class never fill.
//
// Cost: O(classes + jobs bound in the tree) per event, O(nodes of the class) per first dispatch.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/kernel/actions.hpp"

#include "policies/gang/bound_gang.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

/// When a job of the root class has its slice while no tree serves: at once, or when all trees have
/// come to that slice.
enum class RootSlice : std::uint8_t { first, in_turn };

class PushDownGang final : public BoundGang {
  public:
    PushDownGang(const BoundGangSettings& settings, RootSlice root_slice, const BuddyTrees& trees)
        : BoundGang(settings, trees)
        , root_slice_(root_slice)
        , root_part_{.job_class = trees.classes() - 1, .nodes = {{0, 1}}}
        , root_clock_(settings.gang.switches) {
        for (const BuddyTrees::Tree& tree : trees.trees()) {
            rotations_.push_back(rotation_of(tree));
        }
    }

  private:
    enum class Phase : std::uint8_t { idle, serves, waits, released };

    void decide(std::span<const Timer> timers, Actions& actions) override {
        bool root_is_over = false;
        for (const Timer timer : timers) {
            if (timer == root_timer) {
                root_is_over = true;
            } else {
                rotations_[timer.tag].is_over = true;
            }
        }
        if (root_is_active_ && !end_root(root_is_over, actions)) {
            return;
        }
        if (root_slice_ == RootSlice::first && has_root_jobs()) {
            let_idle_wait();
        }
        bool all_wait = true;
        for (std::size_t tree = 0; tree < rotations_.size(); ++tree) {
            go_on(tree, actions);
            all_wait = all_wait && rotations_[tree].phase == Phase::waits;
        }
        if (all_wait) {
            begin_root(actions);
        }
    }

    /// The slices of the cycle that concern a tree, and where it is among them.
    struct Rotation {
        std::vector<SlicePart> parts = {};     // by class
        std::vector<std::size_t> slices = {};  // of the cycle: of the tree's classes or the root
        std::size_t first = 0;                 // at the beginning it is as if this had just ended
        SliceClock clock;

        Phase phase = Phase::idle;
        std::size_t at = 0;               // the slice of now or the last
        std::vector<double> quanta = {};  // of this cycle, by slice of the cycle
        double works_from = 0;
        bool is_over = false;
    };

    static constexpr Timer root_timer{~std::uint64_t{0}};

    Rotation rotation_of(const BuddyTrees::Tree& tree) const {
        Rotation made{.clock = SliceClock(settings_.gang.switches)};
        for (std::uint32_t own = 0; own <= tree.top; ++own) {
            made.parts.push_back({.job_class = own, .nodes = {BuddyTrees::nodes_of(tree, own)}});
        }
        for (std::size_t slice = 0; slice < quanta_.slices(); ++slice) {
            const std::uint32_t row = quanta_.row_class(slice);
            if (row <= tree.top || trees_.is_root(row)) {
                made.slices.push_back(slice);
            }
        }
        made.first = trees_.is_root(quanta_.row_class(0)) ? 0 : made.slices.size() - 1;
        made.at = made.first;
        return made;
    }

    bool has_root_jobs() const {
        return trees_.has_root() && jobs_.present(root_part_.job_class) > 0;
    }
    bool refills() const { return settings_.gang.mid_slice == MidSlice::refill; }
    std::uint32_t row_of(const Rotation& rotation) const {
        return quanta_.row_class(rotation.slices[rotation.at]);
    }

    /// Where no tree serves, and no root slice has just ended, all wait for the root slice that is
    /// next in their rotation.
    void let_idle_wait() {
        const bool are_free =
            std::all_of(rotations_.begin(), rotations_.end(), [](const Rotation& rotation) {
                return rotation.phase == Phase::idle || rotation.phase == Phase::waits;
            });
        for (Rotation& rotation : rotations_) {
            if (!are_free || rotation.phase == Phase::waits) {
                continue;
            }
            rotation.at = settings_.after_empty == AfterEmpty::top ? rotation.first : rotation.at;
            do {
                rotation.at = rotation.at + 1 == rotation.slices.size() ? 0 : rotation.at + 1;
            } while (!trees_.is_root(row_of(rotation)));
            rotation.phase = Phase::waits;
        }
    }

    void begin_root(Actions& actions) {
        root_is_active_ = true;
        const double quantum =
            quanta_.of_cycle(actions.now())[rotations_.front().slices[rotations_.front().at]];
        const SliceTimes times = root_clock_.begin(actions.now(), root_part_.job_class, quantum);
        root_works_from_ = times.works_from;
        const ProcessorRange all{ProcessorId{0}, trees_.processors()};
        announce_slice(actions, root_part_.job_class, all, times.end);
        serve_root(actions.now());
        actions.set_timer(times.end, root_timer);
        for (Rotation& rotation : rotations_) {
            rotation.clock.forget();
        }
    }

    /// Whether the root slice is over; then all trees are to go on.
    bool end_root(bool is_over, Actions& actions) {
        if (!is_over) {
            if (refills()) {
                serve_root(actions.now());
            }
            if (jobs_.has_running(root_part_)) {
                return false;
            }
            actions.cancel_timer(root_timer);
        }
        jobs_.suspend(root_part_, change_);
        root_is_active_ = false;
        for (Rotation& rotation : rotations_) {
            rotation.phase = Phase::released;
            rotation.quanta.clear();
        }
        return true;
    }

    void go_on(std::size_t tree, Actions& actions) {
        Rotation& rotation = rotations_[tree];
        if (rotation.phase == Phase::waits) {
            return;
        }
        if (rotation.phase == Phase::serves) {
            if (!rotation.is_over) {
                if (goes_on(rotation, actions.now())) {
                    return;
                }
                actions.cancel_timer(Timer{tree});
            }
            for (const SlicePart& part : rotation.parts) {
                jobs_.suspend(part, change_);
            }
        } else if (rotation.phase == Phase::idle && settings_.after_empty == AfterEmpty::top) {
            rotation.at = rotation.first;
        }
        rotation.is_over = false;
        next_slice(tree, actions);
    }

    /// Whether jobs of the slice's class run, with those that can now.
    bool goes_on(const Rotation& rotation, double now) {
        if (refills()) {
            serve(rotation, row_of(rotation), now);
        }
        const bool runs = jobs_.has_running(rotation.parts[row_of(rotation)]);
        if (runs && refills()) {
            fill(rotation, now);
        }
        return runs;
    }

    void serve_root(double now) {
        jobs_.serve(root_part_, std::max(0.0, root_works_from_ - now), change_);
    }
    void serve(const Rotation& rotation, std::uint32_t job_class, double now) {
        jobs_.serve(rotation.parts[job_class], std::max(0.0, rotation.works_from - now), change_);
    }
    void fill(const Rotation& rotation, double now) {
        for (std::uint32_t job_class = row_of(rotation); job_class-- > 0;) {
            serve(rotation, job_class, now);
        }
    }

    void next_slice(std::size_t tree, Actions& actions) {
        Rotation& rotation = rotations_[tree];
        rotation.phase = Phase::idle;
        if (rotation.quanta.empty()) {
            rotation.quanta = quanta_.of_cycle(actions.now());
        }
        const std::size_t last = rotation.at;
        do {
            rotation.at = rotation.at + 1 == rotation.slices.size() ? 0 : rotation.at + 1;
            if (rotation.at == 0) {
                rotation.quanta = quanta_.of_cycle(actions.now());
            }
            const std::uint32_t row = row_of(rotation);
            if (!trees_.is_root(row) && jobs_.has_work(rotation.parts[row])) {
                begin(tree, actions);
                return;
            }
            if (trees_.is_root(row) && has_root_jobs()) {
                rotation.phase = Phase::waits;
                return;
            }
        } while (rotation.at != last);
    }

    void begin(std::size_t tree, Actions& actions) {
        Rotation& rotation = rotations_[tree];
        const double quantum = rotation.quanta[rotation.slices[rotation.at]];
        const SliceTimes times = rotation.clock.begin(actions.now(), row_of(rotation), quantum);
        rotation.phase = Phase::serves;
        rotation.works_from = times.works_from;
        const BuddyTrees::Tree& own = trees_.trees()[tree];
        const ProcessorRange processors{ProcessorId{own.first}, 1U << own.top};
        announce_slice(actions, row_of(rotation), processors, times.end);
        serve(rotation, row_of(rotation), actions.now());
        fill(rotation, actions.now());
        actions.set_timer(times.end, Timer{tree});
        root_clock_.forget();
    }

    RootSlice root_slice_;
    std::vector<Rotation> rotations_;  // by tree
    SlicePart root_part_;
    SliceClock root_clock_;
    double root_works_from_ = 0;
    bool root_is_active_ = false;
};

RootSlice root_slice(const Parameters& given) {
    return given.text("root_slice") == "in_turn" ? RootSlice::in_turn : RootSlice::first;
}

}  // namespace

PolicyDescription describe_push_down_gang() {
    PolicyDescription description = bound_gang_description();
    description.alternative.name = "push_down_gang";
    description.alternative.summary =
        "Gang scheduling with push-down: idle processors of a slice run bound jobs of "
        "smaller classes.";
    description.alternative.source = "Wang, Papaefthymiou & Squillante 1997, section 2.4";
    description.alternative.parameters.push_back(
        {.name = "root_slice",
         .meaning = "of a job larger than every tree, while no tree serves. first: it has its time "
                    "slice at once; in_turn: when all trees have come to that slice",
         .type = ParameterType::text,
         .default_value = "first",
         .words = {"first", "in_turn"}}
    );
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<PushDownGang>(
            bound_gang_settings(given), root_slice(given), BuddyTrees(context.system.processors())
        );
    };
    return description;
}

}  // namespace schedfarm::policies
