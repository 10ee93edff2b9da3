#include <algorithm>

#include "tests/policies/verifiers/plain_verifiers.hpp"
#include "tests/policies/verifiers/plan_verifier.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

class ReservationVerifier final : public PlanVerifier {
  public:
    ReservationVerifier(const ReservationSettings& settings, const SystemDescription& system)
        : PlanVerifier(settings.simultaneous, settings.run_time, system)
        , entitlement_(settings.entitlement)
        , compress_(settings.compress) {}

  private:
    // An advance reservation is taken where no instant of it lacks processors.
    void arrive(const ListedJob& arrived) override {
        ListedJob job = arrived;
        if (job.fixed_start >= now()) {
            job.begin = job.fixed_start;
            job.is_booked = fits(jobs_, job, processors());
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
        std::erase_if(jobs_, [index](const ListedJob& job) { return job.index == index; });
    }

    void pass() override {
        if (compresses_) {
            compress();
        }
        for (ListedJob& job : jobs_) {
            if (!job.runs && job.begin <= now()) {
                start(job);
            }
        }
        take_up();
    }

    void compress() {
        compresses_ = false;
        for (ListedJob& job : jobs_) {
            if (job.has_place() && !job.runs && !job.is_booked) {
                job.begin = ListedJob::never;
                job.begin = earliest_begin(jobs_, job, now(), processors());
            }
        }
    }

    void take_up() {
        std::uint64_t reserved = 0;
        for (ListedJob& job : jobs_) {
            if (!job.has_place()) {
                const double begin = earliest_begin(jobs_, job, now(), processors());
                const double wait = now() - job.submit_time;
                const bool is_entitled =
                    reserved < entitlement_.most
                    && wait >= (entitlement_.expansion_factor - 1) * job.duration;
                if (is_entitled || begin == now()) {
                    job.begin = begin;
                    job.latest = begin;
                }
                if (begin == now()) {
                    start(job);
                }
            }
            reserved += job.has_place() && !job.runs && !job.is_booked ? 1U : 0U;
        }
    }

    void start(ListedJob& job) {
        expect_start(job);
        job.runs = true;
    }

    Entitlement entitlement_;
    CompressRule compress_;
    JobList jobs_;  // in order of arrival: what runs and what waits
    bool compresses_ = false;
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_reservation_verifier(
    const ReservationSettings& settings, const SystemDescription& system
) {
    return std::make_unique<ReservationVerifier>(settings, system);
}

}  // namespace schedfarm::tests
