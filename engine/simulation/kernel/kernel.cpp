#include "engine/simulation/kernel/kernel.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/special_values.hpp"
#include "engine/simulation/kernel/unserved_job.hpp"
#include "engine/simulation/measurement/published_columns.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::uint64_t most_idle_reactions = 10'000'000;
constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

/// Saturated, jobs are counted by the order of their starts.
bool counts_starts(const Experiment& experiment) {
    return experiment.kind.keeps_backlog();
}

}  // namespace

Kernel::Kernel(
    const SimulationSetup& setup,
    const WorkloadTraits& workload,
    Policy& policy,
    Recorder* recorder,
    std::span<ScheduleVerifier* const> verifiers
)
    : setup_(setup)
    , policy_(policy)
    , recorder_(recorder)
    , verifiers_(verifiers)
    , records_at_start_(setup.starts_tell_finishes())
    , names_counted_(!setup.system.outages.empty())
    , counted_(counts_starts(setup.experiment) ? no_limit : setup.experiment.horizon.jobs)
    , most_recorded_(counts_starts(setup.experiment) ? setup.experiment.horizon.jobs : no_limit)
    , store_(workload.max_components)
    , machine_(setup.system)
    , outages_(setup.system, setup.outages)
    , memory_(machine_.processors(), setup.system.memory_per_processor)
    , published_(setup.published.size(), 0.0) {}

bool Kernel::is_stale(const Event& event) const {
    return store_.version(event.subject) != event.version;
}

// Events that no longer count are removed when they come out or when most are of that sort.
void Kernel::drop_stale() {
    if (stale_events_ > 64 && stale_events_ > events_.size() / 2) {
        events_.discard_if([this](const Event& event) { return is_stale(event); });
        stale_events_ = 0;
    }
    while (stale_events_ > 0 && !events_.empty() && is_stale(events_.top())) {
        events_.pop();
        --stale_events_;
    }
}

double Kernel::next_event_time() {
    drop_stale();
    const double next =
        std::min({timers_.next(), outages_.next(), switched_.next([this](const Event& event) {
                      return is_stale(event);
                  })});
    return events_.empty() ? next : std::min(events_.top().time, next);
}

void Kernel::advance_to(double time) {
    SCHEDFARM_EXPECT(time >= now_, fmt::format("time would go back from {} to {}", now_, time));
    now_ = time;
    switched_.give_due(now_, events_, [this](const Event& event) { return is_stale(event); });
    for (drop_stale(); !events_.empty() && events_.top().time <= now_; drop_stale()) {
        const Event event = events_.top();
        events_.pop();
        take_event(event);
    }
    ended_ = completions_.size();
    if (outages_.next() <= now_) [[unlikely]] {
        change_capacity();
    }
    timers_.take(now_, timers_due_);
    other_events_ += timers_due_.size();
    if (!verifiers_.empty()) [[unlikely]] {
        tell_inner_timers();
    }
}

// What tells when an inner policy was asked; of its own timer a policy's verifier knows.
void Kernel::tell_inner_timers() const {
    for (const Timer& timer : timers_due_) {
        if (timer.owner != 0) {
            ScheduleStep told;
            told.kind = ScheduleStep::Kind::timer;
            told.time = now_;
            told.timer = timer;
            notify_verifiers(told);
        }
    }
}

void Kernel::take_event(const Event& event) {
    other_events_ += event.kind() == EventKind::completion ? 0U : 1U;
    switch (event.kind()) {
        case EventKind::completion:
            complete(JobId{event.subject});
            break;
        case EventKind::load_finished: {
            const JobId id{event.subject};
            JobEntry& entry = store_.at(id);
            entry.load_is_finished = true;
            loads_finished_.push_back(id);
            tell(ScheduleStep::Kind::load_finished, id, entry);
            break;
        }
    }
}

