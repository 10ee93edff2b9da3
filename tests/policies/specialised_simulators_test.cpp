// Every specialised simulator against the general kernel, over random small cells, to the bit.
// Names no policy.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/contract_cells.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

/// The defaults, or random values for every parameter; integers are small.
Parameters random_parameters(Dice& dice, const PolicyDescription& policy) {
    Parameters parameters;
    if (dice.below(3) == 0) {
        return parameters;
    }
    for (const ParameterDescription& parameter : policy.alternative.parameters) {
        if (parameter.type == ParameterType::boolean) {
            parameters.set(parameter.name, dice.below(2) == 0);
        } else if (parameter.type == ParameterType::integer) {
            parameters.set(parameter.name, static_cast<int>(dice.below(10)));
        } else if (parameter.type == ParameterType::text && !parameter.words.empty()) {
            const auto words = static_cast<std::uint32_t>(parameter.words.size());
            parameters.set(parameter.name, parameter.words[dice.below(words)]);
        }
    }
    return parameters;
}

/// Estimates that are exact, too long, too short by far (0 among them), or each for some jobs.
void add_estimates(Dice& dice, std::vector<GivenJob>& jobs) {
    const std::uint32_t kind = dice.below(4);
    for (GivenJob& job : jobs) {
        const std::uint32_t kind_here = kind == 3 ? dice.below(3) : kind;
        if (kind_here == 1) {
            job.estimate = job.service_time + dice.below(7);
        } else if (kind_here == 2) {
            job.estimate = job.service_time * dice.below(4) / 4;
        }
    }
}

/// One cluster of up to `most_processors`, which mostly runs many small jobs and gets long queues:
/// a burst of jobs at one instant every now and then, and sometimes a job as large as the machine.
TestCell large_cell(Dice& dice, ExperimentKind kind, std::uint32_t most_processors) {
    TestCell cell;
    const std::uint32_t processors = 1 + dice.below(most_processors);
    cell.system.clusters = {processors};
    cell.block_size = 1 + dice.below(512);
    cell.experiment.kind = kind;
    cell.experiment.horizon.jobs = 2000;
    cell.experiment.horizon.warm_up_jobs = dice.below(1000);
    const std::uint32_t spread = 1 + dice.below(20);
    const std::uint32_t small = 1 + dice.below(1 + processors / 8);
    double submit = 0;
    for (int i = 0; i < 2100; ++i) {
        submit += dice.below(200) == 0 ? 500.0 : dice.below(spread);
        GivenJob job;
        job.submit_time = dice.below(2) == 0 ? submit : submit + dice.below(8) / 7.0;
        submit = job.submit_time;
        job.components = {1 + dice.below(dice.below(30) == 0 ? processors : small)};
        job.service_time = dice.below(20) == 0 ? 0 : 1 + dice.below(300);
        cell.jobs.push_back(std::move(job));
    }
    cell.probes = all_probes();
    return cell;
}

/// Cells that were compared, and those among them whose queue passed the limit, and in which jobs
/// beyond the horizon changed what became of those in it.
struct Comparisons {
    std::uint64_t cells = 0;
    std::uint64_t overflows = 0;
    std::uint64_t touched_by_later_jobs = 0;
};

/// The policies with a simulator for some cells: for the others no cell need be drawn.
std::vector<PolicyDescription> policies_with_simulators() {
    std::vector<PolicyDescription> found;
    for (const PolicyDescription& description : policies_under_test()) {
        if (description.specialised_simulator) {
            found.push_back(description);
        }
    }
    return found;
}

/// Shares of processors and waiting jobs of all classes are those of all jobs.
void expect_classes_add_up(const TestCell& cell, const Observations& observed) {
    const auto columns =
        observation_columns(cell.probes, cell.experiment, cell.workload()->traits().job_classes);
    for (const std::string name : {"gross_utilization", "queue_length.mean"}) {
        double all = 0;
        double sum = 0;
        bool has_classes = false;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const bool is_of_class = columns[i].name.starts_with(name + "[class=");
            has_classes = has_classes || is_of_class;
            sum += is_of_class ? observed.values[i] : 0;
            all += columns[i].name == name ? observed.values[i] : 0;
        }
        if (has_classes && !std::isnan(all)) {
            REQUIRE(sum == doctest::Approx(all).epsilon(1e-12));
        }
    }
}

/// Whether it would end otherwise if no job came after the horizon's.
bool is_touched_by_later_jobs(
    const PolicyUnderTest& policy, const TestCell& cell, const Observations& observed
) {
    if (cell.experiment.kind != ExperimentKind::open || observed.overflow) {
        return false;
    }
    TestCell ending = cell;
    ending.experiment.kind = ExperimentKind::trace;
    return run_specialised(policy, ending).value().fingerprint != observed.fingerprint;
}

