// The job log over random small cells: it says what a listener on the general kernel saw, the fast
// ways give the same, and asking for it changes no number. Names no policy.
#include "engine/simulation/logs/job_log.hpp"

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include "tests/policies/contract_cells.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

constexpr double never = std::numeric_limits<double>::quiet_NaN();
constexpr std::array logged_structures = {RequestStructure::total, RequestStructure::unordered};
constexpr std::array logged_kinds = {
    ExperimentKind::open,
    ExperimentKind::saturated,
    ExperimentKind::trace,
    ExperimentKind::offline};

bool are_same(const JobLog& a, const JobLog& b) {
    return same_bits(a.submit, b.submit) && same_bits(a.start, b.start)
           && same_bits(a.finish, b.finish) && same_bits(a.service, b.service) && a.size == b.size
           && a.job_class == b.job_class && same_bits(a.offered, b.offered);
}

/// Notes by itself what happens to each job.
class Listener final : public ScheduleVerifier {
  public:
    explicit Listener(std::size_t jobs) {
        seen.begin(jobs);
        seen.finish.assign(jobs, never);
    }

    void observe(const ScheduleStep& step) override {
        if (step.job == nullptr || step.job->index >= seen.jobs()) {
            return;
        }
        const std::size_t job = step.job->index;
        if (step.kind == ScheduleStep::Kind::arrival) {
            seen.submit[job] = step.time;
        } else if (step.kind == ScheduleStep::Kind::start) {
            seen.start[job] = step.time;
            seen.service[job] = step.job->service_time;
            seen.size[job] = step.job->size;
            if (step.job->job_class > 0) {
                seen.job_class.resize(seen.jobs());
                seen.job_class[job] = step.job->job_class;
            }
        } else if (step.kind == ScheduleStep::Kind::completion) {
            seen.finish[job] = step.time;
        }
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

    JobLog seen;
};

std::uint64_t fingerprint_of(const JobLog& log) {
    std::uint64_t sum = 0;
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        if (log.has(job)) {
            sum += schedule_hash(job, log.start[job], log.finish[job]);
        }
    }
    return sum;
}

/// A saturated run may know of starts that are no longer recorded, and ends before all finishes.
bool is_what_was_seen(const JobLog& log, const JobLog& seen, ExperimentKind kind) {
    if (kind != ExperimentKind::saturated) {
        return are_same(log, seen);
    }
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        const bool is_same =
            std::isnan(log.submit[job]) && log.start[job] == seen.start[job]
            && log.size[job] == seen.size[job]
            && (std::isnan(seen.finish[job]) || log.finish[job] == seen.finish[job]);
        if (log.has(job) && !is_same) {
            return false;
        }
    }
    return true;
}

void check_log(const PolicyUnderTest& policy, TestCell cell) {
    const ExperimentKind kind = cell.experiment.kind;
    const Observations without = run_general(policy, cell);
    JobLog log;
    log.begin(7);  // what another replication left
    cell.probes.job_log = &log;
    Listener listener(
        kind == ExperimentKind::saturated ? cell.jobs.size() : cell.experiment.horizon.jobs
    );
    const Observations with = run_general(policy, cell, &listener);
    REQUIRE(same_bits(with.values, without.values));
    REQUIRE(with.fingerprint == without.fingerprint);
    REQUIRE(fingerprint_of(log) == with.fingerprint);
    REQUIRE(is_what_was_seen(log, listener.seen, kind));
    JobLog other_log;
    cell.probes.job_log = &other_log;
    if (run_specialised(policy, cell)) {
        REQUIRE(are_same(other_log, log));
    }
}

}  // namespace

TEST_CASE("the job log says what happened and is the same from specialised simulators") {
    for (const PolicyDescription& description : policies_under_test()) {
        const PolicyUnderTest policy(description, {});
        for (const ExperimentKind kind : logged_kinds) {
            for (const RequestStructure structure : logged_structures) {
                for (std::uint64_t seed = 0; seed < short_or_long(8U, 25U); ++seed) {
                    CAPTURE(description.alternative.name);
                    CAPTURE(kind.name());
                    CAPTURE(seed);
                    Dice dice(seed);
                    const TestCell cell = random_cell(dice, kind, structure);
                    if (serves(description, cell)) {
                        check_log(policy, cell);
                    }
                }
            }
        }
    }
}

TEST_CASE("the job log of a replication that ended early is empty") {
    TestCell cell;
    cell.system.clusters = {1};
    cell.experiment.kind = ExperimentKind::open;
    cell.experiment.horizon = {.jobs = 4, .queue_limit = 1};
    cell.jobs = {{0, 9, {1}}, {1, 9, {1}}, {2, 9, {1}}, {3, 9, {1}}};  // at 2 two jobs wait
    for (const PolicyDescription& description : policies_under_test()) {
        CAPTURE(description.alternative.name);
        const PolicyUnderTest policy(description, {});
        JobLog log;
        cell.probes.job_log = &log;
        REQUIRE(run_general(policy, cell).overflow.has_value());
        CHECK(log.jobs() == 0);
        log.begin(3);
        if (run_specialised(policy, cell)) {
            CHECK(log.jobs() == 0);
        }
    }
}

}  // namespace schedfarm::tests
