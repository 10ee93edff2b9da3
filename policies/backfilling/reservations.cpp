#include "policies/backfilling/reservations.hpp"

#include <algorithm>

#include "engine/planning/availability_profile.hpp"
#include "engine/simulation/actions.hpp"
#include "engine/simulation/published_columns.hpp"

#include "policies/backfilling/running_plan.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr double never = AvailabilityProfile::never;

class Reservations final : public Policy {
  public:
    Reservations(const ReservationSettings& settings, std::uint32_t processors)
        : settings_(settings), plan_(settings.placement, processors) {}

    void react(const EventBatch& events, Actions& actions) override {
        plan_.begin(events, actions);
        plan_fails_ = plan_fails_ || events.capacity_changed;
        take_events(settings_.simultaneous, events, *this);
        set_alarm();
    }

    void finish(JobId id) { plan_.finish(id); }

    void submit(JobId id) {
        const Job& job = plan_.actions().job(id);
        waiting_.push_back(
            {.start = unreserved,
             .duration = planned_duration(job, settings_.run_time),
             .submit_time = job.submit_time,
             .size = job.size,
             .id = id}
        );
        ++unreserved_;
        if (job.fixed_start != no_fixed_start) {
            book(waiting_.back(), job.fixed_start);
        }
    }

    void pass() {
        const bool is_new_plan = plan_fails_;
        if (plan_fails_) {
            plan_anew();
        } else if (plan_.was_freed()) {
            plan_.compress(
                waiting_,
                [](const Waiting& job) { return job.is_reserved() && !job.is_booked; },
                [this](const Waiting& job) { next_start_ = std::min(next_start_, job.start); }
            );
        }
        start_jobs();
        if (plan_fails_ && !is_new_plan) {
            plan_anew();
            start_jobs();
        }
    }

  private:
    static constexpr double unreserved = -never;

    struct Waiting {
        double start = unreserved;  // of the reservation; never: it does not fit by any plan
        double duration = 0;
        double submit_time = 0;
        std::uint32_t size = 0;
        JobId id;
        bool is_booked = false;  // has an advance reservation

        bool is_reserved() const { return start != unreserved; }
        bool has_started() const { return size == 0; }
    };

    /// Takes an advance reservation if it delays nothing that is planned; else the job waits like
    /// any other.
    void book(Waiting& job, double start) {
        if (plan_fails_) {
            plan_anew();
        }
        if (start < plan_.now()
            || !plan_.profile().is_free(start, planned_end(start, job.duration), job.size)) {
            plan_.actions().publish(reservations_refused, 1);
            return;
        }
        job.is_booked = true;
        ++booked_;
        reserve(job, start);
    }

    void reserve(Waiting& job, double start) {
        unreserved_ -= job.is_reserved() ? 0U : 1U;
        job.start = start;
        next_start_ = std::min(next_start_, start);
        if (start < never) {
            plan_.profile().reserve(start, planned_end(start, job.duration), job.size);
        } else {
            plan_fails_ = true;
        }
    }

    void plan_anew() {
        plan_fails_ = false;
        next_start_ = never;
        plan_.show_running();
        for (Waiting& job : waiting_) {
            if (job.is_booked) {
                reserve(job, job.start);
            }
        }
        for (Waiting& job : waiting_) {
            if (job.is_reserved() && !job.is_booked) {
                reserve(job, plan_.profile().earliest_fit(job.size, job.duration, plan_.now()));
            }
        }
    }

    void start_jobs() {
        if (next_start_ <= plan_.now()) {
            if (booked_ > 0) {
                start_booked();
            }
            for (Waiting& job : waiting_) {
                if (job.is_reserved() && job.start <= plan_.now() && !job.has_started()) {
                    start_reserved(job);
                }
            }
            forget_started();
        }
        if (unreserved_ > 0) {
            take_up_all();
            forget_started();
        }
    }

    // Ahead of all others; one that lacks processors goes on as a job with a reservation.
    void start_booked() {
        for (Waiting& job : waiting_) {
            if (job.is_booked && job.start <= plan_.now()) {
                job.is_booked = false;
                --booked_;
                start_reserved(job);
                if (!job.has_started()) {
                    plan_.actions().publish(reservations_missed, 1);
                }
            }
        }
    }

