// The policy over partitions and its verifier.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/planning/placement.hpp"
#include "engine/simulation/actions.hpp"
#include "engine/simulation/unserved_job.hpp"

#include "policies/composition/part.hpp"
#include "policies/composition/partitions.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

PolicyContext context_of(const Partition& partition, const PolicyContext& whole) {
    return {partition.shape.system(whole.system), whole.random, whole.has_fixed_starts};
}

Counted counted_in(const PartitionPlan& plan, const PolicyContext& context) {
    const bool are_named =
        !context.system.outages.empty()
        || std::any_of(
            plan.partitions.begin(),
            plan.partitions.end(),
            [](const Partition& partition) { return partition.inner.traits().names_processors; }
        );
    return are_named ? Counted::by_name : Counted::as_counts;
}

class Partitions final : public Policy {
  public:
    Partitions(PartitionPlan plan, const PolicyContext& context) : plan_(std::move(plan)) {
        const Counted counted = counted_in(plan_, context);
        const std::size_t count = plan_.partitions.size();
        for (std::size_t k = 0; k < count; ++k) {
            const Partition& partition = plan_.partitions[k];
            const PolicyContext own = context_of(partition, context);
            idle_.push_back(own.system.clusters);
            parts_.push_back(std::make_unique<Part>(
                partition.shape, PartNumber{k, count}, counted, partition.inner.make(own)
            ));
        }
    }

    void react(const EventBatch& events, Actions& actions) override {
        for (const JobId id : events.withdrawals) {
            parts_[owner_[id.value]]->withdraw(id);
        }
        for (const JobId id : events.completions) {
            parts_[owner_[id.value]]->complete(id);
        }
        for (const JobId id : events.arrivals) {
            owner_.resize(std::max(owner_.size(), id.value + std::size_t{1}));
            owner_[id.value] = partition_for(actions.job(id));
            parts_[owner_[id.value]]->arrive(id);
        }
        for (const JobId id : events.loads_finished) {
            parts_[owner_[id.value]]->finish_load(id);
        }
        for (const Timer& timer : events.timers) {
            parts_[PartNumber::owner(timer, parts_.size())]->go_off(timer);
        }
        for (const CapacityChange& change : events.capacity_changes) {
            for (const auto& part : parts_) {
                part->change_capacity(change);
            }
        }
        for (const auto& part : parts_) {
            if (part->has_events()) {
                part->react(actions);
            }
        }
    }

  private:
    /// Refuses a job whose components would not fit on its partition if it were idle. Grouped ones
    /// may start on fewer processors where they do not on more: of them this is not said.
    std::size_t partition_for(const Job& job) {
        const std::size_t partition = plan_.route.part_of(job);
        const bool is_by_cluster = job.structure == RequestStructure::ordered
                                   || job.structure == RequestStructure::unordered;
        const std::uint32_t processors = plan_.partitions[partition].shape.processors();
        if (job.size > processors) {
            throw UnservedJobError(fmt::format(
                "job {} asks for {} processors and goes to partition {}, which has {} (it could "
                "never start). Route such jobs elsewhere, or leave them out?",
                job.index,
                job.size,
                partition + 1,
                processors
            ));
        }
        if (is_by_cluster && placer_.place(job, idle_[partition]).empty()) {
            throw UnservedJobError(fmt::format(
                "job {} asks for {} processors by cluster, which partition {} has on other "
                "clusters "
                "(it could never start). Total requests?",
                job.index,
                job.size,
                partition + 1
            ));
        }
        return partition;
    }

    PartitionPlan plan_;
    Placer placer_{PlacementRule::first_fit};
    std::vector<std::vector<std::uint32_t>> idle_;  // processors by partition and cluster
    std::vector<std::unique_ptr<Part>> parts_;
    std::vector<std::size_t> owner_;  // by slot of the job
};

class PartitionsVerifier final : public ScheduleVerifier {
  public:
    PartitionsVerifier(
        PartitionPlan plan, const PolicyContext& context, const MakeVerifier& make_inner
    )
        : plan_(std::move(plan)), partitions_(plan_.partitions.size()) {
        for (std::size_t k = 0; k < partitions_.size(); ++k) {
            const PolicyContext own = context_of(plan_.partitions[k], context);
            partitions_[k].free = own.system.clusters;
            partitions_[k].inner = plan_.partitions[k].inner.make_verifier(own, make_inner);
            partitions_[k].counts = !plan_.partitions[k].inner.traits().names_processors;
        }
    }

