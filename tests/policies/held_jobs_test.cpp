// Jobs that wait for several others, tasks of arrays of which few may run at once, jobs that were
// submitted long before they are eligible, and jobs that leave while they wait: by hand.
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/dependent_workload.hpp"
#include "engine/simulation/logs/job_log.hpp"
#include "engine/simulation/submitted_request.hpp"
#include "engine/simulation/verifiers/dependency_verifier.hpp"

#include "tests/policies/schedule_log.hpp"

namespace schedfarm::tests {

namespace {

/// One that leaves at a time, if it does not start before.
struct Leaving {
    double submit = 0;
    std::uint32_t size = 0;
    double limit = 0;
    double leaves = 0;
};

class HeldJobs final : public DependentWorkload {
  public:
    HeldJobs(const Jobs& jobs, std::vector<Dependence> dependences, std::vector<Leaving> leaving)
        : jobs_(jobs, RequestStructure::total, 512)
        , dependences_(std::move(dependences))
        , leaving_(std::move(leaving)) {
        dependences_.resize(jobs.size());
        request_.has_left = true;
    }

    const WorkloadTraits& traits() const override { return jobs_.traits(); }
    void next(JobBlock& block) override { jobs_.next(block); }
    bool has_dependences() const override { return true; }
    Dependence dependence(std::uint64_t index) const override { return dependences_[index]; }
    std::vector<LeavingJob> leaving() const override {
        std::vector<LeavingJob> result;
        for (const Leaving& one : leaving_) {
            LeavingJob& job = result.emplace_back();
            job.leaves = one.leaves;
            job.job.submit_time = one.submit;
            job.job.size = one.size;
            job.job.components = std::span(&one.size, 1);
            job.job.estimate = one.limit;
            job.job.request = &request_;
        }
        return result;
    }

