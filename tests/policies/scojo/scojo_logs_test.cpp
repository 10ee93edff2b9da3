// With one type of job in one endless slice and without memory, Scojo-PECT is the backfilling that
// it does within a type, start by start.
#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/log_jobs.hpp"
#include "tests/policies/schedule_log.hpp"
#include "tests/policies/scojo/scojo_runs.hpp"

namespace schedfarm::tests {

namespace {

constexpr std::uint64_t kth_jobs = 28467;

Times starts_on_kth(const char* name, const Parameters& given) {
    const PolicyUnderTest policy(policy_named(name), given);
    const SystemDescription system{.clusters = {100}};
    const SimulationSetup setup{
        .system = system,
        .experiment = {.kind = ExperimentKind::trace, .horizon = {.jobs = kth_jobs}},
        .probes = {},
        .policy_traits = policy.description->traits(policy.parameters)};
    const PolicyContext context{system, Stream(1, Purpose::policy, 0)};
    StartTimes log(kth_jobs);
    std::array<ScheduleVerifier*, 1> listens = {&log};
    const auto scheduler = policy.description->make(policy.parameters, context);
    simulate(
        setup, *log_jobs("KTH-SP2-1996-2.1-cln.swf.gz", "killed", system), *scheduler, listens
    );
    return log.starts();
}

Parameters one_endless_slice(const char* backfilling) {
    ScojoCell cell;
    cell.slices = {3600};
    cell.thresholds = {};
    Parameters given = scojo_policy(cell).parameters;
    given.set("backfilling", backfilling);
    given.set("run_time", "actual");
    return given;
}

}  // namespace

TEST_CASE("one endless slice is conservative or EASY backfilling on KTH-SP2") {
    CHECK(
        starts_on_kth("scojo_pect", one_endless_slice("conservative"))
        == starts_on_kth("conservative", with_words({{"run_time", "actual"}}))
    );
    CHECK(
        starts_on_kth("scojo_pect", one_endless_slice("easy"))
        == starts_on_kth(
            "easy", with_words({{"candidate_time", "actual"}, {"running_time", "actual"}})
        )
    );
}

}  // namespace schedfarm::tests
