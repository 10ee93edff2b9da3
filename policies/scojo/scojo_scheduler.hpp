// Scojo-PECT (Esbaugh & Sodan 2007; Esbaugh 2010): coarse-grain time slices by type of job, and
// backfilling across types.
//
// Jobs have types by their run times (short, medium, long) and each type has a slice of every
// interval, on a fixed grid from time 0. At each instant with a completion, an arrival or the begin
// of a slice there is one pass, in this order:
//   1. jobs of the slice's type that have started go on;
//   2. those that wait start, in order of arrival;
//   3. jobs of the other types that have started go on where all their nodes are free, types in the
//      order of their slices;
//   4. with relocation, those that cannot go on move to free nodes that no job of their type has;
//   5. jobs of the other types that wait start where they delay none of their type.
// A job keeps the nodes on which it started. Nobody is preempted inside a slice; at the begin of a
// slice all are, and who gets the same nodes at once has lost nothing.
//
// No delay: the own slices of a type are a machine of all nodes, on which jobs that have started
// hold theirs for the time that they have left. A job that waits is planned there for its load and
// its run time; under conservative backfilling behind all that came before, under EASY beside the
// first that cannot start. It starts if its place is now and enough nodes are free that no job of
// its type holds. Else, in a slice of another type, it may start on any free nodes if it is done
// within the slice (a transient start: it holds nothing).
//
// Where nodes have memory, a job is loaded before it runs (engine/planning/node_memory.hpp).
//
// Cost: O(jobs that wait) fits per type and pass, as far as there is a job that fits the free
// nodes; O(jobs that have started · nodes / 64) per completion and slice.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/planning/node_memory.hpp"
#include "engine/planning/processor_set.hpp"
#include "engine/planning/profile/availability_profile.hpp"
#include "engine/planning/slice_clock.hpp"
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/scojo/scojo_pect.hpp"

namespace schedfarm::policies {

class ScojoScheduler final : public engine::Policy {
  public:
    ScojoScheduler(const ScojoSettings& settings, const engine::SystemDescription& system);

    void react(const engine::EventBatch& events, engine::Actions& actions) override;

  private:
    enum class Phase : std::uint8_t { off, loading, loaded, running };

    struct Waiting {
        engine::JobId id;
        std::uint32_t size = 0;
        double planned = 0;  ///< load and run time
    };
    /// By slot of the job, once it has started.
    struct Started {
        engine::ProcessorSet nodes{0};
        std::vector<engine::ProcessorRange> ranges = {};
        std::uint32_t size = 0;
        std::size_t type = 0;
        double memory = 0;
        double left = 0;   ///< to run, as planned: at `since`, or now where it holds no nodes
        double since = 0;  ///< it runs, or will when it is loaded
        double load_began = 0;
        double memory_since = 0;   ///< what the load has brought up to then is noted
        Phase phase = Phase::off;  ///< as the kernel has it
        bool holds_nodes = false;  ///< after this pass
        bool is_transient = false;
        double overhead = 0;
        double left_before =
            engine::AvailabilityProfile::never;  ///< at the last begin of a slice of its type
        double progress_at = 0;  ///< when it last had less left there than the time before
        std::uint32_t intervals_lost = 0;  ///< since
        std::uint32_t loads_lost = 0;
    };

    /// A start in a slice of another type that is done within it holds nothing of its own type.
    enum class Stay : std::uint8_t { bound, transient };

    double now() const { return actions_->now(); }
    engine::NodeMemory::Tenant tenant(engine::JobId id) const {
        return {id, started_[id.value].nodes, started_[id.value].memory};
    }
    template <typename Function>
    void for_started(Function act) {
        for (const std::vector<engine::JobId>& jobs : in_progress_) {
            for (const engine::JobId id : jobs) {
                act(id, started_[id.value]);
            }
        }
    }
    double left_now(const Started& job) const {
        return job.holds_nodes ? job.left - (now() - job.since) : job.left;
    }

    bool change_slice();
    void arrive(engine::JobId id);
    void complete(engine::JobId id);
    void finish_load(engine::JobId id);
    void hold_again(std::size_t type);
    void publish_overhead(engine::JobId id, const Started& job);

    void pass(bool is_new_slice);
    void stop_all();
    void go_on(std::size_t type, bool is_new_slice);
    void expect_progress(engine::JobId id, Started& job) const;
    void relocate(std::size_t type);
    void start_waiting(std::size_t type);
    void plan_started(std::size_t type);
    void start(const Waiting& job, std::size_t type, Stay stay);
    void take_nodes(engine::JobId id, const engine::ProcessorSet& candidates);
    void hold_nodes(engine::JobId id);
    void prefetch();
    void go_on_prefetching();
    void take_charges();
    void leave();
    void take_off(engine::JobId id);
    void come();

    ScojoSettings settings_;
    std::vector<ScojoColumns> columns_;  // by type
    std::uint32_t nodes_;
    engine::SliceClock clock_;
    std::unique_ptr<engine::NodeMemory> memory_;  // null: not modelled
    NodeChoice choice_;
    engine::AvailabilityProfile plan_;

    std::vector<std::vector<Waiting>> waiting_;            // by type, in order of arrival
    std::vector<std::vector<engine::JobId>> in_progress_;  // by type, in order of start
    std::vector<engine::ProcessorSet> held_;               // by type: of jobs but transient ones
    std::vector<Started> started_;                         // by slot
    engine::ProcessorSet free_;
    std::uint64_t jobs_ = 0;  // in the system
    bool has_begun_ = false;
    bool is_timed_ = false;
    bool is_prefetching_ = false;
    double prefetched_until_ = 0;

    engine::Actions* actions_ = nullptr;  // of the batch
    std::vector<engine::JobId> coming_;   // in this pass
    std::vector<BoundJob> bound_;         // for the choice of nodes
};

}  // namespace schedfarm::policies
