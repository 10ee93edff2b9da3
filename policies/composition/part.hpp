// A part of a machine with a policy of its own, inside another policy. The inner policy sees the
// part as its whole machine: the machine's clusters with the part's processors, numbered from 0,
// and its own jobs, loads and timers; its actions become actions of the outer policy. Parts nest to
// any depth, because what a part acts on may be a part again.
//
// The outer policy decides which jobs are whose, collects an instant's events with the functions
// that name them, then has every part with events react, in order of number. It may also switch a
// part off and on again: its time stands still meanwhile (policies/composition/own_time.hpp), what
// runs is suspended, timers do not go off, and events wait.
//
// The inner policy knows jobs by numbers of the part's own, so that what it keeps by job grows with
// the part's jobs and not with the machine's.
//
// A job may be held: the inner policy sees it, or a piece of it, reserves and starts it, and
// outside nothing is known of that until the outer policy starts it with all its pieces. Cost: that
// of the inner policy, and O(shares) per action; O(processors of the part) per start where counted
// processors have to be named.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/planning/moving_ahead.hpp"
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/composition/own_time.hpp"
#include "policies/composition/part_shape.hpp"

namespace schedfarm::policies {

/// How processors that the inner policy takes by count are taken from the outer machine: by count,
/// or by name, the free ones with the lowest numbers. By name where another part names processors,
/// or where processors go out of order, since by count it is unknown whose they are.
enum class Counted : std::uint8_t { as_counts, by_name };

/// Which part of how many, as timers know it.
struct PartNumber {
    std::uint64_t number = 0;
    std::uint64_t parts = 1;

    /// Whose timer of the outer policy it is. REQUIRES: of a part's.
    static std::size_t owner(const engine::Timer& timer, std::uint64_t parts);
    /// The same timer, as the inner policy set it.
    static engine::Timer inner(const engine::Timer& timer, std::uint64_t parts);
};

class Part final : public engine::Actions {
  public:
    Part(
        PartShape shape, PartNumber number, Counted counted, std::unique_ptr<engine::Policy> policy
    );

    // An instant's events, of this part.
    /// The job's processors are free again.
    void complete(engine::JobId id);
    /// One that the inner policy has not seen yet has never come.
    void withdraw(engine::JobId id);
    void arrive(engine::JobId id) { arrivals_.push_back(enter(id)); }
    /// The outer policy chose this part for the job.
    enum class Standing : std::uint8_t { local, promoted };
    /// As `seen`, and held. What it promises and whether it has begun is for the outer policy; what
    /// is published of it is dropped.
    void arrive_held(engine::JobId id, const engine::Job& seen, Standing standing);
    void finish_load(engine::JobId id) { loads_finished_.push_back(inner_of(id)); }
    /// REQUIRES: PartNumber::owner() is this part.
    void go_off(engine::Timer timer);
    /// As far as it lies within the part.
    void change_capacity(const engine::CapacityChange& change);

    // Of a held job.
    /// No longer: promises and its start are again those of the inner policy. REQUIRES: it is
    /// whole.
    void let_go(engine::JobId id) { entry_of(id).is_held = false; }
    bool has_begun(engine::JobId id) const { return entry_of(id).has_begun; }
    const engine::Promise& promise_of(engine::JobId id) const { return entry_of(id).promise; }
    /// What it has taken by count. REQUIRES: it has begun.
    std::span<const engine::ClusterShare> shares_of(engine::JobId id) const {
        return held_[entry_of(id).holder].shares;
    }

    /// REQUIRES: the inner policy answers, and the part is never switched off.
    double earliest_start(const engine::Job& job, double from, double now) {
        return policy_->earliest_start(job, from, now);
    }
    std::unique_ptr<engine::StartOutlook> outlook(double now) { return policy_->outlook(now); }
    /// Null: the inner policy does not let others say when its jobs move ahead. Jobs are named by
    /// number().
    engine::MovingAhead* moving_ahead() const { return moving_ahead_; }
    engine::JobId number(engine::JobId id) const { return inner_of(id); }

    bool has_events() const;
    /// Has the inner policy react to the events, which are then forgotten.
    void react(engine::Actions& outer);

    // In turns with other parts on the same processors. REQUIRES: Counted::by_name.
    /// Suspends what runs.
    void switch_off(engine::Actions& outer, engine::Switch& change);
    /// Resumes it, on its processors.
    void switch_on(engine::Actions& outer, engine::Switch& change);

    const PartShape& shape() const { return shape_; }

