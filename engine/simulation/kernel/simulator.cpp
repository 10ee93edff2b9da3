#include "engine/simulation/kernel/simulator.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/special_values.hpp"
#include "engine/simulation/dependent_workload.hpp"
#include "engine/simulation/experiment_facts.hpp"
#include "engine/simulation/kernel/dependent_jobs.hpp"
#include "engine/simulation/kernel/job_stream.hpp"
#include "engine/simulation/kernel/kernel.hpp"
#include "engine/simulation/kernel/run_end.hpp"
#include "engine/simulation/logs/job_log.hpp"
#include "engine/simulation/measurement/recorder.hpp"

namespace schedfarm::engine {

namespace {

void expect_no_deadlock(const Kernel& kernel, double next) {
    SCHEDFARM_EXPECT(
        next < infinity,
        fmt::format(
            "deadlock at time {}: {} jobs are in the system, none runs or loads, no timer is set "
            "and no job will arrive. Let the policy react to its last event.",
            kernel.now(),
            kernel.jobs_in_system()
        )
    );
}

/// What a drive needs of a replication.
struct Run {
    const SimulationSetup& setup;
    Kernel& kernel;
    JobStream& jobs;
    const Recorder& recorder;
    const WorkloadModel& workload;
};

/// `drive` (Run): has the kernel live through the replication; gives an overflow that ends it.
template <typename Function>
Observations simulate_time(const Replication& replication, Function drive) {
    const auto& [setup, workload, policy, verifiers] = replication;
    const WorkloadTraits& traits = workload.traits();
    const RecordFeed feed =
        setup.starts_tell_finishes() ? RecordFeed::at_start : RecordFeed::at_completion;
    Recorder recorder(setup.experiment, setup.probes, setup.system, traits.job_classes, feed);
    Kernel kernel(setup, traits, policy, &recorder, verifiers);
    JobStream jobs(workload);
    const std::optional<QueueOverflow> overflow =
        drive(Run{setup, kernel, jobs, recorder, workload});
    kernel.finish();
    Observations result = overflow ? recorder.finish_early(*overflow) : recorder.finish();
    kernel.add_own_observations(result);
    return result;
}

RunEnd end_of(const SimulationSetup& setup) {
    return {
        setup.experiment,
        setup.policy_traits.first_come_first_served && !setup.system.outages.cut_jobs()
            ? Overtaking::none
            : Overtaking::possible};
}

/// The next arrival after so many; infinity: none comes.
double next_arrival(
    JobStream& jobs, const RunEnd& end, std::uint64_t admitted, const Recorder& recorder
) {
    const bool comes = end.needs_more(admitted)
                       || (end.admits_more(admitted) && !recorder.has_all() && jobs.has_next());
    return comes ? jobs.next_submit() : infinity;
}

double next_arrival(
    const DependentJobs& jobs,
    const RunEnd& /*end*/,
    std::uint64_t /*admitted*/,
    const Recorder& recorder
) {
    return recorder.has_all() ? infinity : jobs.next_submit();
}

void admit(Kernel& kernel, JobStream& jobs) {
    kernel.admit(jobs.take());
}

void admit(Kernel& kernel, DependentJobs& jobs) {
    const Job job = jobs.take();
    jobs.came(job.index, kernel.admit(job));
}

double next_leave(JobStream& /*jobs*/) {
    return infinity;
}

double next_leave(DependentJobs& jobs) {
    return jobs.next_leave();
}

void pass_on_ends(const Kernel& /*kernel*/, JobStream& /*jobs*/) {}

void pass_on_ends(const Kernel& kernel, DependentJobs& jobs) {
    for (const JobId id : kernel.ended()) {
        jobs.end(kernel.job(id).index, kernel.now());
    }
}

/// How many leave by `time`.
std::uint64_t pass_on_leaves(Kernel& /*kernel*/, JobStream& /*jobs*/, double /*time*/) {
    return 0;
}

std::uint64_t pass_on_leaves(Kernel& kernel, DependentJobs& jobs, double time) {
    std::uint64_t count = 0;
    for (; jobs.next_leave() <= time; ++count) {
        kernel.withdraw(jobs.take_leave());
    }
    return count;
}

/// How many the policy had leave in its last reaction.
std::uint64_t note_left(const Kernel& /*kernel*/, JobStream& /*jobs*/) {
    return 0;
}

std::uint64_t note_left(const Kernel& kernel, DependentJobs& jobs) {
    for (const std::uint64_t index : kernel.left()) {
        jobs.end(index, kernel.now());
    }
    return kernel.left().size();
}

// open and trace: until all counted jobs have come and gone, or too many wait.
template <typename Jobs>
std::optional<QueueOverflow> run_arrivals(const Run& run, const RunEnd& end, Jobs& jobs) {
    Kernel& kernel = run.kernel;
    const Recorder& recorder = run.recorder;
    std::uint64_t admitted = 0;
    const auto next_submit = [&] {
        return next_arrival(jobs, end, admitted, recorder);
    };
    while (kernel.counted_completed() < run.setup.experiment.horizon.jobs) {
        const double next = std::min({next_submit(), next_leave(jobs), kernel.next_event_time()});
        expect_no_deadlock(kernel, next);
        if (next > kernel.now() && !recorder.has_all()
            && end.is_too_much(admitted, admitted - kernel.started())) {
            return QueueOverflow{.time = kernel.now(), .jobs_submitted = admitted};
        }
        kernel.advance_to(next);
        pass_on_ends(kernel, jobs);
        admitted -= pass_on_leaves(kernel, jobs, next);
        while (next_submit() <= next) {
            admit(kernel, jobs);
            ++admitted;
        }
        kernel.react();
        admitted -= note_left(kernel, jobs);
    }
    return {};
}

std::optional<QueueOverflow> run_arrivals(const Run& run) {
    const RunEnd end = end_of(run.setup);
    if (const DependentWorkload* const workload = run.workload.dependent()) {
        DependentJobs jobs(run.jobs, *workload, end, run.setup.policy_traits);
        const auto overflow = run_arrivals(run, end, jobs);
        if (run.setup.probes.job_log != nullptr) {
            run.setup.probes.job_log->left_sooner = jobs.left_sooner();
        }
        return overflow;
    }
    return run_arrivals(run, end, run.jobs);
}

std::optional<QueueOverflow> run_offline(const Run& run) {
    auto& [setup, kernel, jobs, recorder, workload] = run;
    kernel.advance_to(0);
    for (std::uint64_t i = 0; i < setup.experiment.horizon.jobs; ++i) {
        Job job = jobs.take();
        job.submit_time = 0;
        kernel.admit(job);
    }
    kernel.react();
    while (kernel.jobs_in_system() > 0) {
        const double next = kernel.next_event_time();
        expect_no_deadlock(kernel, next);
        kernel.advance_to(next);
        kernel.react();
    }
    return {};
}

// Keeps Horizon::backlog jobs waiting until Horizon::jobs have started.
std::optional<QueueOverflow> run_saturated(const Run& run) {
    auto& [setup, kernel, jobs, recorder, workload] = run;
    const Horizon& horizon = setup.experiment.horizon;
    SCHEDFARM_EXPECT(horizon.backlog > 0, "a saturated system was asked for without a backlog");
    std::uint64_t admitted = 0;
    while (kernel.started() < horizon.jobs) {
        const bool jobs_join = admitted < horizon.backlog + kernel.started();
        const double next = jobs_join ? kernel.now() : kernel.next_event_time();
        expect_no_deadlock(kernel, next);
        kernel.advance_to(next);
        for (; jobs_join && admitted < horizon.backlog + kernel.started(); ++admitted) {
            Job job = jobs.take();
            job.submit_time = kernel.now();
            kernel.admit(job);
        }
        kernel.react();
    }
    return {};
}

}  // namespace

Observations simulate_arrivals(const Replication& replication) {
    return simulate_time(replication, [](const Run& run) { return run_arrivals(run); });
}

Observations simulate_offline(const Replication& replication) {
    return simulate_time(replication, run_offline);
}

Observations simulate_saturated(const Replication& replication) {
    return simulate_time(replication, run_saturated);
}

Observations simulate(
    const SimulationSetup& setup,
    WorkloadModel& workload,
    Policy& policy,
    std::span<ScheduleVerifier* const> verifiers
) {
    const auto drive = setup.experiment.kind.facts().simulate;
    SCHEDFARM_EXPECT(drive != nullptr, "the kernel was asked to fill bins. Use fill_bins().");
    return drive({setup, workload, policy, verifiers});
}

}  // namespace schedfarm::engine
