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
    , moving_ahead_(dynamic_cast<engine::MovingAhead*>(policy_.get()))
    , machine_(shape_.system({})) {}

JobId Part::enter(JobId outer) {
    if (unused_.empty()) {
        unused_.push_back({static_cast<std::uint32_t>(entries_.size())});
        entries_.emplace_back();
    }
    const JobId id = unused_.back();
    unused_.pop_back();
    entries_[id.value] = {};
    entries_[id.value].outer = outer;
    inner_[outer.value] = id.value;
    return id;
}

// Another job may have come under its number of the machine.
void Part::leave(JobId id) {
    const auto known = inner_.find(outer_of(id).value);
    if (known != inner_.end() && known->second == id.value) {
        inner_.erase(known);
    }
    unused_.push_back(id);
}

Part::Held& Part::hold(JobId id) {
    entries_[id.value].holder = static_cast<std::uint32_t>(held_.size());
    held_.emplace_back().id = id;
    return held_.back();
}

std::span<const ProcessorRange> Part::hold(JobId id, std::span<const ProcessorRange> processors) {
    machine_.take(processors);
    Held& held = hold(id);
    held.processors.assign(processors.begin(), processors.end());
    for (const ProcessorRange& range : processors) {
        shape_.add_outer(range, held.outer);
    }
    return held.outer;
}

void Part::give_back(JobId id) {
    Held& held = held_[entries_[id.value].holder];
    machine_.give_back(held.shares);
    machine_.give_back(held.processors);
    entries_[held_.back().id.value].holder = entries_[id.value].holder;
    std::swap(held, held_.back());
    held_.pop_back();
    entries_[id.value].holder = none;
}

void Part::complete(JobId id) {
    completions_.push_back(inner_of(id));
    give_back(completions_.back());
}

void Part::withdraw(JobId id) {
    const JobId own = inner_of(id);
    if (std::erase(arrivals_, own) == 0) {
        withdrawals_.push_back(own);
    } else {
        std::erase(promoted_, own);
        leave(own);
    }
}

void Part::arrive_held(JobId id, const engine::Job& seen, Standing standing) {
    arrive(id);
    Entry& entry = entry_of(id);
    entry.seen = std::make_unique<engine::Job>(seen);
    entry.is_held = true;
    if (standing == Standing::promoted) {
        promoted_.push_back(arrivals_.back());
    }
}

