#include "policies/moldable/moldable_reservations.hpp"

#include <algorithm>

#include "engine/simulation/measurement/published_columns.hpp"

namespace schedfarm::policies {

using engine::Actions;
using engine::Job;
using engine::JobId;

ReservedRequest reserved_request(const Job& job) {
    if (job.moldable == nullptr) {
        return {job.size, job.service_time};
    }
    const auto& times = job.moldable->times;
    const auto processors = std::min(job.size, static_cast<std::uint32_t>(times.size()));
    return {processors, times[processors - 1]};
}

bool MoldableReservations::book(JobId id, Actions& actions) {
    const Job& job = actions.job(id);
    if (job.fixed_start == engine::no_fixed_start) {
        return false;
    }
    const ReservedRequest request = reserved_request(job);
    const Occupation wanted{job.fixed_start, request.time, request.processors};
    const double end = engine::planned_end(wanted.start, wanted.time);
    if (wanted.start < actions.now() || !plan_.is_free(wanted.start, end, wanted.processors)) {
        actions.publish_of(id, engine::reservations_refused, 1);
        return false;
    }
    reserve(wanted);
    actions.promise(id, {.earliest = wanted.start, .latest = wanted.start});
    const auto later = std::upper_bound(
        booked_.begin(),
        booked_.end(),
        wanted.start,
        [](double start, const Booked& other) { return start < other.job.start; }
    );
    booked_.insert(later, {id, wanted});
    return true;
}

const engine::AvailabilityProfile& MoldableReservations::without_batch(double now) {
    plan_.forget_before(now);
    return plan_;
}

void MoldableReservations::move(const Occupation& job, double now) {
    release(job);
    reserve({now, job.time, job.processors});
}

void MoldableReservations::begin(Booked& booked, bool fits, Actions& actions) {
    booked.has_started = fits;
    if (fits && booked.is_missed) {
        booked.job.start = actions.now();
        reserve(booked.job);
    } else if (!fits && !booked.is_missed) {
        actions.publish_of(booked.id, engine::reservations_missed, 1);
        booked.is_missed = true;
        release(booked.job);
    }
}

bool MoldableReservations::complete(JobId id, const Actions& actions) {
    if (actions.job(id).fixed_start == engine::no_fixed_start) {
        return false;
    }
    const auto due_end = std::partition_point(
        booked_.begin(),
        booked_.end(),
        [now = actions.now()](const Booked& booked) { return booked.job.start <= now; }
    );
    const auto found = std::find_if(booked_.begin(), due_end, [id](const Booked& booked) {
        return booked.id == id;
    });
    if (found == due_end) {
        return false;
    }
    booked_.erase(found);
    return true;
}

double MoldableReservations::next_start(double now) const {
    const auto next = std::find_if(booked_.begin(), booked_.end(), [now](const Booked& booked) {
        return booked.job.start > now;
    });
    return next == booked_.end() ? engine::AvailabilityProfile::never : next->job.start;
}

}  // namespace schedfarm::policies
