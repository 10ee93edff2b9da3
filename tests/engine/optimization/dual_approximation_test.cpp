#include "engine/optimization/dual_approximation.hpp"

#include <random>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/engine/optimization/instances.hpp"
#include "tests/support/within.hpp"

namespace schedfarm::engine {

namespace {

using testing::Family;
using testing::OwnedInstance;

/// Sums of up to a thousand numbers.
constexpr double rounding = 1e-12;

void check_guarantees(const MoldableInstance& instance, const DualApproximation& result) {
    CHECK(testing::fault_of(instance, result.schedule) == "");
    CHECK(result.makespan <= 1.5 * result.lambda * (1 + rounding));
    CHECK(result.lower_bound <= result.lambda);
    CHECK(result.lower_bound <= result.makespan);
    CHECK(result.shelf_order().size() == instance.size());
    if (instance.is_monotone()) {
        const double of_work = 3e-16 * static_cast<double>(instance.size()) + instance.area_loss();
        CHECK(result.lower_bound >= result.lambda * (1 - 1e-9 - of_work));
    }
}

}  // namespace

TEST_CASE("two tasks that double in speed on two processors need two units of time") {
    // Each alone on both processors: 1 + 1. Side by side on one each: 2. Below λ = 2 both would
    // have to be on the first shelf with two processors each.
    const OwnedInstance owned{2, {1, 1}, {{2, 1}, {2, 1}}};
    const DualApproximation result = dual_approximation(owned.view());
    CHECK(result.lambda == doctest::Approx(2).epsilon(1e-9));
    CHECK(result.lower_bound <= 2);
    CHECK(result.makespan == 2);
}

TEST_CASE("one task takes all processors and one processor takes all tasks") {
    const OwnedInstance one_task{3, {1}, {{6, 4, 3}}};
    CHECK(dual_approximation(one_task.view()).lambda == 3);
    CHECK(dual_approximation(one_task.view()).lower_bound == 3);
    const OwnedInstance one_processor{1, {1, 1, 1}, {{1}, {2}, {4}}};
    CHECK(dual_approximation(one_processor.view()).lambda == 7);
    CHECK(dual_approximation(one_processor.view()).makespan == 7);
}

TEST_CASE("the guess and the schedule keep their guarantees beside the optimum of small instances"
) {
    std::mt19937_64 random(1);
    for (int repetition = 0; repetition < 120; ++repetition) {
        for (const Family family : testing::all_families) {
            const OwnedInstance owned = testing::random_small_instance(family, random);
            const MoldableInstance instance = owned.view();
            const DualApproximation result = dual_approximation(instance);
            const double optimum = testing::brute_force(instance).makespan;
            check_guarantees(instance, result);
            CHECK(result.lower_bound <= optimum);
            CHECK(result.makespan >= optimum);
        }
    }
}

TEST_CASE("the second shelf may use the other processors of a task with another one behind it") {
    // The monotone times above have λ* = 5.587. First shelf: tasks 0, 2 and 3 on 4, 2 and 1
    // processors for 0.763, 0.847 and 0.637 λ; second: task 1 on 4. Task 3 goes behind task 0;
    // if all four processors of that were lost to the second shelf, three would be left.
    const OwnedInstance owned{
        7,
        {1, 1, 1, 1},
        {{8.4974783113348096,
          5.68479696557075,
          6.6184475268413783,
          3.1025411496102611,
          2.8094307897098361,
          3.4433961906327895,
          8.0121891152038121},
         {9.0268883688270538,
          1.2124149626121878,
          7.9416973368970281,
          8.6006188097578491,
          6.256923340297031,
          1.1076542137186967,
          9.7545391851641181},
         {9.1706587609943639,
          4.7340514580549629,
          7.3158460434680483,
          2.2287862891423593,
          4.7152903374951922,
          5.5561893981583133,
          6.9849845865222182},
         {3.5589919717836014,
          1.4566338208154628,
          2.9167037570943832,
          4.0504050482602887,
          4.2656607775150013,
          6.2978318771153088,
          4.6207122618179248}}};
    check_guarantees(owned.view(), dual_approximation(owned.view()));
}

/// Tasks j of 10 + j on one processor that lose `loss` of their area with each further one.
OwnedInstance losing_areas(std::size_t tasks, std::uint32_t processors, double loss) {
    OwnedInstance owned{processors, std::vector<double>(tasks, 1), {}};
    for (std::size_t j = 0; j < tasks; ++j) {
        std::vector<double>& times = owned.times.emplace_back();
        double area = 10 + static_cast<double>(j);
        for (std::uint32_t k = 1; k <= processors; ++k) {
            times.push_back(area / k);
            area *= 1 - loss;
        }
    }
    return owned;
}

TEST_CASE("the search ends where many falls by rounding add up to more than its precision") {
    for (const auto& [tasks, processors] :
         {std::pair{5U, 1500U}, {20U, 1000U}, {3U, 3000U}, {50U, 700U}}) {
        CAPTURE(processors);
        const OwnedInstance owned = losing_areas(tasks, processors, 9e-13);
        const MoldableInstance instance = owned.view();
        REQUIRE(instance.is_monotone());
        CHECK(instance.area_loss() > 5e-10);
        check_guarantees(instance, dual_approximation(instance));
    }
}

TEST_CASE("the search ends where the rounding of the work of many tasks exceeds its precision") {
    const std::vector<double> times{1};
    const std::size_t tasks = 2'300'000;
    const MoldableInstance instance(1, std::vector<MoldableTask>(tasks, {times}));
    REQUIRE(mean_load_bound(instance, 1) < 1 - 5e-10);
    const DualApproximation result = dual_approximation(instance);
    CHECK(result.makespan == tasks);
    CHECK(result.lower_bound <= result.makespan);
    CHECK(result.lower_bound >= result.lambda * (1 - 2e-9));
    CHECK(result.lambda == schedfarm::tests::within(1e-9, static_cast<double>(tasks)));
}

TEST_CASE("schedules of all sizes end within one and a half guesses") {
    std::mt19937_64 random(2);
    for (int repetition = 0; repetition < 300; ++repetition) {
        for (const Family family : testing::all_families) {
            const std::size_t tasks = testing::integer(random, 1, 60);
            const std::uint32_t processors = testing::integer(random, 1, 40);
            const OwnedInstance owned = random_instance(family, tasks, processors, random);
            const MoldableInstance instance = owned.view();
            check_guarantees(instance, dual_approximation(instance));
        }
    }
}

}  // namespace schedfarm::engine
