#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "policies/composition/part.hpp"

#include "tests/policies/verifiers/own_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

class PartitionsVerifier final : public ScheduleVerifier {
  public:
    PartitionsVerifier(
        PartitionPlan plan, const PolicyContext& context, const MakeVerifier& make_inner
    )
        : plan_(std::move(plan)), partitions_(plan_.partitions.size()) {
        for (std::size_t k = 0; k < partitions_.size(); ++k) {
            const PolicyContext own = context_of(plan_, plan_.partitions[k], context);
            partitions_[k].free = own.system.clusters;
            partitions_[k].inner = make_inner(
                plan_.partitions[k].inner.description(), plan_.partitions[k].inner.parameters(), own
            );
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

std::unique_ptr<ScheduleVerifier> make_partitions_verifier(
    PartitionPlan plan, const PolicyContext& context, const MakeVerifier& make_inner
) {
    return std::make_unique<PartitionsVerifier>(std::move(plan), context, make_inner);
}

}  // namespace schedfarm::tests
