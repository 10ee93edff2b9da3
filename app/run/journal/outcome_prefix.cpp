#include "app/run/journal/outcome_prefix.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/foundation/expect.hpp"

namespace schedfarm::app {

namespace {

constexpr std::uint32_t most_runs = (1U << 30U) - 1;

/// Like resize(), with at most a quarter of the memory to spare.
template <typename T>
void extend_to(std::vector<T>& list, std::size_t size) {
    if (size > list.capacity()) {
        list.reserve(std::max(size, list.capacity() + list.capacity() / 4));
    }
    if (size > list.size()) {
        list.resize(size);
    }
}

}  // namespace

bool OutcomePrefix::is_dispatched(std::uint64_t number) const {
    return number < dispatched_.size() && dispatched_[number];
}

void OutcomePrefix::mark_dispatched(std::uint64_t number) {
    dispatched_.resize(std::max<std::size_t>(dispatched_.size(), number + 1), false);
    if (dispatched_[number]) {
        return;
    }
    dispatched_[number] = true;
    ++dispatched_count_;
    while (next_dispatch_ < dispatched_.size() && dispatched_[next_dispatch_]) {
        ++next_dispatch_;
    }
}

std::uint64_t OutcomePrefix::not_dispatched(std::uint64_t limit) const {
    if (limit <= next_dispatch_) {
        return 0;
    }
    if (limit >= dispatched_.size()) {
        return limit - dispatched_count_;
    }
    // Suspects and outcomes of a journal may lie beyond what is wanted now.
    const auto at = [this](std::uint64_t number) {
        return dispatched_.begin() + static_cast<std::ptrdiff_t>(number);
    };
    return static_cast<std::uint64_t>(std::count(at(next_dispatch_), at(limit), false));
}

void OutcomePrefix::accept(std::uint64_t number, ReplicationOutcome outcome) {
    mark_dispatched(number);
    if (has_outcome(number)) {
        failed_ -= failure(number) != nullptr ? 1U : 0U;
        if (extras_) {
            extras_->forget(number);
        }
    } else {
        ++computed_;
    }
    extend_to(records_, number + 1);
    Record& record = records_[number];
    record.seconds = outcome.seconds;
    record.began_s = outcome.began_s;
    record.rank = outcome.rank;
    record.run = run_number(outcome.run_began_s) & most_runs;
    seconds_ += outcome.seconds;
    if (outcome.observations) {
        record.state = State::observed;
        keep(number, *outcome.observations);
        if (!outcome.logged_waits.empty()) {
            extras().logged_waits[number] = std::move(outcome.logged_waits);
        }
    } else {
        record.state = State::failed;
        ++failed_;
        extras().failures[number] = {std::move(outcome.failure), std::move(outcome.failure_status)};
    }
    advance_prefix();
}

void OutcomePrefix::keep(std::uint64_t number, engine::Observations& observations) {
    Record& record = records_[number];
    record.fingerprint = observations.fingerprint;
    record.jobs = observations.jobs;
    record.events = observations.events;
    values_each_ = values_.empty() ? observations.values.size() : values_each_;
    SCHEDFARM_EXPECT(
        observations.values.size() == values_each_, "replications of a cell have other values"
    );
    extend_to(values_, (number + 1) * values_each_);
    std::copy(
        observations.values.begin(),
        observations.values.end(),
        values_.begin() + static_cast<std::ptrdiff_t>(number * values_each_)
    );
    if (observations.overflow) {
        extras().overflows[number] = *observations.overflow;
    }
    if (!observations.series.empty()) {
        std::vector<std::vector<double>>& series = extras().series;
        series.resize(std::max<std::size_t>(series.size(), number + 1));
        observations.series.shrink_to_fit();
        series[number] = std::move(observations.series);
    }
    if (!observations.sketches.empty()) {
        for (engine::SketchBuckets& sketch : observations.sketches) {
            sketch.shrink_to_fit();
        }
        extras().sketches[number] = std::move(observations.sketches);
    }
}

std::uint32_t OutcomePrefix::run_number(double run_began_s) {
    const auto found = std::find(runs_began_s_.rbegin(), runs_began_s_.rend(), run_began_s);
    if (found == runs_began_s_.rend()) {
        runs_began_s_.push_back(run_began_s);
        return static_cast<std::uint32_t>(runs_began_s_.size() - 1);
    }
    return static_cast<std::uint32_t>(runs_began_s_.rend() - found - 1);
}

OutcomePrefix::Extras& OutcomePrefix::extras() {
    if (!extras_) {
        extras_ = std::make_unique<Extras>();
    }
    return *extras_;
}

void OutcomePrefix::Extras::forget(std::uint64_t number) {
    failures.erase(number);
    overflows.erase(number);
    if (number < series.size()) {
        series[number].clear();
    }
    sketches.erase(number);
    logged_waits.erase(number);
}

bool OutcomePrefix::has_outcome(std::uint64_t number) const {
    return number < records_.size() && records_[number].state != State::missing;
}

ReplicationTiming OutcomePrefix::timing(std::uint64_t number) const {
    SCHEDFARM_EXPECT(has_outcome(number), "a replication has no outcome");
    const Record& record = records_[number];
    return {record.seconds, record.rank, record.began_s, runs_began_s_[record.run]};
}

const ReplicationFailure* OutcomePrefix::failure(std::uint64_t number) const {
    SCHEDFARM_EXPECT(has_outcome(number), "a replication has no outcome");
    const bool is_failed = records_[number].state == State::failed;
    return is_failed ? &extras_->failures.at(number) : nullptr;
}

ObservedReplication OutcomePrefix::observed(std::uint64_t number) const {
    SCHEDFARM_EXPECT(
        number < records_.size() && records_[number].state == State::observed,
        "a replication is not observed"
    );
    const Record& record = records_[number];
    ObservedReplication observed{
        std::span(values_).subspan(number * values_each_, values_each_),
        record.fingerprint,
        record.jobs,
        record.events,
        {},
        {},
        {},
        {}};
    const auto find = [number](const auto& of_some, auto& value) {
        const auto found = of_some.find(number);
        if (found != of_some.end()) {
            value = found->second;
        }
    };
    if (extras_) {
        find(extras_->overflows, observed.overflow);
        if (number < extras_->series.size()) {
            observed.series = extras_->series[number];
        }
        find(extras_->sketches, observed.sketches);
        find(extras_->logged_waits, observed.logged_waits);
    }
    return observed;
}

void OutcomePrefix::advance_prefix() {
    while (prefix_ < records_.size() && records_[prefix_].state == State::observed) {
        if (!overflow_ && extras_ && extras_->overflows.contains(prefix_)) {
            overflow_ = prefix_;
        }
        ++prefix_;
    }
    hole_.reset();
    if (has_outcome(prefix_)) {
        hole_ = prefix_;
    }
}

}  // namespace schedfarm::app
