#include "engine/simulation/simulator.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/bin_filling.hpp"
#include "engine/simulation/job_stream.hpp"
#include "engine/simulation/kernel.hpp"
#include "engine/simulation/recorder.hpp"
#include "engine/simulation/run_end.hpp"

namespace schedfarm::engine {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void expect_no_deadlock(const Kernel& kernel, double next) {
    SCHEDFARM_EXPECT(
        next < infinity,
        fmt::format(
            "deadlock at time {}: {} jobs are in the system, none runs or loads, no timer is set "
            "and no job will arrive. A policy that does not react to its last event?",
            kernel.now(),
            kernel.jobs_in_system()
        )
    );
}

// open and trace: until all counted jobs have come and gone, or too many wait.
std::optional<QueueOverflow> run_arrivals(
    Kernel& kernel, JobStream& jobs, const SimulationSetup& setup, const Recorder& recorder
) {
    const RunEnd end(
        setup.experiment,
        setup.policy_traits.first_come_first_served ? Overtaking::never : Overtaking::possible
    );
    std::uint64_t admitted = 0;
    const auto next_submit = [&] {
        const bool comes = end.needs_more(admitted)
                           || (end.admits_more(admitted) && !recorder.has_all() && jobs.has_next());
        return comes ? jobs.next_submit() : infinity;
    };
    while (kernel.counted_completed() < setup.experiment.horizon.jobs) {
        const double next = std::min(next_submit(), kernel.next_event_time());
        expect_no_deadlock(kernel, next);
        if (next > kernel.now() && !recorder.has_all()
            && end.is_too_much(admitted, admitted - kernel.started())) {
            return QueueOverflow{.time = kernel.now(), .jobs_submitted = admitted};
        }
        kernel.advance_to(next);
        while (next_submit() <= next) {
            kernel.admit(jobs.take());
            ++admitted;
        }
        kernel.react();
    }
    return {};
}

void run_offline(Kernel& kernel, JobStream& jobs, std::uint64_t count) {
    kernel.advance_to(0);
    for (std::uint64_t i = 0; i < count; ++i) {
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
}

// Keeps `backlog` jobs waiting until `count` have started.
void run_saturated(Kernel& kernel, JobStream& jobs, const Horizon& horizon) {
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
}

}  // namespace

Observations simulate(
    const SimulationSetup& setup,
    WorkloadModel& workload,
    Policy& policy,
    std::span<ScheduleVerifier* const> verifiers
) {
    const Experiment& experiment = setup.experiment;
    if (experiment.kind == ExperimentKind::bin_filling) {
        return simulate_bin_filling(setup, workload, policy, verifiers);
    }
    const WorkloadTraits& traits = workload.traits();
    const RecordFeed feed =
        setup.policy_traits.preemptive ? RecordFeed::at_completion : RecordFeed::at_start;
    Recorder recorder(experiment, setup.probes, setup.system, traits.job_classes, feed);
    Kernel kernel(setup, traits, policy, &recorder, verifiers);
    JobStream jobs(workload);
    std::optional<QueueOverflow> overflow;
    if (experiment.kind == ExperimentKind::saturated) {
        run_saturated(kernel, jobs, experiment.horizon);
    } else if (experiment.kind == ExperimentKind::offline) {
        run_offline(kernel, jobs, experiment.horizon.jobs);
    } else {
        overflow = run_arrivals(kernel, jobs, setup, recorder);
    }
    kernel.finish();
    Observations result = overflow ? recorder.finish_early(*overflow) : recorder.finish();
    kernel.add_own_observations(result);
    return result;
}

}  // namespace schedfarm::engine
