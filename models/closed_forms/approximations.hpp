// The paper's approximation of the capacity loss of a single cluster (Bucur & Epema 2000, section
// 3.2): the probability that i processors are idle is taken to be proportional to 1 − F(i), the
// probability that the next job is larger than i. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "models/closed_forms/size_probabilities.hpp"

namespace schedfarm::models::closed_forms {

/// Eq. (3) with I = {0, …, largest size − 1}, the set that the paper uses.
/// REQUIRES: largest size <= processors.
double loss_by_equation_3(const SizeProbabilities& sizes, std::uint32_t processors);

/// Eq. (4), as printed: sizes uniform on [low, high]; equals Eq. (3) with the same I.
/// REQUIRES: 0 < low < high <= processors.
double loss_by_equation_4(std::uint32_t low, std::uint32_t high, std::uint32_t processors);

/// The numbers of processors that can really be idle at the end of a fill, increasing: those i
/// below the largest size for which some jobs add up to processors − i.
std::vector<std::uint32_t> possible_idle_numbers(
    const SizeProbabilities& sizes, std::uint32_t processors
);

/// Eq. (3) with the true set I. REQUIRES: largest size <= processors.
double loss_with_true_idle_set(const SizeProbabilities& sizes, std::uint32_t processors);

}  // namespace schedfarm::models::closed_forms
