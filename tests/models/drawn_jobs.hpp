// Draws of any workload model, and bounds for what they show, from standard errors.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/workload_model.hpp"

#include "models/catalogue.hpp"

#include "tests/models/settings.hpp"

namespace schedfarm::tests {

inline constexpr double z = 4;

inline engine::Parameters parameters(
    const char* model, const std::vector<std::pair<std::string, engine::Value>>& values = {}
) {
    engine::Parameters given;
    for (const auto& [name, value] : values) {
        given.set(name, value);
    }
    REQUIRE(models::find_model(model) != nullptr);
    return with_defaults(models::find_model(model)->alternative.parameters, given);
}

inline engine::WorkloadContext open_context(
    std::uint32_t processors, std::optional<double> utilization = std::nullopt
) {
    return context_of({processors}, engine::ExperimentKind::open, utilization);
}

/// Calls work(job) for the first `count` jobs.
template <typename Work>
void for_jobs(
    const char* model,
    const engine::Parameters& given,
    const engine::WorkloadContext& context,
    std::size_t count,
    const Work& work
) {
    const auto workload = models::find_model(model)->make(given, context);
    engine::JobBlock block;
    for (std::size_t seen = 0; seen < count;) {
        workload->next(block);
        REQUIRE(block.count > 0);
        for (std::size_t i = 0; i < block.count && seen < count; ++i, ++seen) {
            work(block.job(i));
        }
    }
}

class Sample {
  public:
    void add(double value) {
        ++n_;
        sum_ += value;
        squares_ += value * value;
    }
    double count() const { return n_; }
    double mean() const { return sum_ / n_; }
    double error() const { return std::sqrt((squares_ / n_ - mean() * mean()) / n_); }

  private:
    double n_ = 0;
    double sum_ = 0;
    double squares_ = 0;
};

/// The share of successes in n independent trials.
inline void check_share(double hits, double n, double expected) {
    CAPTURE(hits / n);
    CAPTURE(expected);
    CHECK(std::abs(hits / n - expected) <= z * std::sqrt(expected * (1 - expected) / n));
}

}  // namespace schedfarm::tests
