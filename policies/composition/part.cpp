#include "policies/composition/part.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/foundation/expect.hpp"

namespace schedfarm::policies {

using engine::ClusterShare;
using engine::JobId;
using engine::ProcessorId;
using engine::ProcessorRange;
using engine::Timer;

// A timer's owner is a number to the base of the parts, a digit for each level of nesting, the
// outermost last; 0 is the policy itself.
std::size_t PartNumber::owner(const Timer& timer, std::uint64_t parts) {
    SCHEDFARM_EXPECT(timer.owner > 0, "the timer is the policy's own");
    return static_cast<std::size_t>((timer.owner - 1) % parts);
}

Timer PartNumber::inner(const Timer& timer, std::uint64_t parts) {
    return {timer.tag, (timer.owner - 1) / parts};
}

Timer Part::outer_timer(Timer timer) const {
    SCHEDFARM_EXPECT(
        timer.owner < std::numeric_limits<std::uint64_t>::max() / number_.parts - 1,
        "policies are nested too deeply"
    );
    return {timer.tag, timer.owner * number_.parts + number_.number + 1};
}

Part::Part(
    PartShape shape, PartNumber number, Counted counted, std::unique_ptr<engine::Policy> policy
)
    : shape_(std::move(shape))
    , number_(number)
    , counted_(counted)
    , policy_(std::move(policy))
    , machine_(shape_.system({})) {}

Part::Held& Part::held_by(JobId id) {
    held_.resize(std::max(held_.size(), id.value + std::size_t{1}));
    return held_[id.value];
}

void Part::hold(JobId id, std::span<const ClusterShare> shares) {
    machine_.take(shares);
    held_by(id).shares.assign(shares.begin(), shares.end());
}

void Part::hold(JobId id, std::span<const ProcessorRange> processors) {
    machine_.take(processors);
    held_by(id).processors.assign(processors.begin(), processors.end());
}

void Part::give_back(JobId id) {
    Held& held = held_by(id);
    machine_.give_back(held.shares);
    machine_.give_back(held.processors);
    held.shares.clear();
    held.processors.clear();
}

void Part::complete(JobId id) {
    give_back(id);
    completions_.push_back(id);
}

void Part::go_off(Timer timer) {
    timers_.push_back(PartNumber::inner(timer, number_.parts));
}

void Part::change_capacity(const engine::CapacityChange& change) {
    std::vector<ProcessorRange> within;
    shape_.add_inner({ProcessorId{change.first_processor}, change.count}, within);
    for (const ProcessorRange& range : within) {
        capacity_changes_.push_back({change.time, range.first.value, range.count, change.kind});
        machine_.change_capacity(capacity_changes_.back());
    }
}

bool Part::has_events() const {
    return !completions_.empty() || !arrivals_.empty() || !loads_finished_.empty()
           || !timers_.empty() || !capacity_changes_.empty() || !withdrawals_.empty();
}

void Part::react(engine::Actions& outer) {
    outer_ = &outer;
    const engine::EventBatch batch{
        .completions = completions_,
        .arrivals = arrivals_,
        .loads_finished = loads_finished_,
        .timers = timers_,
        .capacity_changes = capacity_changes_,
        .withdrawals = withdrawals_};
    policy_->react(batch, *this);
    withdrawals_.clear();
    completions_.clear();
    arrivals_.clear();
    loads_finished_.clear();
    timers_.clear();
    capacity_changes_.clear();
}

void Part::start(JobId id, std::span<const ClusterShare> shares) {
    if (counted_ == Counted::by_name) {
        start_named(id, shares);
        return;
    }
    hold(id, shares);
    outer_->start(id, shares);
}

void Part::start_moldable(JobId id, std::span<const ClusterShare> shares) {
    SCHEDFARM_EXPECT(job(id).moldable != nullptr, "a rigid job was started as a moldable one");
    start(id, shares);
}

void Part::start_named(JobId id, std::span<const ClusterShare> shares) {
    machine_.name_free(shares, named_);
    start_on(id, named_);
}

void Part::start_on(JobId id, std::span<const ProcessorRange> processors) {
    // Of a job whose load is finished they are held already.
    if (held_by(id).processors.empty()) {
        hold(id, processors);
    }
    outer_processors_.clear();
    for (const ProcessorRange& range : processors) {
        shape_.add_outer(range, outer_processors_);
    }
    outer_->start_on(id, outer_processors_);
}

void Part::suspend(JobId id) {
    outer_->suspend(id);
    give_back(id);
}

void Part::carry_out(const engine::Switch& change) {
    outer_switch_.clear();
    for (const JobId id : change.suspended()) {
        give_back(id);
        outer_switch_.suspend(id);
    }
    change.for_started([this](JobId id, std::span<const ProcessorRange> processors, double delay) {
        hold(id, processors);
        outer_processors_.clear();
        for (const ProcessorRange& range : processors) {
            shape_.add_outer(range, outer_processors_);
        }
        outer_switch_.start_on(id, outer_processors_, delay);
    });
    outer_->carry_out(outer_switch_);
}

void Part::load(JobId id, std::span<const ProcessorRange> processors, double duration) {
    hold(id, processors);
    outer_processors_.clear();
    for (const ProcessorRange& range : processors) {
        shape_.add_outer(range, outer_processors_);
    }
    outer_->load(id, outer_processors_, duration);
}

double Part::cut_load(JobId id) {
    const double spent = outer_->cut_load(id);
    give_back(id);
    return spent;
}

void Part::set_resident_memory(
    JobId id, std::span<const ProcessorRange> processors, double amount_per_processor
) {
    outer_processors_.clear();
    for (const ProcessorRange& range : processors) {
        shape_.add_outer(range, outer_processors_);
    }
    outer_->set_resident_memory(id, outer_processors_, amount_per_processor);
}

void Part::set_timer(double time, Timer timer) {
    outer_->set_timer(time, outer_timer(timer));
}

void Part::cancel_timer(Timer timer) {
    outer_->cancel_timer(outer_timer(timer));
}

}  // namespace schedfarm::policies
