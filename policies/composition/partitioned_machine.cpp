// The policy over partitions and its verifier.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/planning/placement.hpp"
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/kernel/unserved_job.hpp"

#include "policies/composition/part.hpp"
#include "policies/composition/partitions.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

bool names_counted(const PartitionPlan& plan, const PolicyContext& context) {
    return context.names_counted || !context.system.outages.empty()
           || std::any_of(
               plan.partitions.begin(),
               plan.partitions.end(),
               [](const Partition& partition) { return partition.inner.traits().names_processors; }
           );
}

PolicyContext context_of(
    const PartitionPlan& plan, const Partition& partition, const PolicyContext& whole
) {
    return {
        partition.shape.system(whole.system),
        whole.random,
        whole.has_fixed_starts,
        names_counted(plan, whole),
        whole.clock};
}

class Partitions final : public Policy {
  public:
    Partitions(PartitionPlan plan, const PolicyContext& context) : plan_(std::move(plan)) {
        const std::size_t count = plan_.partitions.size();
        for (std::size_t k = 0; k < count; ++k) {
            const Partition& partition = plan_.partitions[k];
            const PolicyContext own = context_of(plan_, partition, context);
            idle_.push_back(own.system.clusters);
            parts_.push_back(std::make_unique<Part>(
                partition.shape,
                PartNumber{k, count},
                own.names_counted ? Counted::by_name : Counted::as_counts,
                partition.inner.make(own)
            ));
            processors_.push_back(partition.shape.all());
        }
    }