void Part::go_off(Timer timer) {
    timers_.push_back(PartNumber::inner(timer, number_.parts));
    const auto is_it = [this](const Pending& one) {
        return one.timer == timers_.back();
    };
    const auto earliest = std::min_element(
        pending_timers_.begin(),
        pending_timers_.end(),
        [&is_it](const Pending& a, const Pending& b) {
            return is_it(a) && (!is_it(b) || a.time < b.time);
        }
    );
    pending_timers_.erase(earliest);
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

void Part::switch_off(engine::Actions& outer, engine::Switch& change) {
    outer_ = &outer;
    time_.stop(outer.now());
    for (const Held& held : held_) {
        change.suspend(outer_of(held.id));
    }
    for (const Pending& one : pending_timers_) {
        outer.cancel_timer(outer_timer(one.timer));
    }
}

void Part::switch_on(engine::Actions& outer, engine::Switch& change) {
    outer_ = &outer;
    time_.go_on(outer.now());
    for (const Held& held : held_) {
        change.start_on(outer_of(held.id), held.outer, 0);
    }
    for (const Pending& one : pending_timers_) {
        pass_on(one);
    }
}

void Part::react(engine::Actions& outer) {
    outer_ = &outer;
    for (const JobId id : arrivals_) {
        if (Entry& entry = entries_[id.value]; entry.seen == nullptr && time_.was_off()) {
            entry.seen = std::make_unique<engine::Job>(outer.job(entry.outer));
            entry.seen->submit_time = now();
        }
    }
    const engine::EventBatch batch{
        .completions = completions_,
        .arrivals = arrivals_,
        .loads_finished = loads_finished_,
        .timers = timers_,
        .capacity_changes = capacity_changes_,
        .withdrawals = withdrawals_,
        .promoted = promoted_};
    policy_->react(batch, *this);
    for (const std::vector<JobId>* gone : {&completions_, &withdrawals_}) {
        std::for_each(gone->begin(), gone->end(), [this](JobId id) { leave(id); });
    }
    withdrawals_.clear();
    completions_.clear();
    arrivals_.clear();
    promoted_.clear();
    loads_finished_.clear();
    timers_.clear();
    capacity_changes_.clear();
}

void Part::start(JobId id, std::span<const ClusterShare> shares) {
    if (counted_ == Counted::by_name) {
        start_named(id, shares);
        return;
    }
    machine_.take(shares);
    hold(id).shares.assign(shares.begin(), shares.end());
    if (Entry& entry = entries_[id.value]; entry.is_held) {
        entry.has_begun = true;
    } else {
        outer_->start(entry.outer, shares);
    }
}

void Part::start_named(JobId id, std::span<const ClusterShare> shares) {
    machine_.name_free(shares, named_);
    start_on(id, named_);
}

void Part::start_on(JobId id, std::span<const ProcessorRange> processors) {
    // Of a job whose load is finished they are held already.
    Entry& entry = entries_[id.value];
    const auto outer = entry.holder == none ? hold(id, processors) : held_[entry.holder].outer;
    if (entry.is_held) {
        entry.has_begun = true;
    } else {
        outer_->start_on(entry.outer, outer);
    }
}

void Part::suspend(JobId id) {
    outer_->suspend(outer_of(id));
    give_back(id);
}

void Part::carry_out(const engine::Switch& change) {
    outer_switch_.clear();
    for (const JobId id : change.suspended()) {
        give_back(id);
        outer_switch_.suspend(outer_of(id));
    }
    change.for_started([this](JobId id, std::span<const ProcessorRange> processors, double delay) {
        outer_switch_.start_on(outer_of(id), hold(id, processors), delay);
    });
    outer_->carry_out(outer_switch_);
}

std::span<const ProcessorRange> Part::to_outer(std::span<const ProcessorRange> processors) {
    outer_processors_.clear();
    for (const ProcessorRange& range : processors) {
        shape_.add_outer(range, outer_processors_);
    }
    return outer_processors_;
}

void Part::announce(const engine::Announcement& said) {
    engine::Announcement outer = said;
    outer.owner = outer_timer({0, said.owner}).owner;
    if (said.job) {
        Entry& entry = entries_[said.job->value];
        outer.job = entry.outer;
        if (const auto* promise = std::get_if<engine::Promise>(&said.what);
            promise != nullptr && entry.is_held) {
            entry.promise = *promise;
            return;
        }
        if (entry.is_held && std::holds_alternative<engine::Observation>(said.what)) {
            return;
        }
    }
    if (auto* slice = std::get_if<engine::Slice>(&outer.what)) {
        slice->end = time_.real(slice->end);
        slice->processors = to_outer(slice->processors);
    } else if (auto* binding = std::get_if<engine::Binding>(&outer.what)) {
        binding->processors = to_outer(binding->processors);
    }
    outer_->announce(outer);
}

void Part::load(JobId id, std::span<const ProcessorRange> processors, double duration) {
    outer_->load(outer_of(id), hold(id, processors), duration);
}

double Part::cut_load(JobId id) {
    const double spent = outer_->cut_load(outer_of(id));
    give_back(id);
    return spent;
}

void Part::set_resident_memory(
    JobId id, std::span<const ProcessorRange> processors, double amount_per_processor
) {
    outer_->set_resident_memory(outer_of(id), to_outer(processors), amount_per_processor);
}

void Part::set_timer(double time, Timer timer) {
    pending_timers_.push_back({time, timer});
    pass_on(pending_timers_.back());
}

// Own times are rounded: one that is now may be a little before.
void Part::pass_on(const Pending& timer) {
    const double time = std::max(outer_->now(), time_.real(timer.time));
    outer_->set_timer(time, outer_timer(timer.timer));
}

void Part::cancel_timer(Timer timer) {
    std::erase_if(pending_timers_, [timer](const Pending& one) { return one.timer == timer; });
    outer_->cancel_timer(outer_timer(timer));
}

}  // namespace schedfarm::policies
