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

}  // namespace

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

std::unique_ptr<Policy> make_partitions(PartitionPlan plan, const PolicyContext& context) {
    return std::make_unique<Partitions>(std::move(plan), context);
}

}  // namespace schedfarm::policies
