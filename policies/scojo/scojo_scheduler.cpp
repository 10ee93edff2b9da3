#include "policies/scojo/scojo_scheduler.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/foundation/special_values.hpp"
#include "engine/simulation/kernel/unserved_job.hpp"

#include "policies/scojo/printed_memory.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::uint32_t most_intervals_lost = 100;
constexpr Timer prefetching{.tag = 1};

}  // namespace

ScojoScheduler::ScojoScheduler(const ScojoSettings& settings, const SystemDescription& system)
    : settings_(settings)
    , columns_(scojo_columns(settings.types()))
    , nodes_(system.processors())
    , clock_(settings.slices_s)
    , choice_(settings.nodes, nodes_, system.memory_per_processor)
    , plan_(nodes_)
    , waiting_(settings.types())
    , in_progress_(settings.types())
    , held_(settings.types(), ProcessorSet(nodes_))
    , free_(nodes_) {
    free_.insert_all(nodes_);
    if (system.memory_per_processor > 0) {
        const double capacity = system.memory_per_processor;
        if (settings.nodes.as_printed) {
            memory_ = std::make_unique<PrintedMemory>(nodes_, capacity, settings.load_rate);
        } else {
            memory_ = std::make_unique<NodeMemory>(nodes_, capacity, settings.load_rate);
        }
    }
}

void ScojoScheduler::react(const EventBatch& events, Actions& actions) {
    actions_ = &actions;
    for (const JobId id : events.completions) {
        complete(id);
    }
    for (const JobId id : events.loads_finished) {
        finish_load(id);
    }
    for (const JobId id : events.arrivals) {
        arrive(id);
    }
    bool begins_prefetch = false;
    for (const Timer timer : events.timers) {
        begins_prefetch = begins_prefetch || timer == prefetching;
        is_timed_ = is_timed_ && timer == prefetching;
    }
    const bool is_new_slice = change_slice();
    if (is_new_slice || !events.completions.empty() || !events.arrivals.empty()) {
        pass(is_new_slice);
    }
    if (is_new_slice) {
        leave();
    }
    if (memory_) {
        memory_->report(actions);
    }
    for (const JobId id : events.loads_finished) {
        if (started_[id.value].holds_nodes && started_[id.value].phase == Phase::loaded) {
            coming_.push_back(id);
        }
    }
    come();
    if (begins_prefetch) {
        prefetch();
        memory_->report(actions);
    }
}

/// Whether a slice begins. Without jobs nobody sees it begin.
bool ScojoScheduler::change_slice() {
    if (jobs_ == 0) {
        return false;
    }
    const bool is_over = !has_begun_ || now() >= clock_.end();
    if (is_over) {
        has_begun_ = true;
        clock_.go_to(now());
        const ProcessorRange all{ProcessorId{0}, nodes_};
        actions_->announce({engine::Slice{
            .whose = clock_.slice(), .end = clock_.end(), .processors = {&all, 1}}});
    }
    if (!is_timed_ && clock_.end() < never) {
        is_timed_ = true;
        actions_->set_timer(clock_.end(), Timer{});
        if (memory_ && settings_.prefetch_s > 0 && clock_.end() - settings_.prefetch_s > now()) {
            actions_->set_timer(clock_.end() - settings_.prefetch_s, prefetching);
        }
    }
    return is_over;
}

void ScojoScheduler::arrive(JobId id) {
    const Job& job = actions_->job(id);
    if (job.structure != RequestStructure::total) {
        throw UnservedJobError(fmt::format(
            "job {} asks for processors by cluster (Scojo-PECT knows one machine). Use total "
            "requests.",
            job.index
        ));
    }
    if (memory_ && job.memory_per_processor > memory_->capacity()) {
        throw UnservedJobError(fmt::format(
            "job {} needs {} of memory on each node and nodes have {} (it could never be loaded). "
            "Give more system.memory_per_processor.",
            job.index,
            job.memory_per_processor,
            memory_->capacity()
        ));
    }
    const double load = memory_ ? memory_->seconds(job.memory_per_processor) : 0;
    const double run_time = planned_duration(job, settings_.run_time);
    waiting_[settings_.type_of(job)].push_back({id, job.size, load + run_time});
    ++jobs_;
}

