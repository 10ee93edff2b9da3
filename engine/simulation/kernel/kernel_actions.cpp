// The actions of a policy, carried out and checked, and the ends of jobs. What a switch does for
// each of its jobs is declared inline: the functions are short, and together they take most of the
// time.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/special_values.hpp"
#include "engine/simulation/kernel/kernel.hpp"
#include "engine/simulation/measurement/published_columns.hpp"
#include "engine/simulation/submitted_request.hpp"

namespace schedfarm::engine {

namespace {

template <typename Part>
std::uint32_t processors_in(std::span<const Part> parts) {
    std::uint32_t sum = 0;
    for (const Part& part : parts) {
        sum += part.count;
    }
    return sum;
}

const char* text_of(JobState state) {
    constexpr std::array<const char*, 5> texts = {
        "waiting", "loading", "running", "suspended", "finished"};
    return texts.at(static_cast<std::size_t>(state));
}

}  // namespace

std::string Kernel::named(JobId id) const {
    const JobEntry& entry = store_.at(id);
    return fmt::format("job {} ({})", entry.job.index, text_of(entry.state));
}

void Kernel::expect_preemptive(const char* action) const {
    SCHEDFARM_EXPECT(
        setup_.policy_traits.preemptive,
        fmt::format(
            "{} was called by a policy that is not preemptive. Set PolicyTraits::preemptive.",
            action
        )
    );
}

// Apart, so that what a switch does for each job is short.
void Kernel::refuse(JobId id, const char* problem) const {
    throw ContractViolation(fmt::format("contract broken: {} {}", named(id), problem));
}

void Kernel::refuse_processors(const JobEntry& entry, std::uint32_t given) {
    throw ContractViolation(fmt::format(
        "contract broken: job {} of {} processors was given {}", entry.job.index, entry.size, given
    ));
}

void Kernel::refuse_delay(const JobEntry& entry, double duration) {
    throw ContractViolation(
        fmt::format("contract broken: job {} was delayed by {}", entry.job.index, duration)
    );
}

[[gnu::always_inline]] inline JobEntry& Kernel::startable(JobId id) {
    JobEntry& entry = store_.at(id);
    if (entry.state != JobState::waiting && entry.state != JobState::suspended) {
        refuse(id, "cannot be started (it does not wait)");
    }
    return entry;
}

void Kernel::choose_size(JobEntry& entry, std::uint32_t processors) const {
    const std::span<const double> times = entry.job.moldable->times;
    SCHEDFARM_EXPECT(
        processors >= 1 && processors <= times.size(),
        fmt::format("job {} has no processing time on {} processors", entry.job.index, processors)
    );
    entry.size = processors;
    entry.remaining = times[processors - 1] + entry.added;
}

void Kernel::hold(JobEntry& entry, std::span<const ClusterShare> shares) {
    const std::uint32_t given = processors_in(shares);
    if (entry.job.moldable != nullptr && !entry.has_started) {
        choose_size(entry, given);
    }
    SCHEDFARM_EXPECT(
        given == entry.size && shares.size() <= machine_.cluster_count(),
        fmt::format(
            "job {} of {} processors was given {} in {} shares",
            entry.job.index,
            entry.size,
            given,
            shares.size()
        )
    );
    if (names_counted_) [[unlikely]] {
        machine_.name_free(shares, named_);
        machine_.take(named_);
        entry.hold(named_);
    } else {
        machine_.take(shares);
    }
    entry.hold(shares);
    entry.held_since = now_;
}

inline void Kernel::hold(JobEntry& entry, std::span<const ProcessorRange> processors) {
    const std::uint32_t given =
        processors.size() == 1 ? processors.front().count : processors_in(processors);
    if (!entry.has_started && entry.job.moldable != nullptr) {
        choose_size(entry, given);
    }
    if (given != entry.size) {
        if (!may_have_fewer(entry.job) || given == 0 || given > entry.job.size) {
            refuse_processors(entry, given);
        }
        entry.size = given;
    }
    machine_.take(processors);
    entry.hold(processors);
    entry.held_since = now_;
}

inline void Kernel::give_back(JobEntry& entry) {
    if (entry.range_count == 0) {
        machine_.give_back(entry.held_shares());
    } else {
        machine_.give_back(entry.held_processors());
        entry.range_count = 0;
    }
    entry.share_count = 0;
    --active_;
    if (recorder_ != nullptr && !records_at_start_) {
        recorder_->add_occupation(entry.held_since, now_, entry.size, entry.job.job_class);
    }
}

void Kernel::plan(JobId id, const JobEntry& entry, EventKind kind) {
    if (entry.end < infinity) {
        events_.push(entry.end, kind, id.value, entry.version);
    }
}

inline void Kernel::forget_plan(JobEntry& entry) {
    ++entry.version;
    if (entry.is_listed) {
        entry.is_listed = false;
        switched_.forget(entry.end);
    } else {
        stale_events_ += entry.end < infinity ? 1 : 0;
    }
}

[[gnu::always_inline]] inline void Kernel::run(JobId id, JobEntry& entry, Planned planned) {
    const bool resumes = entry.has_started;
    entry.state = JobState::running;
    entry.end = now_ + entry.remaining;
    entry.is_listed = planned == Planned::in_list && entry.end < infinity;
    if (entry.is_listed) {
        switched_.add(events_.next(entry.end, EventKind::completion, id.value, entry.version));
    } else {
        plan(id, entry, EventKind::completion);
    }
    ++actions_;
    if (!resumes) {
        entry.has_started = true;
        entry.first_start = now_;
        ++started_;
        if (recorder_ != nullptr && started_ <= most_recorded_ && is_counted(entry)) {
            if (records_at_start_) {
                record(entry, entry.end);
            } else {
                recorder_->add_start(now_);
            }
        }
    }
    tell(resumes ? ScheduleStep::Kind::resume : ScheduleStep::Kind::start, id, entry);
}

inline void Kernel::take_off(JobId id) {
    JobEntry& entry = store_.at(id);
    if (entry.state != JobState::running) {
        refuse(id, "cannot be suspended (it does not run)");
    }
    entry.remaining = entry.end - now_;
    forget_plan(entry);
    tell(ScheduleStep::Kind::suspend, id, entry);
    give_back(entry);
    entry.state = JobState::suspended;
    ++actions_;
}

inline void Kernel::add_service(JobId id, JobEntry& entry, double duration) {
    if (!(duration >= 0 && duration < infinity)) {
        refuse_delay(entry, duration);
    }
    entry.remaining += duration;
    entry.added += duration;
    tell(ScheduleStep::Kind::delay, id, entry, duration);
    ++actions_;
}

inline void Kernel::end(JobId id, JobEntry& entry) {
    give_back(entry);
    memory_.release(id);
    entry.state = JobState::finished;
    completions_.push_back(id);
}

void Kernel::end_early(JobId id, JobEntry& entry) {
    forget_plan(entry);
    end(id, entry);
}

JobEntry& Kernel::waiting(JobId id, const char* problem) {
    JobEntry& entry = store_.at(id);
    if (entry.state != JobState::waiting) {
        refuse(id, problem);
    }
    return entry;
}

void Kernel::withdraw(JobId id) {
    JobEntry& entry = waiting(id, "cannot be withdrawn (it does not wait)");
    tell(ScheduleStep::Kind::withdrawal, id, entry);
    entry.state = JobState::finished;
    withdrawals_.push_back(id);
}

void Kernel::leave(JobId id) {
    JobEntry& entry = waiting(id, "cannot leave (it does not wait)");
    SCHEDFARM_EXPECT(
        entry.job.request != nullptr && entry.job.request->has_left,
        named(id) + " leaves (in the log it did not)"
    );
    tell(ScheduleStep::Kind::withdrawal, id, entry);
    left_.push_back(entry.job.index);
    ++actions_;
    store_.remove(id);
}

void Kernel::count_wait_from(JobId id, double time) {
    JobEntry& entry = waiting(id, "waits no more");
    SCHEDFARM_EXPECT(time <= now_, named(id) + " waits from a time on that is to come");
    entry.job.submit_time = time;
}

void Kernel::complete(JobId id) {
    JobEntry& entry = store_.at(id);
    tell(ScheduleStep::Kind::completion, id, entry);
    end(id, entry);
    if (is_counted(entry)) {
        ++counted_completed_;
        if (recorder_ != nullptr && !records_at_start_) {
            record(entry, now_);
        }
    }
}

void Kernel::record(const JobEntry& entry, double finish) {
    recorder_->add(
        {.index = entry.job.index,
         .submit_time = entry.job.submit_time,
         .start_time = entry.first_start,
         .finish_time = finish,
         .service_time = entry.service(),
         .size = entry.size,
         .job_class = entry.job.job_class,
         .weight = entry.job.weight}
    );
}

void Kernel::start(JobId id, std::span<const ClusterShare> shares) {
    JobEntry& entry = startable(id);
    hold(entry, shares);
    ++active_;
    run(id, entry, Planned::in_queue);
}

void Kernel::start_on(JobId id, std::span<const ProcessorRange> processors) {
    JobEntry& entry = store_.at(id);
    if (entry.state == JobState::loading) {
        SCHEDFARM_EXPECT(entry.load_is_finished, named(id) + " was started before its load ended");
        const std::span<const ProcessorRange> held = entry.held_processors();
        SCHEDFARM_EXPECT(
            std::equal(processors.begin(), processors.end(), held.begin(), held.end()),
            named(id) + " was started elsewhere than it was loaded"
        );
    } else {
        hold(startable(id), processors);
        ++active_;
    }
    run(id, entry, Planned::in_queue);
}

void Kernel::suspend(JobId id) {
    expect_preemptive("suspend");
    take_off(id);
}

void Kernel::carry_out(const Switch& change) {
    expect_preemptive("carry_out");
    for (const JobId id : change.suspended()) {
        take_off(id);
    }
    change.for_started([&](JobId id, std::span<const ProcessorRange> processors, double duration) {
        JobEntry& entry = startable(id);
        if (duration != 0) {
            add_service(id, entry, duration);
        }
        hold(entry, processors);
        ++active_;
        run(id, entry, Planned::in_list);
    });
}

void Kernel::delay(JobId id, double duration) {
    JobEntry& entry = store_.at(id);
    SCHEDFARM_EXPECT(entry.state != JobState::finished, named(id) + " cannot be delayed any more");
    if (entry.has_started) {
        expect_preemptive("delay");
    }
    add_service(id, entry, duration);
    if (entry.state == JobState::running) {
        forget_plan(entry);
        entry.end += duration;
        plan(id, entry, EventKind::completion);
    }
}

void Kernel::load(JobId id, std::span<const ProcessorRange> processors, double duration) {
    expect_preemptive("load");
    JobEntry& entry = startable(id);
    SCHEDFARM_EXPECT(
        duration >= 0 && duration < infinity,
        fmt::format("job {} was loaded for {}", entry.job.index, duration)
    );
    hold(entry, processors);
    ++active_;
    entry.state = JobState::loading;
    entry.load_is_finished = false;
    entry.end = now_ + duration;
    plan(id, entry, EventKind::load_finished);
    tell(ScheduleStep::Kind::load, id, entry, duration);
    ++actions_;
}

double Kernel::cut_load(JobId id) {
    JobEntry& entry = store_.at(id);
    SCHEDFARM_EXPECT(entry.state == JobState::loading, named(id) + " is not loading");
    const double spent = std::min(now_, entry.end) - entry.held_since;
    if (!entry.load_is_finished) {
        forget_plan(entry);
    }
    tell(ScheduleStep::Kind::load_cut, id, entry);
    give_back(entry);
    entry.state = entry.has_started ? JobState::suspended : JobState::waiting;
    ++actions_;
    return spent;
}

void Kernel::set_resident_memory(
    JobId id, std::span<const ProcessorRange> processors, double amount_per_processor
) {
    const JobEntry& entry = store_.at(id);
    for (const ProcessorRange& range : processors) {
        memory_.set(id, range, amount_per_processor);
    }
    ScheduleStep told = step(ScheduleStep::Kind::resident_memory, id, entry, amount_per_processor);
    told.processors = processors;
    notify_verifiers(told);
}

void Kernel::set_timer(double time, Timer timer) {
    SCHEDFARM_EXPECT(
        time >= now_ && time < infinity,
        fmt::format("timer {} was set for {}, which is past or never", timer.tag, time)
    );
    timers_.set(time, timer);
}

void Kernel::cancel_timer(Timer timer) {
    timers_.cancel(timer);
}

void Kernel::announce(const Announcement& said) {
    if (const auto* seen = std::get_if<Observation>(&said.what)) {
        publish(*seen, said.job);
    } else if (!verifiers_.empty()) [[unlikely]] {
        notify_verifiers(announced(said));
    }
}

ScheduleStep Kernel::announced(const Announcement& said) const {
    using Kind = ScheduleStep::Kind;
    ScheduleStep told;
    if (said.job) {
        told = step(Kind::promise, *said.job, store_.at(*said.job), 0);
    }
    told.time = now_;
    told.timer.owner = said.owner;
    if (const auto* slice = std::get_if<Slice>(&said.what)) {
        told.kind = Kind::slice;
        told.processors = slice->processors;
        told.amount = slice->end;
        told.timer.tag = slice->whose;
    } else if (const auto* binding = std::get_if<Binding>(&said.what)) {
        told.kind = Kind::bind;
        told.processors = binding->processors;
    } else if (const auto* message = std::get_if<Message>(&said.what)) {
        told.kind = Kind::message;
        told.timer.tag = message->kind;
        told.message = message;
    } else {
        told.promise = std::get<Promise>(said.what);
    }
    return told;
}

bool Kernel::add_published(std::string_view name, double value) {
    for (std::size_t i = 0; i < published_.size(); ++i) {
        if (setup_.published[i].name == name) {
            published_[i] += value;
            return true;
        }
    }
    return false;
}

void Kernel::publish(const Observation& seen, std::optional<JobId> job) {
    const bool counts = !job || is_counted(store_.at(*job));
    SCHEDFARM_EXPECT(
        add_published(seen.name, counts ? seen.value : 0),
        fmt::format(
            "'{}' was published but not announced. Name it in PolicyDescription::observations.",
            seen.name
        )
    );
    if (job && counts && seen.name == offered_delay && recorder_ != nullptr) {
        const Job& offered = store_.at(*job).job;
        recorder_->add_offer(offered.index, offered.fixed_start + seen.value);
    }
}

}  // namespace schedfarm::engine
