#include <algorithm>
#include <iterator>
#include <ranges>

#include "tests/policies/verifiers/plain_verifiers.hpp"
#include "tests/policies/verifiers/plan_verifier.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

class ReservationVerifier final : public PlanVerifier {
  public:
    ReservationVerifier(const ReservationSettings& settings, const SystemDescription& system)
        : PlanVerifier(settings.simultaneous, settings.run_time, system, OutageChecks::followed)
        , entitlement_(settings.entitlement)
        , compress_(settings.compress) {}

  private:
    void lose_count() override { fails_ = true; }

    // An advance reservation is taken where no instant of it lacks processors.
    void arrive(const ListedJob& arrived) override {
        ListedJob job = arrived;
        if (job.fixed_start != no_fixed_start && fails_) {
            plan_anew();
        }
        if (job.fixed_start >= now()) {
            job.begin = job.fixed_start;
            job.is_booked = fits(others(), job, processors());
            job.begin = job.is_booked ? job.fixed_start : ListedJob::never;
            job.latest = job.begin;
        }
        jobs_.push_back(job);
    }

    void complete(std::uint64_t index) override {
        const auto done = std::find_if(jobs_.begin(), jobs_.end(), [index](const ListedJob& job) {
            return job.index == index;
        });
        compresses_ = compresses_ || compress_ == CompressRule::every_finish || done->end() > now();
        jobs_.erase(done);
    }

    void withdraw(std::uint64_t index) override {
        std::erase_if(jobs_, [&](const ListedJob& job) {
            compresses_ = compresses_ || (job.index == index && job.has_place());
            return job.index == index;
        });
    }

    // Where a job lacks a place or processors, the plan is made anew, once in each pass.
    void pass() override {
        const bool is_new_plan = fails_;
        if (fails_) {
            plan_anew();
        } else if (compresses_) {
            compress();
        }
        compresses_ = false;
        start_jobs();
        if (fails_ && !is_new_plan) {
            plan_anew();
            start_jobs();
        }
    }

    /// What a job finds taken: the jobs, and where processors change what runs and what is out.
    const JobList& others() {
        if (!has_outages()) {
            return jobs_;
        }
        others_ = taken(jobs_);
        std::ranges::remove_copy_if(jobs_, std::back_inserter(others_), &ListedJob::runs);
        return others_;
    }

    double earliest(const ListedJob& job) {
        const double begin = earliest_begin(others(), job, now(), processors());
        const bool has_place = !has_outages() || begin + job.duration <= horizon(jobs_);
        return has_place ? begin : ListedJob::never;
    }

    bool may_move(const ListedJob& job) const {
        return job.is_reserved && !job.runs && !job.is_booked;
    }

    void compress() {
        for (ListedJob& job : jobs_) {
            if (may_move(job)) {
                job.begin = ListedJob::never;
                job.begin = earliest(job);
            }
        }
    }

    void plan_anew() {
        fails_ = false;
        for (ListedJob& job : jobs_) {
            job.begin = may_move(job) ? ListedJob::never : job.begin;
        }
        for (ListedJob& job : jobs_) {
            if (may_move(job)) {
                job.begin = earliest(job);
                fails_ = fails_ || !job.has_place();
            }
        }
    }

    // Booked ones first.
    void start_jobs() {
        for (const bool are_booked : {true, false}) {
            for (ListedJob& job : jobs_) {
                if (!job.runs && job.is_booked == are_booked && job.begin <= now()) {
                    start(job);
                }
            }
        }
        take_up();
    }

    void take_up() {
        std::uint64_t reserved = 0;
        for (ListedJob& job : jobs_) {
            if (!job.is_reserved && !job.is_booked && !job.runs) {
                const double begin = earliest(job);
                const double wait = now() - job.submit_time;
                const bool is_entitled =
                    reserved < entitlement_.most
                    && wait >= (entitlement_.expansion_factor - 1) * job.duration;
                if (is_entitled || begin == now()) {
                    job.begin = begin;
                    job.latest = begin;
                    job.is_reserved = is_entitled;
                    fails_ = fails_ || !job.has_place();
                }
                if (begin == now()) {
                    start(job);
                }
            }
            reserved += may_move(job) ? 1U : 0U;
        }
    }

    /// A booked job that lacks processors goes on as one with a reservation.
    void start(ListedJob& job) {
        if (has_outages()) {
            job.latest = ListedJob::never;
            job.processors = processors_of(job.index);
            if (in_use(taken(jobs_), now()) + job.size > processors()) {
                fails_ = true;
                job.is_booked = false;
                job.is_reserved = true;
                return;
            }
        }
        expect_start(job);
        job.runs = true;
    }

    Entitlement entitlement_;
    CompressRule compress_;
    JobList jobs_;    // in order of arrival: what runs and what waits
    JobList others_;  // of the last question
    bool compresses_ = false;
    bool fails_ = false;  // a job lacks a place, or processors when it should start
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_reservation_verifier(
    const ReservationSettings& settings, const SystemDescription& system
) {
    return std::make_unique<ReservationVerifier>(settings, system);
}

}  // namespace schedfarm::tests
