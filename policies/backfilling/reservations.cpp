#include "policies/backfilling/reservations.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <ranges>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/special_values.hpp"
#include "engine/planning/planning_options.hpp"
#include "engine/planning/profile/availability_profile.hpp"
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/measurement/published_columns.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/backfilling/reservation_queue.hpp"
#include "policies/backfilling/running_plan.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

/// The first time at which it fits, for an advance reservation none before its own.
double start_by(const AvailabilityProfile& profile, const Job& job, RunTime run_time, double from) {
    return profile.earliest_fit(
        job.size, planned_duration(job, run_time), std::max(from, job.fixed_start)
    );
}

/// A plan that is an availability profile, as it was.
class ProfileOutlook final : public StartOutlook {
  public:
    ProfileOutlook(const AvailabilityProfile& profile, RunTime run_time)
        : profile_(profile), run_time_(run_time) {}

    /// Takes the processors at the first times from `from` on at which they are free.
    void reserve(std::uint32_t size, double duration, double from) {
        const double start = profile_.earliest_fit(size, duration, from);
        if (start < AvailabilityProfile::never) {
            profile_.reserve(start, planned_end(start, duration), size);
        }
    }

    double earliest_start(const Job& job, double from) override {
        return start_by(profile_, job, run_time_, from);
    }

  private:
    AvailabilityProfile profile_;
    RunTime run_time_;
};

class Reservations final : public Policy {
  public:
    Reservations(const ReservationSettings& settings, const SystemDescription& system)
        : settings_(settings), plan_(settings.placement, system) {}

    void react(const EventBatch& events, Actions& actions) override {
        plan_.begin(events, actions);
        for (const JobId id : events.arrivals) {
            const Job& job = actions.job(id);
            longest_ = std::max(longest_, planned_duration(job, settings_.run_time));
        }
        plan_.look_ahead(planned_end(plan_.now(), longest_));
        plan_fails_ = plan_fails_ || plan_.has_lost_count();
        for (const JobId id : std::views::reverse(events.withdrawals)) {
            withdraw(id);
        }
        take_events(settings_.simultaneous, events, *this);
        set_alarm();
    }

    double earliest_start(const Job& job, double from, double now) override {
        return unreserved_.size() == 0 ? start_by(plan_.profile(), job, settings_.run_time, from)
                                       : outlook(now)->earliest_start(job, from);
    }

    // Jobs without a reservation are expected to get none before those ahead of them.
    std::unique_ptr<StartOutlook> outlook(double now) override {
        auto made = std::make_unique<ProfileOutlook>(plan_.profile(), settings_.run_time);
        for (std::size_t i = 0; i < unreserved_.size(); ++i) {
            made->reserve(unreserved_.at(i).size, unreserved_.at(i).duration, now);
        }
        return made;
    }

    void finish(JobId id) {
        plan_.finish(id);
        may_compress_ =
            may_compress_ || settings_.compress == CompressRule::every_finish || plan_.was_freed();
    }

    void submit(JobId id) {
        const Job& job = plan_.actions().job(id);
        const QueuedJob newcomer{
            .id = id,
            .size = job.size,
            .duration = planned_duration(job, settings_.run_time),
            .arrival = ++arrivals_,
            .submit_time = job.submit_time};
        if (job.fixed_start == no_fixed_start || !book(newcomer, job.fixed_start)) {
            unreserved_.add(newcomer, entitling_wait(newcomer.duration));
        }
    }

    void pass() {
        const bool is_new_plan = plan_fails_;
        if (plan_fails_) {
            plan_anew();
        } else if (may_compress_ && (plan_.was_freed() || plan_.was_given_up())) {
            plan_.compress(reserved_.windows(), [this](std::size_t place, double start) {
                next_start_ = std::min(next_start_, start);
                promise(reserved_.at(place), start);
            });
        }
        may_compress_ = false;
        start_jobs();
        if (plan_fails_ && !is_new_plan) {
            plan_anew();
            start_jobs();
        }
    }

  private:
    /// An advance reservation.
    struct Booked {
        QueuedJob job;
        double start = 0;
    };

