// Every specialised simulator against the general kernel on four whole logs of the Parallel
// Workloads Archive, to the bit; jobs that outlive their estimates are killed, run on or get the
// estimate raised: all three on the smallest, one on each of the others.
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "tests/policies/cells.hpp"
#include "tests/policies/log_jobs.hpp"

namespace schedfarm::tests {

namespace {

/// Compares all policies that have a specialised simulator and returns how many they are.
int compare(
    const std::string& file,
    std::uint32_t processors,
    std::uint64_t jobs,
    const std::string& overrun
) {
    SimulationSetup setup;
    setup.system.clusters = {processors};
    setup.experiment.kind = ExperimentKind::trace;
    setup.experiment.horizon = {.jobs = jobs, .warm_up_jobs = jobs / 10};
    setup.probes.requests.emplace_back();  // the response time
    int compared = 0;
    for (const PolicyDescription& policy : policies_under_test()) {
        const Parameters parameters = with_defaults(policy.alternative.parameters, {});
        if (!policy.specialised_simulator) {
            continue;
        }
        CAPTURE(policy.alternative.name);
        CAPTURE(overrun);
        setup.policy_traits = policy.traits(parameters);
        const auto found =
            policy.specialised_simulator(parameters, setup, *log_jobs(file, overrun, setup.system));
        if (!found) {  // too many jobs may run at once for it
            continue;
        }
        const auto scheduler =
            policy.make(parameters, {setup.system, Stream(1, Purpose::policy, 0)});
        const Observations general =
            simulate(setup, *log_jobs(file, overrun, setup.system), *scheduler);
        CHECK(found->fingerprint == general.fingerprint);
        CHECK(found->values == general.values);
        ++compared;
    }
    return compared;
}

}  // namespace

TEST_CASE("specialised simulators give the same bits as the general kernel on whole KTH") {
    for (const char* overrun : {"killed", "runs_on", "request_raised"}) {
        CHECK(compare("KTH-SP2-1996-2.1-cln.swf.gz", 100, 28467, overrun) > 0);
    }
}

TEST_CASE("specialised simulators give the same bits as the general kernel on whole CTC") {
    CHECK(compare("CTC-SP2-1996-3.1-cln.swf.gz", 338, 77199, "runs_on") > 0);
}

TEST_CASE("specialised simulators give the same bits as the general kernel on whole SDSC BLUE") {
    CHECK(compare("SDSC-BLUE-2000-4.2-cln.swf.gz", 1152, 232536, "killed") > 0);
}

TEST_CASE("specialised simulators give the same bits as the general kernel on whole LANL") {
    CHECK(compare("LANL-CM5-1994-4.1-cln.swf.gz", 1024, 110769, "request_raised") > 0);
}

}  // namespace schedfarm::tests