void ScojoScheduler::complete(JobId id) {
    Started& job = started_[id.value];
    free_.insert(job.nodes);
    std::erase(in_progress_[job.type], id);
    hold_again(job.type);
    if (memory_) {
        memory_->release(tenant(id));
        publish_overhead(id, job);
    }
    --jobs_;
}

// A job that ran longer than planned may have held what another one did.
void ScojoScheduler::hold_again(std::size_t type) {
    held_[type].clear();
    for (const JobId id : in_progress_[type]) {
        if (!started_[id.value].is_transient) {
            held_[type].insert(started_[id.value].nodes);
        }
    }
}

void ScojoScheduler::publish_overhead(JobId id, const Started& job) {
    const double reducible = std::max(0.0, job.overhead - memory_->seconds(job.memory));
    const auto size = static_cast<double>(job.size);
    actions_->announce({engine::Observation{"overhead", job.overhead}, id});
    actions_->announce({engine::Observation{"reducible_overhead", reducible}, id});
    actions_->announce({engine::Observation{"overhead_work", job.overhead * size}, id});
    actions_->announce({engine::Observation{"reducible_overhead_work", reducible * size}, id});
    if (!columns_.empty()) {
        actions_->announce({engine::Observation{columns_[job.type].overhead, job.overhead}, id});
        actions_->announce({engine::Observation{columns_[job.type].reducible, reducible}, id});
    }
}

void ScojoScheduler::finish_load(JobId id) {
    Started& job = started_[id.value];
    memory_->finish_load(tenant(id));
    take_charges();
    job.overhead += now() - job.load_began;
    job.phase = Phase::loaded;
}

void ScojoScheduler::pass(bool is_new_slice) {
    if (is_new_slice) {
        stop_all();
    }
    const std::size_t own = clock_.slice();
    const auto for_others = [&](auto act) {
        for (std::size_t type = 0; type < settings_.types(); ++type) {
            if (type != own) {
                act(type);
            }
        }
    };
    go_on(own, is_new_slice);
    start_waiting(own);
    for_others([this](std::size_t type) { go_on(type, false); });
    if (settings_.relocates) {
        for_others([this](std::size_t type) { relocate(type); });
    }
    for_others([this](std::size_t type) { start_waiting(type); });
}

// Nobody holds nodes; what the kernel is to do of that is seen at the end of the pass.
void ScojoScheduler::stop_all() {
    free_.insert_all(nodes_);
    if (is_prefetching_) {
        go_on_prefetching();
        memory_->end_prefetching();
        is_prefetching_ = false;
    }
    for_started([this](JobId id, Started& job) {
        if (!job.holds_nodes) {
            return;
        }
        if (job.phase == Phase::loading) {
            memory_->go_on_loading(tenant(id), now() - job.memory_since);
            job.memory_since = now();
        }
        if (now() > job.since) {
            job.left -= now() - job.since;
            job.since = now();
        }
        job.holds_nodes = false;
        if (job.is_transient) {  // it runs longer than planned
            job.is_transient = false;
            held_[job.type].insert(job.nodes);
        }
    });
}

void ScojoScheduler::go_on(std::size_t type, bool is_new_slice) {
    for (const JobId id : in_progress_[type]) {
        Started& job = started_[id.value];
        if (is_new_slice) {
            expect_progress(id, job);
        }
        if (!job.holds_nodes && free_.contains(job.nodes)) {
            hold_nodes(id);
        }
    }
}