    void take_up_all() {
        const std::uint64_t most = settings_.entitlement.most;
        falls_.clear();
        std::uint64_t reserved = 0;
        for (Waiting& job : waiting_) {
            if (reserved >= most && plan_.free() <= 0) {
                return;
            }
            if (!job.is_reserved()) {
                take_up(job, reserved);
            }
            reserved += job.is_reserved() && !job.is_booked && !job.has_started() ? 1U : 0U;
        }
    }

    void take_up(Waiting& job, std::uint64_t reserved) {
        if (is_entitled(job, reserved)) {
            reserve(job, plan_.profile().earliest_fit(job.size, job.duration, plan_.now()));
            if (job.start == plan_.now()) {
                start_reserved(job);
            }
            falls_.clear();
        } else if (job.size <= plan_.free() && delays_nobody(job)) {
            start_unreserved(job);
        }
    }

    void start_unreserved(Waiting& job) {
        const double end = planned_end(plan_.now(), job.duration);
        const std::uint32_t size = job.size;
        if (start(job)) {
            plan_.profile().reserve(plan_.now(), end, size);
            falls_.clear();
        }
    }

    /// Whether the processors are free now for as long as the job is planned to run.
    bool delays_nobody(const Waiting& job) {
        if (falls_.empty()) {
            plan_.profile().find_falls(plan_.now(), falls_);
        }
        const double end = planned_end(plan_.now(), job.duration);
        for (const AvailabilityProfile::Fall& fall : falls_) {
            if (fall.time >= end || fall.free < static_cast<std::int32_t>(job.size)) {
                return fall.time >= end;
            }
        }
        return true;
    }

    bool is_entitled(const Waiting& job, std::uint64_t reserved) const {
        const Entitlement& rule = settings_.entitlement;
        const double wait = plan_.now() - job.submit_time;
        return reserved < rule.most
               && (rule.expansion_factor <= 1 || wait >= (rule.expansion_factor - 1) * job.duration
               );
    }

    void start_reserved(Waiting& job) { plan_fails_ = !start(job) || plan_fails_; }

    bool start(Waiting& job) {
        if (!plan_.start({job.id, job.size, job.duration})) {
            return false;
        }
        unreserved_ -= job.is_reserved() ? 0U : 1U;
        job.size = 0;
        has_started_ = true;
        return true;
    }

    void forget_started() {
        if (has_started_) {
            std::erase_if(waiting_, [](const Waiting& job) { return job.has_started(); });
            has_started_ = false;
        }
    }

    // What starts leaves the least start behind: it is looked for when it has passed.
    void find_next_start() {
        next_start_ = never;
        for (const Waiting& job : waiting_) {
            next_start_ = job.is_reserved() ? std::min(next_start_, job.start) : next_start_;
        }
    }

    double next_booked() const {
        double next = never;
        for (const Waiting& job : waiting_) {
            next = job.is_booked ? std::min(next, job.start) : next;
        }
        return next;
    }

    // A reservation may begin at an instant at which nothing else happens. Where the plan fails, it
    // is events that help.
    void set_alarm() {
        if (next_start_ <= plan_.now()) {
            find_next_start();
        }
        plan_.set_alarm(plan_fails_ ? next_booked() : next_start_);
    }

    ReservationSettings settings_;
    RunningPlan plan_;                              // what runs and what is reserved
    std::vector<Waiting> waiting_;                  // in order of arrival
    std::vector<AvailabilityProfile::Fall> falls_;  // from now on; empty: not looked for
    double next_start_ = never;                     // no reservation begins earlier
    std::uint64_t unreserved_ = 0;                  // waiting jobs without a reservation
    std::uint64_t booked_ = 0;                      // waiting advance reservations
    bool plan_fails_ = false;                       // a reservation lacks processors
    bool has_started_ = false;                      // a job is to be taken out of waiting_
};

}  // namespace

std::unique_ptr<Policy> make_reservation_policy(
    const ReservationSettings& settings, const SystemDescription& system
) {
    return std::make_unique<Reservations>(settings, system.processors());
}

}  // namespace schedfarm::policies