    /// The time that was planned for it is free: those who stay move ahead in the next pass.
    void withdraw(JobId id) {
        if (const std::size_t i = unreserved_.place_of(id); i < unreserved_.size()) {
            unreserved_.remove({&i, 1});
        } else if (const std::size_t k = reserved_.place_of(id); k < reserved_.size()) {
            give_up(reserved_.at(k), reserved_.start_of(k));
            reserved_.remove({&k, 1});
        } else {
            const auto booked = std::find_if(
                booked_.begin(), booked_.end(), [id](const Booked& one) { return one.job.id == id; }
            );
            SCHEDFARM_EXPECT(booked != booked_.end(), "a job was withdrawn that does not wait");
            give_up(booked->job, booked->start);
            booked_.erase(booked);
        }
    }

    void give_up(const QueuedJob& job, double start) {
        if (start < plan_.now() || plan_fails_) {
            plan_fails_ = true;
        } else {
            const double end = planned_end(start, job.duration);
            plan_.profile().release(start, end, job.size);
            plan_.give_up_until(end);
            may_compress_ = true;
            next_start_ = std::min(next_start_, plan_.now());
        }
    }

    double entitling_wait(double duration) const {
        const double factor = settings_.entitlement.expansion_factor;
        return factor <= 1 ? 0 : (factor - 1) * duration;
    }

    /// Takes an advance reservation if it delays nothing that is planned; else the job waits like
    /// any other.
    bool book(const QueuedJob& job, double start) {
        if (plan_fails_) {
            plan_anew();
        }
        if (!plan_.book({job.id, job.size, job.duration}, start)) {
            return false;
        }
        booked_.push_back({job, start});
        next_start_ = std::min(next_start_, start);
        return true;
    }

    void promise(const QueuedJob& job, double start) {
        plan_.actions().announce({engine::Promise{.latest = start}, job.id});
    }

    void reserve(const QueuedJob& job, double start) {
        next_start_ = std::min(next_start_, start);
        if (start < never) {
            plan_.profile().reserve(start, planned_end(start, job.duration), job.size);
        } else {
            plan_fails_ = true;
        }
    }

    double earliest_fit(const QueuedJob& job) {
        return plan_.earliest_fit({job.id, job.size, job.duration});
    }

    void plan_anew() {
        plan_fails_ = false;
        next_start_ = never;
        plan_.show_running();
        for (const Booked& booked : booked_) {
            reserve(booked.job, booked.start);
            plan_.actions().announce(
                {engine::Promise{.earliest = booked.start, .latest = booked.start}, booked.job.id}
            );
        }
        for (std::size_t i = 0; i < reserved_.size(); ++i) {
            const double start = earliest_fit(reserved_.at(i));
            reserved_.set_start(i, start);
            reserve(reserved_.at(i), start);
            promise(reserved_.at(i), start);
        }
    }

    void start_jobs() {
        if (next_start_ <= plan_.now()) {
            start_booked();
            start_due();
        }
        if (unreserved_.size() > 0) {
            take_up_all();
        }
    }

    // Ahead of all others; one that lacks processors goes on as a job with a reservation.
    void start_booked() {
        std::erase_if(booked_, [this](const Booked& booked) {
            if (booked.start > plan_.now()) {
                return false;
            }
            if (!start_reserved(booked.job)) {
                reserved_.add(booked.job, booked.start);
                plan_.actions().announce(
                    {engine::Observation{reservations_missed, 1}, booked.job.id}
                );
            }
            return true;
        });
    }

    void start_due() {
        leaving_.clear();
        for (std::size_t i = 0; i < reserved_.size(); ++i) {
            i = reserved_.next_due(i, plan_.now());
            if (i < reserved_.size() && start_reserved(reserved_.at(i))) {
                leaving_.push_back(i);
            }
        }
        reserved_.remove(leaving_);
    }

