// Moldable jobs at random for the tests of their policies. Times on one processor are whole numbers
// and all speedups are made of quarters, so that many quantities are equal.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/policies/moldable/moldable_runs.hpp"

namespace schedfarm::tests {

/// On 1 … `processors` processors: p(1) = alone, p(k) = p(k − 1) (k − x) / k with x in 0 … 1. No
/// time is longer than that on fewer processors and no area is smaller.
inline std::vector<double> monotone_times(Dice& dice, double alone, std::uint32_t processors) {
    std::vector<double> times{alone};
    for (std::uint32_t k = 2; k <= processors; ++k) {
        times.push_back(times.back() * (k - dice.below(5) / 4.0) / k);
    }
    return times;
}

/// Submitted at 0; 1 to 9 long on one processor.
inline GivenMoldable random_moldable(Dice& dice, std::uint32_t processors) {
    GivenMoldable job;
    job.weight = 1 + dice.below(5);
    job.times = monotone_times(dice, 1 + dice.below(9), processors);
    return job;
}

/// One in five is rigid, 0 to 5 long, the others are as above.
inline GivenMoldable random_moldable_or_rigid(Dice& dice, std::uint32_t processors) {
    GivenMoldable job = random_moldable(dice, processors);
    if (dice.below(5) == 0) {
        job.rigid = 1 + dice.below(processors);
        job.times = {static_cast<double>(dice.below(6))};
    }
    return job;
}

/// `count` of these, submitted at whole numbers.
inline std::vector<GivenMoldable> random_moldables(
    Dice& dice, std::uint32_t count, std::uint32_t processors
) {
    std::vector<GivenMoldable> jobs;
    double submit = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        submit += dice.below(3);
        jobs.push_back(random_moldable_or_rigid(dice, processors));
        jobs.back().submit_time = submit;
    }
    return jobs;
}

}  // namespace schedfarm::tests
