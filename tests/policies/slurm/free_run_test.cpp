// The policy `slurm` alone on the recorded submissions, against what a real Slurm 22.05 did: it
// knows submissions, eligible times, limits and run times only. The recordings do not fix whether
// nodes are free at a job's end or a second later, nor whether a backfill pass comes ahead of what
// else happens in its second, nor of second runs the phase of the periods: the best counts.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/submitted_request.hpp"

#include "policies/slurm/policy.hpp"

#include "tests/policies/schedule_log.hpp"
#include "tests/policies/slurm/recording.hpp"

namespace schedfarm::tests {

namespace {

struct Comparison {
    int near = 0;  ///< starts within 10 s
    int jobs = 0;
    double in_order = 0;  ///< share of pairs that start in the recorded order
    double mean_wait = 0;
    double recorded_wait = 0;
    std::string switches = {};

    double wait_error() const { return std::abs(mean_wait / recorded_wait - 1); }
};

Comparison compared(const std::vector<double>& starts, const Recording& recording) {
    Comparison result;
    const double zero = static_cast<double>(recording.first_second());
    double pairs = 0;
    double same = 0;
    for (std::size_t i = 0; i < recording.jobs.size(); ++i) {
        const RecordedJob& one = recording.jobs[i];
        const double recorded = static_cast<double>(one.start) - zero;
        const double eligible = static_cast<double>(one.job.eligible) - zero;
        ++result.jobs;
        result.near += std::abs(starts[i] - recorded) <= 10 ? 1 : 0;
        result.mean_wait += starts[i] - eligible;
        result.recorded_wait += recorded - eligible;
        for (std::size_t j = 0; j < i; ++j) {
            const double recorded_gap =
                recorded - (static_cast<double>(recording.jobs[j].start) - zero);
            const double gap = starts[i] - starts[j];
            pairs += recorded_gap != 0 ? 1 : 0;
            same += recorded_gap != 0 && gap * recorded_gap > 0 ? 1 : 0;
            same += recorded_gap != 0 && gap == 0 ? 0.5 : 0;
        }
    }
    result.in_order = same / pairs;
    result.mean_wait /= result.jobs;
    result.recorded_wait /= result.jobs;
    return result;
}

Comparison free_run(const Recording& recording, const policies::slurm::PolicySettings& settings) {
    std::vector<engine::SubmittedRequest> requests(recording.jobs.size());
    std::vector<GivenJob> jobs;
    std::uint32_t cpus = 0;
    for (const auto& node : recording.settings.nodes) {
        cpus += node.cpus;
    }
    for (std::size_t i = 0; i < recording.jobs.size(); ++i) {
        const RecordedJob& one = recording.jobs[i];
        engine::SubmittedRequest& request = requests[i];
        request.held_s = static_cast<double>(one.job.eligible - one.job.submit);
        request.nodes = one.job.request.nodes;
        request.cpus = one.job.request.cpus;
        request.user = one.user;
        request.account = one.account;
        request.partition = one.partition;
        request.quality = one.quality;
        GivenJob job;
        job.submit_time = static_cast<double>(one.job.submit - recording.first_second());
        job.service_time = static_cast<double>(one.end - one.start);
        job.estimate = static_cast<double>(one.job.limit);
        job.components = {one.cpus};
        job.request = &request;
        jobs.push_back(std::move(job));
    }
    GivenWorkload workload(jobs, engine::RequestStructure::total, 512);
    engine::SimulationSetup setup;
    setup.system.clusters = {cpus};
    setup.experiment.kind = engine::ExperimentKind::trace;
    setup.experiment.horizon.jobs = jobs.size();
    StartTimes starts(jobs.size());
    engine::ScheduleVerifier* const watching = &starts;
    const auto policy = policies::slurm::make_policy(settings);
    simulate(setup, workload, *policy, {&watching, 1});
    return compared(starts.starts(), recording);
}

/// Of the switches that the recording does not fix.
Comparison best_of(const std::string& name) {
    const std::string folder = SCHEDFARM_RECORDINGS "/" + name;
    const Recording recording = read_recording(folder);
    std::vector<double> phases{
        static_cast<double>((recording.controller_start + 1) % 60),
        static_cast<double>((recording.controller_start + 2) % 60)};
    if (recording.settings.priorities.multifactor && recording.controller_start == 0) {
        phases.clear();
        for (int phase = 0; phase < 60; ++phase) {
            phases.push_back(phase);
        }
    }
    Comparison best;
    for (const double phase : phases) {
        for (const bool one_later : {false, true}) {
            for (const bool first : {false, true}) {
                Comparison one = free_run(
                    recording,
                    {.site = recording.settings,
                     .clock = static_cast<double>(recording.first_second()),
                     .phase = phase,
                     .node_free_after = one_later ? 1.0 : 0.0,
                     .backfill_first = first}
                );
                one.switches = std::string(one_later ? "nodes a second later" : "nodes at once")
                               + (first ? ", backfill first" : ", backfill last");
                if (best.jobs == 0 || one.near > best.near
                    || (one.near == best.near && one.in_order > best.in_order)) {
                    best = one;
                }
            }
        }
    }
    std::printf(
        "%-16s %2d of %2d within 10 s, pairs in order %.3f, mean wait %.1f, recorded %.1f (%s)\n",
        name.c_str(),
        best.near,
        best.jobs,
        best.in_order,
        best.mean_wait,
        best.recorded_wait,
        best.switches.c_str()
    );
    return best;
}

TEST_CASE("on the recorded clock alone every start of six recordings comes within ten seconds") {
    for (const char* name : {"backfill", "bf_depth", "bf_window", "builtin", "defaults", "small"}) {
        const Comparison best = best_of(std::string(name) + "/run1");
        CAPTURE(name);
        CHECK(best.near == best.jobs);
        CHECK(best.in_order >= 0.98);
        CHECK(best.wait_error() <= 0.05);
    }
}

TEST_CASE("on the recorded clock alone order and mean waits are those of the real Slurm") {
    for (const char* name : {"size", "tiers", "fair"}) {
        const Comparison best = best_of(std::string(name) + "/run1");
        const bool is_fair = std::string(name) == "fair";
        CAPTURE(name);
        CHECK(best.in_order >= (is_fair ? 0.96 : 0.98));
        CHECK(best.wait_error() <= (is_fair ? 0.10 : 0.05));
    }
}

}  // namespace

}  // namespace schedfarm::tests
