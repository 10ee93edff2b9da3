#include "app/run/journal/outcome_prefix.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace schedfarm::app {

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
    if (outcomes_.size() <= number) {
        outcomes_.resize(number + 1);
    }
    mark_dispatched(number);
    const auto& former = outcomes_[number];
    computed_ += former ? 0U : 1U;
    failed_ -= former && !former->observations ? 1U : 0U;
    failed_ += outcome.observations ? 0U : 1U;
    seconds_ += outcome.seconds;
    outcomes_[number] = std::move(outcome);
    advance_prefix();
}

void OutcomePrefix::advance_prefix() {
    while (prefix_ < outcomes_.size() && outcomes_[prefix_] && outcomes_[prefix_]->observations) {
        if (!overflow_ && outcomes_[prefix_]->observations->overflow) {
            overflow_ = prefix_;
        }
        ++prefix_;
    }
    hole_.reset();
    if (prefix_ < outcomes_.size() && outcomes_[prefix_]) {
        hole_ = prefix_;
    }
}

}  // namespace schedfarm::app
