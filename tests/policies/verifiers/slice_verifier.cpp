#include "tests/policies/verifiers/slice_verifier.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace schedfarm::tests {

namespace {

constexpr double slice_tolerance = 1e-9;  // relative to the time

void expect(bool holds, double time, std::uint64_t job, const char* problem) {
    if (!holds) {
        throw ScheduleError(fmt::format("at time {}: job {} {}", time, job, problem));
    }
}

std::uint32_t end_of(const ProcessorRange& range) {
    return range.first.value + range.count;
}

bool meet(std::span<const ProcessorRange> some, std::span<const ProcessorRange> others) {
    return std::any_of(some.begin(), some.end(), [others](const ProcessorRange& one) {
        return std::any_of(others.begin(), others.end(), [&one](const ProcessorRange& other) {
            return one.first.value < end_of(other) && other.first.value < end_of(one);
        });
    });
}

/// Counted processors are in every slice.
bool covers(std::span<const ProcessorRange> slice, std::span<const ProcessorRange> processors) {
    return std::all_of(processors.begin(), processors.end(), [slice](const ProcessorRange& range) {
        return std::any_of(slice.begin(), slice.end(), [&range](const ProcessorRange& part) {
            return part.first.value <= range.first.value && end_of(range) <= end_of(part);
        });
    });
}

}  // namespace

void SliceVerifier::observe(const ScheduleStep& step) {
    using Kind = ScheduleStep::Kind;
    if (step.kind == Kind::slice && step.timer.owner == 0) {
        announce(step);
    } else if (step.kind == Kind::start || step.kind == Kind::resume) {
        begin(step);
    } else if (step.kind == Kind::suspend || step.kind == Kind::completion) {
        const auto job = std::find_if(running_.begin(), running_.end(), [&](const Stretch& one) {
            return one.id == step.id;
        });
        expect(job != running_.end(), step.time, step.job->index, "stops and did not run");
        const Announced* const slice = find(job->slice);
        if (slice != nullptr) {
            expect_inside(*job, step.time);
        }
        running_.erase(job);
    }
}

void SliceVerifier::announce(const ScheduleStep& step) {
    const auto is_before = [&step](const Announced& slice) {
        return meet(slice.processors, step.processors);
    };
    for (const Stretch& job : running_) {
        if (const Announced* slice = find(job.slice); slice != nullptr && is_before(*slice)) {
            expect_inside(job, step.time);
        }
    }
    for (Announced& slice : slices_) {
        if (slice.whose == step.timer.tag && covers(slice.processors, step.processors)
            && covers(step.processors, slice.processors)) {
            slice.end = step.amount;
            return;
        }
    }
    std::erase_if(slices_, is_before);
    slices_.push_back(
        {++announced_,
         step.timer.tag,
         step.amount,
         {step.processors.begin(), step.processors.end()}}
    );
}

void SliceVerifier::begin(const ScheduleStep& step) {
    const auto slice = std::find_if(slices_.begin(), slices_.end(), [&step](const Announced& one) {
        return covers(one.processors, step.processors);
    });
    expect(slice != slices_.end(), step.time, step.job->index, "runs outside of all slices");
    const bool is_served = serves_(slice->whose, step);
    expect(is_served, step.time, step.job->index, "runs in a slice that does not serve it");
    if (resumed_ == Resumed::on_its_processors) {
        expect_place(step);
    }
    running_.push_back({step.id, step.job->index, slice->number});
}

void SliceVerifier::expect_place(const ScheduleStep& step) {
    places_.resize(std::max(places_.size(), step.id.value + std::size_t{1}));
    std::vector<ProcessorRange>& place = places_[step.id.value];
    const bool is_there =
        std::equal(place.begin(), place.end(), step.processors.begin(), step.processors.end());
    expect(
        is_there || step.kind == ScheduleStep::Kind::start,
        step.time,
        step.job->index,
        "goes on elsewhere"
    );
    place.assign(step.processors.begin(), step.processors.end());
}

const SliceVerifier::Announced* SliceVerifier::find(std::uint64_t number) const {
    const auto at = std::find_if(slices_.begin(), slices_.end(), [number](const Announced& slice) {
        return slice.number == number;
    });
    return at == slices_.end() ? nullptr : &*at;
}

void SliceVerifier::end_of_instant(double time) {
    for (const Stretch& job : running_) {
        expect_inside(job, time);
    }
}

void SliceVerifier::expect_inside(const Stretch& job, double time) const {
    const Announced* const slice = find(job.slice);
    expect(slice != nullptr, time, job.index, "runs on into another slice");
    const bool is_inside = time <= slice->end + slice_tolerance * (1 + std::abs(time));
    expect(is_inside, time, job.index, "runs on when its slice is over");
}

}  // namespace schedfarm::tests