/// Compares one cell, if the policy has a simulator for it.
void compare(const PolicyUnderTest& policy, const TestCell& cell, Comparisons& done) {
    const auto found = run_specialised(policy, cell);
    if (!found) {
        return;
    }
    CAPTURE(policy.description->alternative.name);
    CAPTURE(policy.parameters.text());
    CAPTURE(cell.experiment.kind.name());
    CAPTURE(static_cast<int>(cell.structure));
    const Observations general = run_general(policy, cell);
    REQUIRE(are_same(general, *found));
    expect_classes_add_up(cell, general);
    ++done.cells;
    done.overflows += general.overflow ? 1U : 0U;
    done.touched_by_later_jobs += is_touched_by_later_jobs(policy, cell, general) ? 1U : 0U;
}

/// The same for all policies and random cells with any limit of the queue and any series; a cell is
/// drawn once for all of them, their parameters and its estimates for each.
void compare_many(
    ExperimentKind kind,
    RequestStructure structure,
    std::uint64_t cells,
    std::uint32_t most_jobs,
    Comparisons& done
) {
    const std::vector<PolicyDescription> descriptions = policies_with_simulators();
    for (std::uint64_t seed = 0; seed < cells; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        TestCell drawn = random_cell(dice, kind, structure, most_jobs);
        Horizon& horizon = drawn.experiment.horizon;
        horizon.queue_limit = dice.below(2) == 0 ? 0 : 1 + dice.below(most_jobs / 2);
        drawn.experiment.series_bins = dice.below(2) == 0 ? 0 : 1 + dice.below(most_jobs);
        for (const PolicyDescription& description : descriptions) {
            Dice own = dice;
            const PolicyUnderTest policy(description, random_parameters(own, description));
            TestCell cell = drawn;
            add_estimates(own, cell.jobs);
            compare(policy, cell, done);
        }
    }
}

}  // namespace

TEST_CASE("specialised simulators give the same bits as the general kernel on random cells") {
    Comparisons done;
    for (const ExperimentKind kind : kinds) {
        for (const RequestStructure structure : structures) {
            compare_many(kind, structure, short_or_long(50U, 150U), 60, done);
        }
    }
    MESSAGE(
        done.cells << " cells compared, " << done.overflows << " ended early, in "
                   << done.touched_by_later_jobs << " later jobs counted"
    );
    CHECK(done.cells > 1000);
    CHECK(done.overflows > 60);
    CHECK(done.touched_by_later_jobs > 10);  // that overtake; none of these policies preempts
}

TEST_CASE("specialised simulators give the same bits as the general kernel with long queues") {
    Comparisons done;
    for (const ExperimentKind kind : {ExperimentKind::open, ExperimentKind::saturated}) {
        for (const RequestStructure structure :
             {RequestStructure::total, RequestStructure::unordered}) {
            compare_many(kind, structure, 20, 1500, done);
        }
    }
    CHECK(done.cells >= 100);
    CHECK(done.overflows >= 10);
}

TEST_CASE("specialised simulators give the same bits as the general kernel on large machines") {
    Comparisons done;
    for (const PolicyDescription& description : policies_with_simulators()) {
        for (const ExperimentKind kind : {ExperimentKind::open, ExperimentKind::trace}) {
            for (std::uint64_t seed = 0; seed < short_or_long(12U, 27U); ++seed) {
                CAPTURE(seed);
                Dice dice(seed);
                TestCell cell = large_cell(dice, kind, seed % 2 == 0 ? 200 : 1100);
                add_estimates(dice, cell.jobs);
                cell.complete();
                compare(PolicyUnderTest(description, {}), cell, done);
            }
        }
    }
    CHECK(done.cells >= 60);
}

TEST_CASE("asking for probes does not change the numbers of a specialised simulator") {
    for (const PolicyDescription& description : policies_with_simulators()) {
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            Dice dice(seed);
            TestCell cell = random_cell(dice, ExperimentKind::open, RequestStructure::total);
            const PolicyUnderTest policy(description, {});
            cell.probes = {};
            cell.probes.requests.emplace_back();  // the response time
            const auto few = run_specialised(policy, cell);
            if (!few) {
                continue;
            }
            cell.probes = all_probes();
            Observations start_of_all = run_specialised(policy, cell).value();
            REQUIRE(few->values.size() == 5);  // what is always observed, and the response time
            start_of_all.values.resize(5);
            start_of_all.sketches.clear();
            REQUIRE(are_same(*few, start_of_all));
        }
    }
}

}  // namespace schedfarm::tests