JobId Kernel::admit(const Job& job) {
    SCHEDFARM_EXPECT(
        job.service_time >= 0 && job.size > 0,
        fmt::format(
            "job {} has the service time {} and the size {}", job.index, job.service_time, job.size
        )
    );
    const JobId id = store_.add(job);
    arrivals_.push_back(id);
    tell(ScheduleStep::Kind::arrival, id, store_.at(id));
    return id;
}

void Kernel::react() {
    watch_progress();
    const EventBatch batch{
        .completions = completions_,
        .arrivals = arrivals_,
        .loads_finished = loads_finished_,
        .timers = timers_due_,
        .capacity_changes = capacity_changes_,
        .withdrawals = withdrawals_};
    left_.clear();
    try {
        policy_.react(batch, *this);
    } catch (const ContractViolation& violation) {
        throw ContractViolation(fmt::format("at time {}: {}", now_, violation.what()));
    }
    for (ScheduleVerifier* verifier : verifiers_) {
        verifier->end_of_instant(now_);
    }
    for (const JobId id : completions_) {
        store_.remove(id);
    }
    for (const JobId id : withdrawals_) {
        store_.remove(id);
    }
    withdrawals_.clear();
    completions_.clear();
    arrivals_.clear();
    loads_finished_.clear();
    timers_due_.clear();
    capacity_changes_.clear();
}

// A policy that only sets timers, while nothing runs or at one instant, would keep the simulation
// going for ever.
void Kernel::watch_progress() {
    const bool only_timers = completions_.empty() && arrivals_.empty() && loads_finished_.empty()
                             && withdrawals_.empty() && actions_ == actions_seen_;
    idle_reactions_ =
        only_timers && (active_ == 0 || now_ == last_reaction_) ? idle_reactions_ + 1 : 0;
    actions_seen_ = actions_;
    last_reaction_ = now_;
    // Nobody may have seen the end of an outage.
    if (idle_reactions_ == most_idle_reactions / 10 && out_ > 0 && outages_.next() > now_ + 1e10) {
        throw UnservedJobError(fmt::format(
            "{} jobs wait for ever: {} processors are out of order to the end", store_.size(), out_
        ));
    }
    SCHEDFARM_EXPECT(
        idle_reactions_ < most_idle_reactions,
        fmt::format("the policy only sets timers, {} jobs wait for ever", store_.size())
    );
}

void Kernel::finish() {
    if (recorder_ != nullptr && !records_at_start_) {
        for (std::uint32_t slot = 0; slot < store_.slots(); ++slot) {
            if (!store_.contains(JobId{slot})) {
                continue;
            }
            const JobEntry& entry = store_.at(JobId{slot});
            if (entry.state == JobState::running || entry.state == JobState::loading) {
                recorder_->add_occupation(entry.held_since, now_, entry.size, entry.job.job_class);
            }
        }
    }
    if (store_.size() == 0) {
        for (ScheduleVerifier* verifier : verifiers_) {
            verifier->finish();
        }
    }
}

void Kernel::add_own_observations(Observations& result) {
    if (result.overflow) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        result.values.insert(result.values.end(), published_.size(), nan);
        return;
    }
    if (now_ > 0) {
        const double out = out_area_ + out_ * (now_ - out_since_);
        add_published(availability, 1 - out / (machine_.processors() * now_));
    }
    result.values.insert(result.values.end(), published_.begin(), published_.end());
    result.events += other_events_;
}

ScheduleStep Kernel::step(ScheduleStep::Kind kind, JobId id, const JobEntry& entry, double amount)
    const {
    ScheduleStep made;
    made.kind = kind;
    made.time = now_;
    made.id = id;
    made.job = &entry.job;
    made.shares = entry.held_shares();
    made.processors = entry.held_processors();
    made.amount = amount;
    return made;
}

void Kernel::notify_verifiers(const ScheduleStep& step) const {
    for (ScheduleVerifier* verifier : verifiers_) {
        verifier->observe(step);
    }
}

}  // namespace schedfarm::engine
