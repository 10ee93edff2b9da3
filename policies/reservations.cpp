#include "policies/reservations.hpp"

#include <algorithm>

#include "engine/planning/availability_profile.hpp"
#include "engine/simulation/actions.hpp"
#include "engine/simulation/published_columns.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr double never = AvailabilityProfile::never;
constexpr Timer alarm{1};

class Reservations final : public Policy {
  public:
    Reservations(const ReservationSettings& settings, std::uint32_t processors)
        : settings_(settings), placer_(settings.placement), profile_(processors) {}

    void react(const EventBatch& events, Actions& actions) override {
        actions_ = &actions;
        now_ = actions.now();
        plan_fails_ = plan_fails_ || events.capacity_changed;
        profile_.forget_before(now_);
        free_ = actions.machine().free_processors();
        for (const JobId id : events.completions) {
            Running& job = running_[id.value];
            free_ -= job.end > now_ ? job.size : 0;
            job.size = job.end > now_ ? job.size : 0;
        }
        take_events(settings_.simultaneous, events, *this);
        set_alarm();
    }

    void finish(JobId id) {
        Running& job = running_[id.value];
        if (job.size > 0) {
            profile_.release(now_, job.end, job.size);
            freed_until_ = std::max(freed_until_, job.end);
            free_ += job.size;
            job.size = 0;
        }
    }

    void submit(JobId id) {
        const Job& job = actions_->job(id);
        waiting_.push_back(
            {.start = unreserved,
             .duration = planned_duration(job, settings_.run_time),
             .submit_time = job.submit_time,
             .size = job.size,
             .id = id}
        );
        ++unreserved_;
        if (id.value >= running_.size()) {
            running_.resize(id.value + std::size_t{1});
        }
        if (job.fixed_start != no_fixed_start) {
            book(waiting_.back(), job.fixed_start);
        }
    }

    void pass() {
        const bool is_new_plan = plan_fails_;
        if (plan_fails_) {
            plan_anew();
        } else if (freed_until_ > -never) {
            compress();
        }
        freed_until_ = -never;
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

        bool is_reserved() const { return start != unreserved; }
        bool has_started() const { return size == 0; }
    };

    struct Running {
        double end = 0;          // as planned
        std::uint32_t size = 0;  // 0: does not run
        bool is_booked = false;  // it waits, and has an advance reservation
    };

    bool is_booked(const Waiting& job) const {
        return booked_ > 0 && running_[job.id.value].is_booked;
    }

    /// Takes an advance reservation if it delays nothing that is planned; else the job waits like
    /// any other.
    void book(Waiting& job, double start) {
        if (plan_fails_) {
            plan_anew();
        }
        if (start < now_ || !profile_.is_free(start, planned_end(start, job.duration), job.size)) {
            actions_->publish(reservations_refused, 1);
            return;
        }
        running_[job.id.value].is_booked = true;
        ++booked_;
        reserve(job, start);
    }

    void reserve(Waiting& job, double start) {
        unreserved_ -= job.is_reserved() ? 0U : 1U;
        job.start = start;
        next_start_ = std::min(next_start_, start);
        if (start < never) {
            profile_.reserve(start, planned_end(start, job.duration), job.size);
        } else {
            plan_fails_ = true;
        }
    }

    // A job can move ahead only to a time before the last that was freed since it was looked at:
    // by an early finish, or by moves of others, those of the last compression included.
    void compress() {
        double freed_until = std::max(freed_until_, moves_freed_until_);
        moves_freed_until_ = -never;
        for (Waiting& job : waiting_) {
            if (!job.is_reserved() || is_booked(job) || job.start <= now_) {
                continue;
            }
            const double start = profile_.earlier_fit(
                {.processors = job.size, .duration = job.duration, .reserved = job.start},
                now_,
                freed_until
            );
            if (start < job.start) {
                freed_until = std::max(freed_until, give_up(job));
                reserve(job, start);
            }
        }
    }

    /// Gives a reservation up and returns its end.
    double give_up(const Waiting& job) {
        if (job.start == never) {
            return -never;
        }
        const double end = planned_end(job.start, job.duration);
        profile_.release(job.start, end, job.size);
        moves_freed_until_ = std::max(moves_freed_until_, end);
        return end;
    }

    // Running jobs whose planned end has passed count as free.
    void plan_anew() {
        plan_fails_ = false;
        next_start_ = never;
        std::int64_t processors = free_;
        for (const Running& job : running_) {
            processors += job.size;
        }
        profile_.reset(static_cast<std::int32_t>(processors));
        for (const Running& job : running_) {
            if (job.size > 0 && job.end > now_) {
                profile_.reserve(now_, job.end, job.size);
            }
        }
        for (Waiting& job : waiting_) {
            if (is_booked(job)) {
                reserve(job, job.start);
            }
        }
        for (Waiting& job : waiting_) {
            if (job.is_reserved() && !is_booked(job)) {
                reserve(job, profile_.earliest_fit(job.size, job.duration, now_));
            }
        }
    }