    // For the inner policy.
    double now() const override { return time_.at(outer_->now()); }
    const engine::Machine& machine() const override { return machine_; }
    /// Submitted when the inner policy saw it, by its own time.
    const engine::Job& job(engine::JobId id) const override {
        const Entry& entry = entries_[id.value];
        return entry.seen != nullptr ? *entry.seen : outer_->job(entry.outer);
    }
    engine::JobState state(engine::JobId id) const override { return outer_->state(outer_of(id)); }
    void start(engine::JobId id, std::span<const engine::ClusterShare> shares) override;
    void start_on(engine::JobId id, std::span<const engine::ProcessorRange> processors) override;
    void suspend(engine::JobId id) override;
    void delay(engine::JobId id, double duration) override {
        outer_->delay(outer_of(id), duration);
    }
    void carry_out(const engine::Switch& change) override;
    void load(engine::JobId id, std::span<const engine::ProcessorRange> processors, double duration)
        override;
    double cut_load(engine::JobId id) override;
    void set_resident_memory(
        engine::JobId id,
        std::span<const engine::ProcessorRange> processors,
        double amount_per_processor
    ) override;
    void set_timer(double time, engine::Timer timer) override;
    void cancel_timer(engine::Timer timer) override;
    /// As its own, and the jobs by the machine's numbers. What is promised of a held job is kept,
    /// what is published of it dropped.
    void announce(const engine::Announcement& said) override;

  private:
    /// What a job holds, as the inner policy took it.
    struct Held {
        engine::JobId id;
        std::vector<engine::ClusterShare> shares;
        std::vector<engine::ProcessorRange> processors;
        std::vector<engine::ProcessorRange> outer;  ///< the machine's; empty: taken by count
    };
    struct Pending {
        double time = 0;  ///< the part's own
        engine::Timer timer;
    };

    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct Entry {
        engine::JobId outer;
        std::uint32_t holder = none;  ///< place among those that hold processors
        bool is_held = false;
        bool has_begun = false;
        engine::Promise promise;            ///< of a held job
        std::unique_ptr<engine::Job> seen;  ///< by the inner policy; null: as outside
    };

    // By the numbers of the machine.
    engine::JobId enter(engine::JobId outer);
    engine::JobId inner_of(engine::JobId outer) const { return {inner_.at(outer.value)}; }
    Entry& entry_of(engine::JobId outer) { return entries_[inner_of(outer).value]; }
    const Entry& entry_of(engine::JobId outer) const { return entries_[inner_of(outer).value]; }
    // By those of the part.
    engine::JobId outer_of(engine::JobId id) const { return entries_[id.value].outer; }
    void leave(engine::JobId id);

    Held& hold(engine::JobId id);
    /// The machine's processors. Valid until the job gives them back.
    std::span<const engine::ProcessorRange> hold(
        engine::JobId id, std::span<const engine::ProcessorRange> processors
    );
    void give_back(engine::JobId id);
    /// On the machine. Valid until the next call.
    std::span<const engine::ProcessorRange> to_outer(
        std::span<const engine::ProcessorRange> processors
    );
    void start_named(engine::JobId id, std::span<const engine::ClusterShare> shares);
    engine::Timer outer_timer(engine::Timer timer) const;
    void pass_on(const Pending& timer);

    PartShape shape_;
    PartNumber number_;
    Counted counted_;
    std::unique_ptr<engine::Policy> policy_;
    engine::MovingAhead* moving_ahead_;  // the policy, or null
    engine::Machine machine_;
    std::vector<Entry> entries_;                              // by the part's numbers
    std::vector<engine::JobId> unused_;                       // of them
    std::unordered_map<std::uint32_t, std::uint32_t> inner_;  // numbers, by those of the machine
    std::vector<Held> held_;
    std::vector<Pending> pending_timers_;  // as set
    OwnTime time_;
    engine::Actions* outer_ = nullptr;

    // The events of an instant.
    std::vector<engine::JobId> withdrawals_;
    std::vector<engine::JobId> completions_;
    std::vector<engine::JobId> arrivals_;
    std::vector<engine::JobId> promoted_;
    std::vector<engine::JobId> loads_finished_;
    std::vector<engine::Timer> timers_;
    std::vector<engine::CapacityChange> capacity_changes_;

    std::vector<engine::ProcessorRange> named_;             // of an action
    std::vector<engine::ProcessorRange> outer_processors_;  // the same on the outer machine
    engine::Switch outer_switch_;
};

}  // namespace schedfarm::policies