    void react(const EventBatch& events, Actions& actions) override {
        for (const JobId id : events.withdrawals) {
            parts_[owner_[id.value]]->withdraw(id);
            std::erase_if(waiting_, [id](const Waiting& job) { return job.id == id; });
        }
        for (const JobId id : events.completions) {
            parts_[owner_[id.value]]->complete(id);
        }
        for (const JobId id : events.arrivals) {
            owner_.resize(std::max(owner_.size(), id.value + std::size_t{1}));
            hand_down(id, partition_for(actions.job(id)), actions);
            if (plan_.borrows) {
                waiting_.push_back({id});
            }
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
        ask_parts(actions);
        while (plan_.borrows && lend(actions)) {
            ask_parts(actions);
        }
    }

  private:
    struct Waiting {
        JobId id;
        bool has_moved = false;
    };

    void ask_parts(Actions& actions) {
        for (const auto& part : parts_) {
            if (part->has_events()) {
                part->react(actions);
            }
        }
    }

    void hand_down(JobId id, std::size_t partition, Actions& actions) {
        owner_[id.value] = partition;
        actions.announce({engine::Binding{processors_[partition]}, id});
        parts_[partition]->arrive(id);
    }

    /// Moves the first job, in order of arrival, that waits where it was routed to and finds the
    /// processors free in a partition where none waits. Returns whether there is one.
    bool lend(Actions& actions) {
        std::erase_if(waiting_, [&actions](const Waiting& job) {
            return actions.state(job.id) != JobState::waiting;
        });
        lenders_.assign(parts_.size(), true);
        for (const Waiting& job : waiting_) {
            lenders_[owner_[job.id.value]] = false;
        }
        for (Waiting& job : waiting_) {
            const std::size_t lender = job.has_moved ? parts_.size() : lender_for(job.id, actions);
            if (lender < parts_.size()) {
                job.has_moved = true;
                parts_[owner_[job.id.value]]->withdraw(job.id);
                hand_down(job.id, lender, actions);
                return true;
            }
        }
        return false;
    }

    /// The first; parts_.size(): none.
    std::size_t lender_for(JobId id, Actions& actions) {
        std::size_t k = 0;
        while (k < parts_.size()
               && (!lenders_[k]
                   || placer_.place(actions.job(id), parts_[k]->machine().free_by_cluster()).empty()
               )) {
            ++k;
        }
        return k;
    }

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
                "never start). Route such jobs elsewhere, or leave them out.",
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
                "(it could never start). Use total requests.",
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
    std::vector<std::vector<ProcessorRange>> processors_;  // of each partition
    std::vector<std::size_t> owner_;                       // by slot of the job
    std::vector<Waiting> waiting_;                         // where they borrow: in order of arrival
    std::vector<bool> lenders_;                            // at this instant
};

class PartitionsVerifier final : public ScheduleVerifier {
  public:
    PartitionsVerifier(
        PartitionPlan plan, const PolicyContext& context, const MakeVerifier& make_inner
    )
        : plan_(std::move(plan)), partitions_(plan_.partitions.size()) {
        for (std::size_t k = 0; k < partitions_.size(); ++k) {
            const PolicyContext own = context_of(plan_, plan_.partitions[k], context);
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
        owner_.resize(std::max(owner_.size(), step.id.value + std::size_t{1}));
        std::size_t& number = owner_[step.id.value];
        if (step.kind == ScheduleStep::Kind::arrival) {
            number = plan_.route.part_of(*step.job);
        }
        if (step.kind == ScheduleStep::Kind::bind && step.timer.owner == 0) {
            bind(step, number);
            return;
        }
        State& partition = partitions_[number];
        const PartShape& shape = plan_.partitions[number].shape;
        ScheduleStep own = step;
        if (step.kind == ScheduleStep::Kind::bind) {
            own.timer = PartNumber::inner(step.timer, partitions_.size());
        }
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
            end_of_instant(time, partition);
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
        bool counts = true;         // the inner policy does not name processors
        bool was_asked = false;     // at this instant
        std::uint64_t waiting = 0;  // jobs
    };

    static void end_of_instant(double time, State& partition) {
        if (partition.was_asked && partition.inner) {
            partition.inner->end_of_instant(time);
        }
        partition.was_asked = false;
    }

    /// A job that moves is withdrawn from one partition and arrives at the other, after both have
    /// reacted to what happened before.
    void bind(const ScheduleStep& step, std::size_t& number) {
        const auto is_it = [&step](const Partition& partition) {
            const std::vector<ProcessorRange> all = partition.shape.all();
            return std::ranges::equal(all, step.processors);
        };
        const auto at = std::ranges::find_if(plan_.partitions, is_it);
        expect(at != plan_.partitions.end(), step, "is bound to no partition");
        const auto to = static_cast<std::size_t>(at - plan_.partitions.begin());
        if (to == number) {
            return;
        }
        expect(plan_.borrows, step, "is bound to another partition than its own");
        expect(partitions_[to].waiting == 0, step, "moves to a partition where jobs wait");
        for (const auto kind : {ScheduleStep::Kind::withdrawal, ScheduleStep::Kind::arrival}) {
            State& partition = partitions_[number];
            end_of_instant(step.time, partition);
            ScheduleStep told = step;
            told.kind = kind;
            told.processors = {};
            account(told, partition);
            partition.was_asked = true;
            if (partition.inner) {
                partition.inner->observe(told);
            }
            number = to;
        }
    }

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
        if (step.kind == Kind::arrival) {
            ++partition.waiting;
        } else if (step.kind == Kind::withdrawal || step.kind == Kind::start) {
            --partition.waiting;
        }
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

    /// A timer, a slice or a message of a policy inside. Of its own timers a policy's verifier
    /// knows.
    void hand_on(const ScheduleStep& step) {
        const std::size_t number = PartNumber::owner(step.timer, partitions_.size());
        State& partition = partitions_[number];
        ScheduleStep own = step;
        own.processors = within(plan_.partitions[number].shape, step.processors);
        own.timer = PartNumber::inner(step.timer, partitions_.size());
        partition.was_asked = true;
        const bool is_seen = own.timer.owner != 0 || step.kind != ScheduleStep::Kind::timer;
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
    std::vector<std::size_t> owner_;               // by slot of the job
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