    void start_jobs() {
        if (next_start_ <= now_) {
            if (booked_ > 0) {
                start_booked();
            }
            for (Waiting& job : waiting_) {
                if (job.is_reserved() && job.start <= now_ && !job.has_started()) {
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
            if (is_booked(job) && job.start <= now_) {
                running_[job.id.value].is_booked = false;
                --booked_;
                start_reserved(job);
                if (!job.has_started()) {
                    actions_->publish(reservations_missed, 1);
                }
            }
        }
    }

    void take_up_all() {
        const std::uint64_t most = settings_.entitlement.most;
        profile_.find_falls(now_, falls_);
        std::uint64_t reserved = 0;
        for (Waiting& job : waiting_) {
            if (reserved >= most && free_ <= 0) {
                return;
            }
            if (!job.is_reserved()) {
                take_up(job, reserved);
            }
            reserved += job.is_reserved() && !is_booked(job) && !job.has_started() ? 1U : 0U;
        }
    }

    void take_up(Waiting& job, std::uint64_t reserved) {
        if (is_entitled(job, reserved)) {
            reserve(job, profile_.earliest_fit(job.size, job.duration, now_));
            if (job.start == now_) {
                start_reserved(job);
            }
            profile_.find_falls(now_, falls_);
        } else if (job.size <= free_ && delays_nobody(job) && start(job)) {
            const Running& started = running_[job.id.value];
            profile_.reserve(now_, started.end, started.size);
            profile_.find_falls(now_, falls_);
        }
    }

    /// Whether the processors are free now for as long as the job is planned to run.
    bool delays_nobody(const Waiting& job) const {
        const double end = planned_end(now_, job.duration);
        for (const AvailabilityProfile::Fall& fall : falls_) {
            if (fall.time >= end || fall.free < static_cast<std::int32_t>(job.size)) {
                return fall.time >= end;
            }
        }
        return true;
    }

    bool is_entitled(const Waiting& job, std::uint64_t reserved) const {
        const Entitlement& rule = settings_.entitlement;
        const double wait = now_ - job.submit_time;
        return reserved < rule.most
               && (rule.expansion_factor <= 1 || wait >= (rule.expansion_factor - 1) * job.duration
               );
    }

    void start_reserved(Waiting& job) { plan_fails_ = !start(job) || plan_fails_; }

    bool start(Waiting& job) {
        if (job.size > free_) {
            return false;
        }
        const auto shares =
            placer_.place(actions_->job(job.id), actions_->machine().free_by_cluster());
        if (shares.empty()) {
            return false;
        }
        actions_->start(job.id, shares);
        running_[job.id.value] = {planned_end(now_, job.duration), job.size};
        free_ -= job.size;
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
            next = is_booked(job) ? std::min(next, job.start) : next;
        }
        return next;
    }

    // A reservation may begin at an instant at which nothing else happens. Where the plan fails, it
    // is events that help.
    void set_alarm() {
        if (next_start_ <= now_) {
            find_next_start();
        }
        const double next = plan_fails_ ? next_booked() : next_start_;
        if (next == alarm_time_) {
            return;
        }
        if (alarm_time_ > now_ && alarm_time_ < never) {
            actions_->cancel_timer(alarm);
        }
        if (next < never) {
            actions_->set_timer(next, alarm);
        }
        alarm_time_ = next;
    }

    ReservationSettings settings_;
    Placer placer_;
    AvailabilityProfile profile_;                   // less what runs and what is reserved
    std::vector<Waiting> waiting_;                  // in order of arrival
    std::vector<Running> running_;                  // by slot of the job
    std::vector<AvailabilityProfile::Fall> falls_;  // of the profile from now on
    double alarm_time_ = never;
    double next_start_ = never;          // no reservation begins earlier
    std::uint64_t unreserved_ = 0;       // waiting jobs without a reservation
    std::uint64_t booked_ = 0;           // waiting advance reservations
    double freed_until_ = -never;        // early finishes since the last pass; −never: none
    double moves_freed_until_ = -never;  // by moves of the last compression
    bool plan_fails_ = false;            // a reservation lacks processors
    bool has_started_ = false;           // a job is to be taken out of waiting_

    // Of the batch being taken.
    Actions* actions_ = nullptr;
    double now_ = 0;
    std::int64_t free_ = 0;  // less the processors of finishes yet to be taken that came early
};

}  // namespace

std::unique_ptr<Policy> make_reservation_policy(
    const ReservationSettings& settings, const SystemDescription& system
) {
    return std::make_unique<Reservations>(settings, system.processors());
}

}  // namespace schedfarm::policies
