// How much faster jobs are on more processors, for workloads of moldable jobs: factors p(k)/p(1).
//
// weakly_parallel, highly_parallel, recursive: p(k) = p(k − 1) (x + k − 1)/k, x = 1 − X, X normal
// between 0 and 1 (Dutot, Eyraud, Mounié & Trystram, SPAA 2004, section 4.1). The formula as
// printed is p(k) = p(k − 1) (X + k)/(1 + k), which makes weakly parallel tasks of those that are
// called highly parallel and the other way round; `reading: printed` selects it. downey: the
// speedup of downey_speedup.hpp, as Cirne & Berman (IPDPS 2001) use it.
//
// Jobs are monotone: p falls and k p(k) grows. A job's draws are those from
// `first_speedup_draw` + job · 2^21 on, which are nobody else's in any stream.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "engine/foundation/parameters.hpp"
#include "engine/random/stream.hpp"

namespace schedfarm::models {

inline constexpr std::uint64_t first_speedup_draw = std::uint64_t{1} << 40;
inline constexpr std::uint64_t most_speedup_draws = std::uint64_t{1} << 21;

class Speedup {
  public:
    Speedup() = default;
    Speedup(const Speedup&) = delete;
    Speedup& operator=(const Speedup&) = delete;
    virtual ~Speedup() = default;

    /// p(k)/p(1) of a job for k = 1 … out.size(); never rising. REQUIRES: not empty.
    virtual void factors(std::uint64_t job, std::span<double> out) const = 0;
};

/// A row of a table whose value is a speedup.
engine::ParameterDescription speedup_parameter(
    std::string name, std::string meaning, const engine::Choice& default_value
);

/// For a machine of that many processors. REQUIRES: a choice that the parameter admits.
std::unique_ptr<const Speedup> make_speedup(
    const engine::Choice& choice, const engine::Stream& stream, std::uint32_t processors
);

}  // namespace schedfarm::models
