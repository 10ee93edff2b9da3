// The constants of the procedures that select the best of k systems; rinott_constant is declared in
// selection.hpp. All are integrals over distributions of the normal family, computed by our own
// quadrature, the same bits everywhere. A few milliseconds at most, a tenth of a second for a first
// stage of two.
#pragma once

#include <cstddef>
#include <cstdint>

namespace schedfarm::engine {

/// h² = 2 η (n0 − 1) of Kim & Nelson (2001) with c = 1, η = ((2 α / (k − 1))^(−2/(n0 − 1)) − 1) /
/// 2, which allows for common random numbers. 0 where α >= (k − 1) / 2.
double kn_constant(std::size_t systems, std::uint64_t first_stage, double confidence);

/// The η of the screening of Ni et al. (2017): E[2 (1 − Φ(η sqrt R))] = 1 − (1 − α)^(1/(k − 1))
/// with R the smaller of two independent chi-squares of n0 − 1 degrees of freedom.
double screening_constant(std::size_t systems, std::uint64_t first_stage, double confidence);

}  // namespace schedfarm::engine
