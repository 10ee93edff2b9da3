// The advance reservations of a policy that plans moldable jobs in batches: a plan of processors
// over time, of the current batch and of the reservations that were taken.
//
// A job with a fixed start asks when it is submitted. It is taken if its processors are free for
// its whole time by the plan as it stands, and then neither moves nor belongs to a batch; else it
// is refused, published and waits for the next batch. A moldable job reserves the processors that
// it asks for. What was taken is missed only where jobs do not run as planned, because components
// do not fit or processors left the machine; it then starts as soon as it fits, ahead of the batch.
//
// Cost: O(log n) for each job of n planned and reserved. Besides, each event looks at the
// reservations that are due and not over, and the booking and the end of a reservation move those
// behind it in the list.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/planning/profile/availability_profile.hpp"
#include "engine/simulation/kernel/actions.hpp"

namespace schedfarm::policies {

class MoldableReservations {
  public:
    explicit MoldableReservations(std::uint32_t processors) : plan_(processors) {}

    /// False: the job asks for nothing or is refused.
    bool book(engine::JobId id, engine::Actions& actions);

    /// Of the machine once the batch before is over: reservations alone. What was before `now` is
    /// forgotten.
    const engine::AvailabilityProfile& without_batch(double now);

    struct Occupation {
        double start = 0;
        double time = 0;
        std::uint32_t processors = 1;
    };
    /// A job of the batch.
    void plan(const Occupation& job) { reserve(job); }
    /// A job of the batch starts later than planned.
    void move(const Occupation& job, double now);

    /// Starts what is due. `start` (job, processors) → whether it fits.
    template <typename Start>
    void start_due(engine::Actions& actions, const Start& start) {
        for (Booked& booked : booked_) {
            if (booked.job.start > actions.now()) {
                break;
            }
            if (!booked.has_started) {
                begin(booked, start(booked.id, booked.job.processors), actions);
            }
        }
    }
    /// Whether the job that ends now was a reservation.
    bool complete(engine::JobId id, const engine::Actions& actions);

    /// When the next one that is not yet due begins.
    double next_start(double now) const;

  private:
    struct Booked {
        engine::JobId id;
        Occupation job;
        bool has_started = false;
        bool is_missed = false;
    };

    void reserve(const Occupation& job) {
        plan_.reserve(job.start, engine::planned_end(job.start, job.time), job.processors);
    }
    void release(const Occupation& job) {
        plan_.release(job.start, engine::planned_end(job.start, job.time), job.processors);
    }
    void begin(Booked& booked, bool fits, engine::Actions& actions);

    engine::AvailabilityProfile plan_;
    std::vector<Booked> booked_;  // until they end; those due, then the others by their starts
};

/// For whom a job reserves: what it asks for.
struct ReservedRequest {
    std::uint32_t processors = 1;
    double time = 0;
};
ReservedRequest reserved_request(const engine::Job& job);

}  // namespace schedfarm::policies
