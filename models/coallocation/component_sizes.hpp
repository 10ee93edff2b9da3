// The sizes of the components of jobs: any size distribution of the engine, a truncated geometric
// one that favours powers of two, or a mixture of two, of which every job draws one for all its
// components (Bucur & Epema 2000, section 4.4).
//
// Word j * components + c of Purpose::sizes makes component c of job j; word j of
// Purpose::job_class chooses the part of a mixture for job j. Neither depends on the system, the
// load or the request structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/random/distribution.hpp"
#include "engine/random/stream.hpp"

#include "models/closed_forms/bin_filling.hpp"

namespace schedfarm::models {

/// engine::size_distributions(), powers_of_two and mixture.
const std::vector<engine::Alternative>& component_size_alternatives();

/// The streams that sizes are drawn from.
struct SizeStreams {
    engine::Stream sizes;
    engine::Stream job_class;
};

/// Holds scratch memory: one object serves one replication.
class ComponentSizes {
  public:
    /// REQUIRES: a choice that the table admits.
    explicit ComponentSizes(const engine::Choice& choice);

    std::uint32_t low() const;
    std::uint32_t high() const;
    double mean() const;
    closed_forms::ComponentProbabilities probabilities() const;

    /// Makes out[i * components + c] the component c of job first_job + i.
    /// REQUIRES: out.size() is a multiple of `components`.
    void fill(
        const SizeStreams& streams,
        std::uint64_t first_job,
        std::size_t components,
        std::span<std::uint32_t> out
    );

  private:
    void put_second_parts(
        const engine::Stream& stream,
        std::uint64_t first_job,
        std::size_t components,
        std::span<std::uint32_t> out
    );

    double first_probability_ = 1;
    std::unique_ptr<const engine::SizeDistribution> first_;
    std::unique_ptr<const engine::SizeDistribution> second_;  // null unless a mixture
    std::vector<std::uint32_t> words_;                        // scratch of fill()
    std::vector<std::uint32_t> kinds_;
    std::vector<std::uint32_t> others_;
};

}  // namespace schedfarm::models