  private:
    GivenWorkload jobs_;
    std::vector<Dependence> dependences_;
    std::vector<Leaving> leaving_;
    SubmittedRequest request_;
};

/// Under the verifiers of the machine and of arrivals.
JobLog log_of(
    const char* name,
    const Jobs& jobs,
    const std::vector<Dependence>& dependences,
    const std::vector<Leaving>& leaving = {}
) {
    const PolicyDescription& policy = policy_named(name);
    Parameters given;
    if (std::string_view(name) == "slurm") {
        given.set("changes", "batch_sched_delay=0,bf_interval=1");
    }
    const Parameters settings = with_defaults(policy.alternative.parameters, given);
    HeldJobs workload(jobs, dependences, leaving);
    HeldJobs again(jobs, dependences, leaving);
    JobLog log;
    SimulationSetup setup;
    setup.system.clusters = {4};
    setup.experiment.kind = ExperimentKind::trace;
    setup.experiment.horizon.jobs = jobs.size();
    setup.policy_traits = policy.traits(settings);
    setup.probes.job_log = &log;
    const auto machine = make_machine_verifier(setup.system);
    const auto arrivals = make_dependency_verifier(again, jobs.size(), setup.policy_traits);
    std::vector<ScheduleVerifier*> verifiers{machine.get(), arrivals.get()};
    const PolicyContext context{setup.system, Stream(1, Purpose::policy, 0)};
    const auto own = make_own_verifier(policy, settings, context);
    if (own != nullptr) {
        verifiers.push_back(own.get());
    }
    simulate(setup, workload, *policy.make(settings, context), verifiers);
    return log;
}

GivenJob job(
    double submit, double run, std::uint32_t size, const SubmittedRequest* asked = nullptr
) {
    GivenJob given;
    given.submit_time = submit;
    given.service_time = run;
    given.components = {size};
    given.estimate = 300;
    given.request = asked;
    return given;
}

}  // namespace

// Job 2 waits for jobs 0 and 1, which end at 10 and at 24; in its log it came at 50, with their end
// there, and was submitted at 3. Job 3 was submitted at 59, a second ahead of its coming.
TEST_CASE("a job comes when the last of those that it waits for has ended, however late in its log"
) {
    std::vector<Dependence> dependences(4);
    dependences[2] = {.also = {0, 1}, .earlier = 47};
    dependences[3] = {.also = {2}, .earlier = 1};
    const Jobs jobs{job(0, 10, 2), job(1, 23, 2), job(50, 5, 4), job(60, 8, 1)};
    for (const char* policy : {"fcfs", "easy", "slurm"}) {
        CAPTURE(policy);
        const JobLog log = log_of(policy, jobs, dependences);
        CHECK(log.submit == Times{0, 1, 24, 59});
        CHECK(log.start == Times{0, 1, 24, 59});
    }
    dependences[2].earlier = 0;  // something else had kept it back until 50
    CHECK(log_of("fcfs", jobs, dependences).start == Times{0, 1, 50, 59});
}

// One task of the array at a time, of 20 s; in its log they ran at 0, 31 and 70.
TEST_CASE("tasks over the limit of their array are held back anew, and wait from their turn on") {
    SubmittedRequest asked;
    asked.array = 17;
    asked.array_limit = 1;
    std::vector<Dependence> dependences(3);
    dependences[1].earlier_task = 31;
    dependences[2].earlier_task = 70;
    const Jobs jobs{job(0, 20, 1, &asked), job(31, 20, 1, &asked), job(70, 20, 1, &asked)};
    const JobLog slurm = log_of("slurm", jobs, dependences);
    CHECK(slurm.start == Times{0, 20, 40});
    CHECK(slurm.submit == Times{0, 20, 40});
    const JobLog fcfs = log_of("fcfs", jobs, dependences);
    CHECK(fcfs.start == Times{0, 31, 70});
    CHECK(fcfs.submit == Times{0, 31, 70});
}

// Job 0 has the machine until 100. Job 2 was submitted at 10 and is eligible at 50; job 1 was
// submitted at 20.
TEST_CASE("under Slurm a job has the place of its submission, unless it was held and released") {
    SubmittedRequest asked;
    asked.submitted_before_s = 40;
    const Jobs jobs{job(0, 100, 4), job(20, 7, 4), job(50, 30, 4, &asked)};
    CHECK(log_of("slurm", jobs, {}).start == Times{0, 130, 100});
    CHECK(log_of("slurm", jobs, {}).submit == Times{0, 20, 50});
    CHECK(log_of("fcfs", jobs, {}).start == Times{0, 100, 107});
    asked.was_released = true;
    CHECK(log_of("slurm", jobs, {}).start == Times{0, 100, 107});
    // Job 3 waits for job 1, which ends at 60; it was submitted at 25, after job 2.
    SubmittedRequest waiting;
    waiting.submitted_before_s = 65;
    std::vector<Dependence> dependences(4);
    dependences[3] = {.also = {1}, .earlier = 65};
    const Jobs behind{job(0, 100, 3), job(0, 60, 1), job(20, 7, 4), job(90, 30, 4, &waiting)};
    CHECK(log_of("slurm", behind, dependences).start == Times{0, 0, 100, 107});
    CHECK(log_of("slurm", behind, dependences).submit == Times{0, 0, 20, 60});
    waiting.submitted_before_s = 75;
    dependences[3].earlier = 75;
    CHECK(log_of("slurm", behind, dependences).start == Times{0, 0, 130, 100});
    // Submitted in one second, and eligible one after the other: by their numbers.
    SubmittedRequest first;
    SubmittedRequest second;
    asked = {};
    asked.submitted_before_s = 30;
    second.order = 9;
    asked.order = first.order = 8;
    Jobs others{job(0, 100, 4), job(20, 7, 4, &second), job(50, 30, 4, &asked)};
    CHECK(log_of("slurm", others, {}).start == Times{0, 130, 100});
    asked.order = 10;
    CHECK(log_of("slurm", others, {}).start == Times{0, 100, 107});
}

// Job 0 has three processors until 100; what leaves wants four from 10 on, and job 1, of 290 s, one
// from 20 on.
TEST_CASE("a job that leaves is waited for until it does, or until it could start") {
    const Jobs jobs{job(0, 100, 3), job(20, 290, 1)};
    for (const char* policy : {"fcfs", "easy", "conservative", "slurm"}) {
        CAPTURE(policy);
        const bool is_slurm = std::string_view(policy) == "slurm";
        const JobLog left = log_of(policy, jobs, {}, {{10, 4, 300, 59}});
        CHECK(left.start[0] == 0);
        CHECK(left.start[1] >= 59);
        CHECK(left.start[1] <= (is_slurm ? 60 : 59));  // in the next backfill pass
        CHECK(left.left_sooner == 0);
        const JobLog sooner = log_of(policy, jobs, {}, {{10, 4, 300, 131}});
        CHECK(sooner.start == Times{0, 100});
        CHECK(sooner.finish == Times{100, 390});
        CHECK(sooner.left_sooner == 1);
        // One that could start at once takes no processor.
        const JobLog at_once =
            log_of(policy, {job(0, 100, 3), job(10, 290, 1)}, {}, {{10, 1, 300, 131}});
        CHECK(at_once.start == Times{0, 10});
        CHECK(at_once.left_sooner == 1);
    }
}

// Of a job that fits nowhere nobody waits for the end.
TEST_CASE("under Slurm a job that leaves and could never start is none") {
    const Jobs jobs{job(0, 100, 3), job(20, 7, 1)};
    const JobLog log = log_of("slurm", jobs, {}, {{10, 5, 300, 59}});
    CHECK(log.start == Times{0, 20});
    CHECK(log.left_sooner == 1);
}

}  // namespace schedfarm::tests