    void take_up_all() {
        const std::uint64_t most = settings_.entitlement.most;
        const bool are_full = reserved_.count_before(unreserved_.at(0).arrival) >= most;
        const double entitling = are_full ? UnreservedJobs::no_time : plan_.now();
        falls_.clear();
        leaving_.clear();
        for (std::size_t begin = 0; begin < unreserved_.size(); begin += UnreservedJobs::row) {
            const auto free = static_cast<double>(plan_.free());
            auto some = unreserved_.find_row(begin, {free, plan_.now(), entitling}, falls());
            begin = some.begin;
            for (; some.jobs != 0; some.jobs &= some.jobs - 1) {
                const auto i = begin + static_cast<std::size_t>(std::countr_zero(some.jobs));
                if (take_up(i)) {
                    leaving_.push_back(i);
                }
            }
        }
        unreserved_.remove(leaving_);
    }

    /// Whether the job starts or gets a reservation.
    bool take_up(std::size_t i) {
        const QueuedJob& job = unreserved_.at(i);
        if (is_entitled(i)) {
            const double start = earliest_fit(job);
            reserve(job, start);
            promise(job, start);
            falls_.clear();
            if (start != plan_.now() || !start_reserved(job)) {
                reserved_.add(job, start);
            }
            return true;
        }
        return job.size <= plan_.free() && delays_nobody(job) && start_unreserved(job);
    }

    bool is_entitled(std::size_t i) const {
        return unreserved_.is_entitled(i, plan_.now())
               && reserved_.count_before(unreserved_.at(i).arrival) < settings_.entitlement.most;
    }

    bool start_unreserved(const QueuedJob& job) {
        if (!start(job)) {
            return false;
        }
        plan_.profile().reserve(plan_.now(), planned_end(plan_.now(), job.duration), job.size);
        falls_.clear();
        return true;
    }

    const std::vector<AvailabilityProfile::Fall>& falls() {
        if (falls_.empty() && plan_.free() > 0) {
            plan_.profile().find_falls(plan_.now(), falls_);
        }
        return falls_;
    }

    /// Whether the processors are free now for as long as the job is planned to run.
    bool delays_nobody(const QueuedJob& job) {
        const double end = planned_end(plan_.now(), job.duration);
        for (const AvailabilityProfile::Fall& fall : falls()) {
            if (fall.time >= end || fall.free < static_cast<std::int32_t>(job.size)) {
                return fall.time >= end;
            }
        }
        return true;
    }

    /// The plan fails where it cannot start.
    bool start_reserved(const QueuedJob& job) {
        const bool has_started = start(job);
        plan_fails_ = plan_fails_ || !has_started;
        return has_started;
    }

    bool start(const QueuedJob& job) { return plan_.start({job.id, job.size, job.duration}); }

    double next_booked() const {
        double next = never;
        for (const Booked& booked : booked_) {
            next = std::min(next, booked.start);
        }
        return next;
    }

    // A reservation may begin at an instant at which nothing else happens. Where the plan fails, it
    // is events that help. What starts leaves the least start behind: it is looked for when it has
    // passed.
    void set_alarm() {
        if (next_start_ <= plan_.now()) {
            next_start_ = std::min(reserved_.first_start(), next_booked());
        }
        plan_.set_alarm(plan_fails_ ? next_booked() : next_start_);
    }

    ReservationSettings settings_;
    RunningPlan plan_;       // what runs and what is reserved
    ReservedJobs reserved_;  // what waits
    UnreservedJobs unreserved_;
    std::vector<Booked> booked_;                    // in order of arrival
    std::vector<AvailabilityProfile::Fall> falls_;  // from now on; empty: not looked for
    std::vector<std::size_t> leaving_;              // the list in which they are
    double next_start_ = never;                     // no reservation begins earlier
    double longest_ = 0;                            // planned duration of a job so far
    std::uint64_t arrivals_ = 0;
    bool may_compress_ = false;  // a finish or a withdrawal since the last pass leads to it
    bool plan_fails_ = false;    // a reservation lacks processors
};

}  // namespace

std::unique_ptr<Policy> make_reservation_policy(
    const ReservationSettings& settings, const SystemDescription& system
) {
    return std::make_unique<Reservations>(settings, system);
}

}  // namespace schedfarm::policies