    void observe(const ScheduleStep& step) override {
        if (step.kind == ScheduleStep::Kind::capacity_changed) {
            change_capacity(step);
            return;
        }
        if (step.job == nullptr) {
            hand_on(step);
            return;
        }
        const std::size_t number = plan_.route.part_of(*step.job);
        State& partition = partitions_[number];
        const PartShape& shape = plan_.partitions[number].shape;
        ScheduleStep own = step;
        own.processors = within(shape, step.processors);
        expect(
            counted(own.processors) == counted(step.processors), step, "runs outside its partition"
        );
        if (!step.processors.empty() && partition.counts) {
            inner_shares_ = shape.shares_of(step.processors);
            own.shares = inner_shares_;
        }
        account(step, partition);
        partition.was_asked = true;
        if (partition.inner) {
            partition.inner->observe(own);
        }
    }

    /// Of the partitions that something happened to: the others were not asked.
    void end_of_instant(double time) override {
        for (State& partition : partitions_) {
            if (partition.was_asked && partition.inner) {
                partition.inner->end_of_instant(time);
            }
            partition.was_asked = false;
        }
    }

    void finish() override {
        for (State& partition : partitions_) {
            if (partition.inner) {
                partition.inner->finish();
            }
        }
    }

  private:
    struct State {
        std::vector<std::uint32_t> free;  // by cluster; of those taken by count
        std::unique_ptr<ScheduleVerifier> inner;
        bool counts = true;      // the inner policy does not name processors
        bool was_asked = false;  // at this instant
    };

    static std::uint32_t counted(std::span<const ProcessorRange> ranges) {
        std::uint32_t sum = 0;
        for (const ProcessorRange& range : ranges) {
            sum += range.count;
        }
        return sum;
    }

    static void expect(bool holds, const ScheduleStep& step, const char* problem) {
        if (!holds) {
            throw ScheduleError(
                fmt::format("at time {}: job {} {}", step.time, step.job->index, problem)
            );
        }
    }

    /// Counted processors; named ones are held by the machine's verifier, within the shape.
    void account(const ScheduleStep& step, State& partition) {
        using Kind = ScheduleStep::Kind;
        held_.resize(std::max(held_.size(), step.id.value + std::size_t{1}));
        std::vector<ClusterShare>& held = held_[step.id.value];
        if (step.kind == Kind::start || step.kind == Kind::resume) {
            for (const ClusterShare& share : step.shares) {
                std::uint32_t& free = partition.free[share.cluster.value];
                expect(share.count <= free, step, "exceeds its partition");
                free -= share.count;
            }
            held.assign(step.shares.begin(), step.shares.end());
        } else if (step.kind == Kind::suspend || step.kind == Kind::completion) {
            for (const ClusterShare& share : held) {
                partition.free[share.cluster.value] += share.count;
            }
            held.clear();
        }
    }

    /// Valid until the next call.
    std::span<const ProcessorRange> within(
        const PartShape& shape, std::span<const ProcessorRange> processors
    ) {
        inner_processors_.clear();
        for (const ProcessorRange& range : processors) {
            shape.add_inner(range, inner_processors_);
        }
        return inner_processors_;
    }

    /// A timer or a slice of a policy inside. Of its own timers a policy's verifier knows.
    void hand_on(const ScheduleStep& step) {
        const std::size_t number = PartNumber::owner(step.timer, partitions_.size());
        State& partition = partitions_[number];
        ScheduleStep own = step;
        own.processors = within(plan_.partitions[number].shape, step.processors);
        own.timer = PartNumber::inner(step.timer, partitions_.size());
        partition.was_asked = true;
        const bool is_seen = own.timer.owner != 0 || step.kind == ScheduleStep::Kind::slice;
        if (is_seen && partition.inner) {
            partition.inner->observe(own);
        }
    }

    void change_capacity(const ScheduleStep& step) {
        for (std::size_t k = 0; k < partitions_.size(); ++k) {
            std::vector<ProcessorRange> within;
            plan_.partitions[k].shape.add_inner(
                {ProcessorId{step.change->first_processor}, step.change->count}, within
            );
            for (const ProcessorRange& range : within) {
                const CapacityChange own{
                    step.change->time, range.first.value, range.count, step.change->kind};
                ScheduleStep told = step;
                told.change = &own;
                partitions_[k].was_asked = true;
                if (partitions_[k].inner) {
                    partitions_[k].inner->observe(told);
                }
            }
        }
    }

    PartitionPlan plan_;
    std::vector<State> partitions_;
    std::vector<std::vector<ClusterShare>> held_;  // by slot of the job
    std::vector<ProcessorRange> inner_processors_;
    std::vector<ClusterShare> inner_shares_;
};

}  // namespace

std::unique_ptr<Policy> make_partitions(PartitionPlan plan, const PolicyContext& context) {
    return std::make_unique<Partitions>(std::move(plan), context);
}

std::unique_ptr<ScheduleVerifier> make_partitions_verifier(
    PartitionPlan plan, const PolicyContext& context, const MakeVerifier& make_inner
) {
    return std::make_unique<PartitionsVerifier>(std::move(plan), context, make_inner);
}

}  // namespace schedfarm::policies
