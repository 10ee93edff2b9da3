// How often intervals hold the true value over independent macro-runs, and the bands in which that
// must lie: every bound is z × standard error of the measured share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "engine/statistics/stop_rule.hpp"

#include "tests/engine/statistics/coverage/observation_sources.hpp"

namespace schedfarm::engine {

inline constexpr double z = 3;

struct Coverage {
    std::uint32_t macro_runs = 0;
    std::uint32_t covered = 0;
    double replications = 0;  ///< summed over the macro-runs

    void add(const Estimate& estimate, double truth) {
        ++macro_runs;
        covered += estimate.interval.contains(truth) ? 1U : 0U;
        replications += static_cast<double>(estimate.n);
    }
    double fraction() const { return static_cast<double>(covered) / macro_runs; }
    double mean_replications() const { return replications / macro_runs; }
    double standard_error() const { return std::sqrt(fraction() * (1 - fraction()) / macro_runs); }
};

inline std::ostream& operator<<(std::ostream& out, const Coverage& coverage) {
    return out << "coverage " << coverage.fraction() << " ± " << coverage.standard_error()
               << " with " << coverage.mean_replications() << " replications";
}

inline void check_band(const Coverage& coverage, double low, double high) {
    CHECK(coverage.fraction() + z * coverage.standard_error() >= low);
    CHECK(coverage.fraction() - z * coverage.standard_error() <= high);
}

/// One campaign cell: observations are made as far as the rule predicts, until it stops.
inline Estimate run_until_met(
    const ObservationSource& source,
    std::uint32_t macro,
    const PrecisionTarget& target,
    std::uint64_t min
) {
    const ReplicationLimits limits{min, 1'000'000};
    std::vector<double> values;
    StopDecision decision;
    decision.next_check = next_checkpoint(0, limits);
    while (decision.state == StopState::go_on) {
        const std::size_t have = values.size();
        const std::uint64_t ahead = std::min(decision.predicted, 2 * decision.next_check);
        values.resize(std::max(decision.next_check, ahead));
        source.fill(macro, have, std::span(values).subspan(have));
        const TargetObservations observed{target, values, {}};
        decision = decide({&observed, 1}, values.size(), limits);
    }
    REQUIRE(decision.state == StopState::met);
    return *estimate_mean(std::span(values).first(decision.n), target.confidence, target.method);
}

inline Coverage of_stopping(
    const ObservationSource& source,
    double relative,
    IntervalMethod method,
    std::uint64_t min,
    std::uint32_t macro_runs
) {
    const PrecisionTarget target{relative, std::nullopt, 0.95, method};
    Coverage coverage;
    for (std::uint32_t macro = 0; macro < macro_runs; ++macro) {
        coverage.add(run_until_met(source, macro, target, min), source.mean);
    }
    return coverage;
}

}  // namespace schedfarm::engine
