// A cell of the co-allocation model as the closed forms see it: which bins its jobs fill. Pure
// functions; absent results mean that no closed form is known, or that it would take too long.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/simulation/workload_model.hpp"

#include "models/closed_forms/bin_filling.hpp"
#include "models/coallocation/coallocation_settings.hpp"

namespace schedfarm::models {

struct CoallocationCell {
    CoallocationCell(const engine::Parameters& parameters, const engine::TheoryContext& theory);

    std::uint32_t processors() const { return context.system.processors(); }
    double arrival_rate() const {
        return 1 / mean_interarrival(settings, context.system, context.utilization);
    }
    /// Whether a job fits depends on the number of free processors alone.
    bool is_total() const;

    const engine::TheoryContext& context;
    CoallocationSettings settings;
    bool has_exponential_service;
    bool has_poisson_arrivals;
};

/// Probabilities of the size of a job over all components. Absent when it would take too long.
std::optional<closed_forms::SizeProbabilities> job_sizes(const CoallocationCell& cell);

/// The number k of jobs such that k always fit an empty system together and k + 1 never do.
std::optional<std::uint32_t> constant_jobs(const CoallocationCell& cell);

/// One fill of the empty system.
std::optional<closed_forms::Fill> fill_of(const CoallocationCell& cell);

}  // namespace schedfarm::models