// In each of its slices a job is loaded and runs; so it gets on unless it is displaced as often as
// that takes longer.
void ScojoScheduler::expect_progress(JobId id, Started& job) const {
    ++job.intervals_lost;
    if (job.left < job.left_before) {
        job.progress_at = now();
        job.intervals_lost = job.loads_lost = 0;
    }
    job.left_before = job.left;
    if (job.intervals_lost > most_intervals_lost) {
        throw LivelockError(fmt::format(
            "at time {}: job {} has {} s left to run and has not progressed since time {}, in {} "
            "of its slices of {} s and with {} loads (a whole load takes {} s; {} s of overhead so "
            "far). Give longer slices or a higher load_rate.",
            now(),
            actions_->job(id).index,
            job.left,
            job.progress_at,
            job.intervals_lost,
            settings_.slices_s[job.type],
            job.loads_lost,
            memory_ ? memory_->seconds(job.memory) : 0,
            job.overhead
        ));
    }
}

// Jobs after the last one that may still start need no place: what is planned only ever takes away.
void ScojoScheduler::start_waiting(std::size_t type) {
    std::vector<Waiting>& queue = waiting_[type];
    const double slice_end = type == clock_.slice() ? -never : clock_.end();
    std::uint32_t free = 0;
    std::uint32_t own = 0;
    const auto is_done_here = [&](const Waiting& job) {
        return job.size <= free && now() + job.planned <= slice_end;
    };
    const auto count_free = [&] {
        free = free_.count();
        own = free_.count_without(held_[type]);
    };
    auto last = queue.end();
    const auto drop = [&](std::vector<Waiting>::iterator from, auto has_place) {
        while (last != from && !is_done_here(last[-1])
               && !(last[-1].size <= own && has_place(last[-1]))) {
            --last;
        }
    };
    const auto has_place_now = [this](const Waiting& job) {
        return plan_.is_free(0, planned_end(0, job.planned), job.size);
    };
    count_free();
    drop(queue.begin(), [](const Waiting& /*job*/) { return true; });
    if (last == queue.begin()) {
        return;
    }
    plan_started(type);
    bool has_reserved = false;
    auto kept = queue.begin();
    auto job = queue.begin();
    for (; job != last; ++job) {
        const bool is_bound = job->size <= own && has_place_now(*job);
        if (is_bound || is_done_here(*job)) {
            if (is_bound) {
                plan_.reserve(0, planned_end(0, job->planned), job->size);
            }
            start(*job, type, is_bound ? Stay::bound : Stay::transient);
            count_free();
        } else {
            if (settings_.backfilling == Backfilling::conservative || !has_reserved) {
                const double begin = plan_.earliest_fit(job->size, job->planned, 0);
                plan_.reserve(begin, planned_end(begin, job->planned), job->size);
                has_reserved = true;
            }
            *kept++ = *job;
        }
        drop(job + 1, has_place_now);
    }
    queue.erase(kept, job);
}

void ScojoScheduler::plan_started(std::size_t type) {
    plan_.reset(static_cast<std::int32_t>(nodes_));
    for (const JobId id : in_progress_[type]) {
        const Started& job = started_[id.value];
        const double left = left_now(job);
        if (!job.is_transient && left > 0) {
            plan_.reserve(0, left, job.size);
        }
    }
}

// Jobs that were preempted and whose nodes are not all free. Some of these may be among the new
// ones.
void ScojoScheduler::relocate(std::size_t type) {
    for (const JobId id : in_progress_[type]) {
        Started& job = started_[id.value];
        const double load = memory_ ? memory_->seconds(job.memory) : 0;
        if (job.holds_nodes || now() + load >= clock_.end()) {
            continue;
        }
        ProcessorSet of_others = held_[type];
        of_others.erase(job.nodes);
        ProcessorSet candidates = free_;
        candidates.erase(of_others);
        if (candidates.count() < job.size) {
            continue;
        }
        take_off(id);
        if (memory_) {
            memory_->drop(tenant(id));
        }
        take_nodes(id, candidates);
        hold_again(type);
        hold_nodes(id);
    }
}

