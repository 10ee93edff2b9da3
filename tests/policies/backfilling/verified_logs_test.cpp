// EASY and conservative backfilling on four whole logs: that EASY starts the head of the queue
// where it fits and by what it was promised, and that by a plan kept once more the same jobs start.
// Conservative: on KTH, in the long form on all.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/cells.hpp"
#include "tests/policies/log_jobs.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

struct Log {
    const char* file;
    std::uint32_t processors;
    std::uint64_t jobs;
};

constexpr Log kth{"KTH-SP2-1996-2.1-cln.swf.gz", 100, 28467};
constexpr Log ctc{"CTC-SP2-1996-3.1-cln.swf.gz", 338, 77199};
constexpr Log lanl{"LANL-CM5-1994-4.1-cln.swf.gz", 1024, 110769};
constexpr Log blue{"SDSC-BLUE-2000-4.2-cln.swf.gz", 1152, 232536};

/// Under all verifiers, with jobs killed at their requested time and with requests raised.
void verify(const char* name, const Log& log) {
    const PolicyUnderTest policy(policy_named(name), {});
    for (const char* overrun : {"killed", "request_raised"}) {
        CAPTURE(log.file);
        CAPTURE(overrun);
        const SystemDescription system{.clusters = {log.processors}};
        const PolicyContext context{system, Stream(1, Purpose::policy, 0)};
        const std::array verifiers = {
            make_machine_verifier(system),
            make_own_verifier(*policy.description, policy.parameters, context),
            make_plain_verifier(*policy.description, policy.parameters, context)};
        std::vector<ScheduleVerifier*> all;
        for (const auto& verifier : verifiers) {
            if (verifier) {
                all.push_back(verifier.get());
            }
        }
        const SimulationSetup setup{
            .system = system,
            .experiment = {.kind = ExperimentKind::trace, .horizon = {.jobs = log.jobs}},
            .probes = {},
            .policy_traits = policy.description->traits(policy.parameters)};
        const auto scheduler = policy.description->make(policy.parameters, context);
        const Observations found =
            simulate(setup, *log_jobs(log.file, overrun, system), *scheduler, all);
        CHECK(found.jobs == log.jobs);
    }
}

}  // namespace

TEST_CASE("EASY on whole logs starts the head of the queue where it fits and as promised") {
    for (const Log& log : {kth, ctc, lanl, blue}) {
        verify("easy", log);
    }
}

TEST_CASE("conservative backfilling on whole logs starts jobs by a second plan") {
    verify("conservative", kth);
    if (is_long_form()) {
        for (const Log& log : {ctc, lanl, blue}) {
            verify("conservative", log);
        }
    }
}

}  // namespace schedfarm::tests
