// Checks of each policy's own rules on any schedule, as verifiers for tests. `--verify` of the
// product checks the machine and what policies promise; these are joined to it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "policies/composition/managers/managers.hpp"
#include "policies/composition/partitions.hpp"
#include "policies/composition/queues.hpp"
#include "policies/composition/slices.hpp"
#include "policies/scojo/scojo_pect.hpp"

#include "tests/policies/verifiers/slice_verifier.hpp"

namespace schedfarm::engine {
class BuddyTrees;  // its NodeSet would hide that of policies/slurm
}

namespace schedfarm::tests {

using MadeVerifier = std::unique_ptr<ScheduleVerifier>;

/// Which waiting jobs must start where they fit: the first alone, or all that no job ahead forbids.
enum class MustStart : std::uint8_t { all, head };

/// Checks with a plain counter per job that nobody is overtaken more than max_jumps times and that
/// a scan leaves no job waiting that fits and must start (not checked for grouped requests unless
/// the head blocks: their placement may fail on more processors and succeed on fewer). With
/// max_jumps = 0 these are the invariants of first come, first served. Event by event, newcomers of
/// an instant may be overtaken at it, and after the last event a scan must be due. Cost: O(waiting
/// jobs) per start and instant, times their logarithm where keys change.
MadeVerifier make_queue_verifier(
    const QueueSettings& settings,
    QueueKey key,
    const SystemDescription& system,
    MustStart must = MustStart::all
);

/// Whether the slice of a row, named by its class, serves a job of a class; `first` is its first
/// processor.
using RowServes = bool (*)(
    const BuddyTrees& trees, std::uint32_t row, std::uint32_t job_class, std::uint32_t first
);

/// What holds of every gang schedule on buddy trees: a job runs on an aligned node of its class and
/// only in a slice whose row serves it, no two running jobs on overlapping nodes, first dispatch is
/// first come first served in a class, and the service received is the service required, without
/// what switches cost. Cost: O(jobs present) per step.
MadeVerifier make_gang_verifier(const BuddyTrees& trees, RowServes serves, Resumed resumed);

/// What a calendar promises: starts where slots of `slot_s` begin, fixed ones at the promised time,
/// and never more processors together than there are. Nothing is checked where processors change or
/// requests are not total. Cost: O(waiting and running jobs), by vectors, per promise.
MadeVerifier make_calendar_verifier(
    double slot_s, RunTime run_time, const SystemDescription& system
);

/// Jobs of a type that have started share no node and run in each of their slices; who starts on
/// nodes of its own type is done within the slice; nobody runs without its memory, is loaded faster
/// than the rate or displaced without being charged.
MadeVerifier make_scojo_verifier(
    const policies::ScojoSettings& settings, const SystemDescription& system
);

MadeVerifier make_managers_verifier(policies::ManagersPlan plan);

/// Makes the verifier of a policy within another; null: none.
using MakeVerifier =
    std::function<MadeVerifier(const PolicyDescription&, const Parameters&, const PolicyContext&)>;

/// Holds every slice to what is announced of it, and its jobs to what the verifier of its policy
/// says of them in the slice's own time.
MadeVerifier make_slices_verifier(
    policies::SlicesPlan plan, const PolicyContext& context, const MakeVerifier& make_inner
);
/// Holds the started jobs of every queue and user to their limits, counted anew, and what is handed
/// down to what the inner verifier says of it.
MadeVerifier make_queues_verifier(
    policies::QueuesPlan plan, const PolicyContext& context, const MakeVerifier& make_inner
);
/// Holds every partition to its processors, and its jobs to what the inner verifier says of them
/// alone.
MadeVerifier make_partitions_verifier(
    policies::PartitionPlan plan, const PolicyContext& context, const MakeVerifier& make_inner
);

}  // namespace schedfarm::tests