void ScojoScheduler::start(const Waiting& waiting, std::size_t type, Stay stay) {
    ProcessorSet candidates = free_;
    if (stay == Stay::bound) {
        candidates.erase(held_[type]);
    }
    const Job& job = actions_->job(waiting.id);
    started_.resize(std::max(started_.size(), waiting.id.value + std::size_t{1}));
    Started& made = started_[waiting.id.value];
    made = Started{};
    made.size = job.size;
    made.type = type;
    made.memory = memory_ ? job.memory_per_processor : 0;
    made.left = planned_duration(job, settings_.run_time);
    made.is_transient = stay == Stay::transient;
    take_nodes(waiting.id, candidates);
    in_progress_[type].push_back(waiting.id);
    if (stay == Stay::bound) {
        held_[type].insert(made.nodes);
    }
    hold_nodes(waiting.id);
}

void ScojoScheduler::take_nodes(JobId id, const ProcessorSet& candidates) {
    Started& job = started_[id.value];
    bound_.clear();
    if (settings_.nodes.allocator != Allocator::first_free) {
        for_started([this, id](JobId other, const Started& one) {
            if (other != id) {
                bound_.push_back({&one.nodes, one.type, one.memory, left_now(one)});
            }
        });
    }
    job.nodes = choice_.choose({candidates, job.size, job.type, job.memory}, bound_);
    job.ranges = job.nodes.ranges();
    actions_->announce({engine::Binding{.processors = job.ranges}, id});
}

// One that the kernel has on them already goes on as it was.
void ScojoScheduler::hold_nodes(JobId id) {
    Started& job = started_[id.value];
    free_.erase(job.nodes);
    job.holds_nodes = true;
    if (job.phase == Phase::off) {
        go_on_prefetching();
        const double load = job.memory > 0 ? memory_->begin_load(tenant(id)) : 0;
        take_charges();
        job.loads_lost += load > 0 ? 1 : 0;
        job.since = now() + load;
        job.load_began = now();
        job.memory_since = now();
        coming_.push_back(id);
    }
}

void ScojoScheduler::take_charges() {
    if (memory_) {
        for (const NodeMemory::Charge& victim : memory_->take_charges()) {
            started_[victim.id.value].left += victim.seconds;
            started_[victim.id.value].overhead += victim.seconds;
        }
    }
}

// While others run on their nodes, none of which is being loaded.
void ScojoScheduler::prefetch() {
    ProcessorSet loading(nodes_);
    for_started([&loading](JobId, const Started& job) {
        if (job.phase == Phase::loading) {
            loading.insert(job.nodes);
        }
    });
    const std::size_t next = (clock_.slice() + 1) % settings_.types();
    for (const JobId id : in_progress_[next]) {
        const Started& job = started_[id.value];
        if (!job.holds_nodes && !loading.meets(job.nodes)) {
            memory_->prefetch(tenant(id), [this, next](JobId other) {
                return !started_[other.value].holds_nodes && started_[other.value].type != next;
            });
            take_charges();
        }
    }
    is_prefetching_ = true;
    prefetched_until_ = now();
}

void ScojoScheduler::go_on_prefetching() {
    if (is_prefetching_) {
        memory_->go_on_prefetching(now() - prefetched_until_);
        prefetched_until_ = now();
    }
}

// Who was stopped and does not hold nodes again.
void ScojoScheduler::leave() {
    for_started([this](JobId id, const Started& job) {
        if (!job.holds_nodes) {
            take_off(id);
        }
    });
}

void ScojoScheduler::take_off(JobId id) {
    Started& job = started_[id.value];
    if (job.phase == Phase::running) {
        actions_->suspend(id);
    } else if (job.phase != Phase::off) {
        const double spent = actions_->cut_load(id);
        job.overhead += job.phase == Phase::loading ? spent : 0;
    }
    job.phase = Phase::off;
}

void ScojoScheduler::come() {
    for (const JobId id : coming_) {
        Started& job = started_[id.value];
        if (job.phase == Phase::off && job.since > now()) {
            job.phase = Phase::loading;
            actions_->load(id, job.ranges, job.since - now());
        } else {
            job.phase = Phase::running;
            actions_->start_on(id, job.ranges);
        }
    }
    coming_.clear();
}

}  // namespace schedfarm::policies
