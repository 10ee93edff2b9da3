// One gate for every number. An interval of a mean promises what it says only where four things
// hold of the mean, a metric of a cell: its variance is finite, enough replications carry
// something, the start no longer shows, and what was not drawn would not change it; of a resampled
// log, its blocks are alike. Whoever makes an interval or a decision of means asks here, and the
// answer travels with the number: as the column `gate` of its table, and as the cell's status.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/statistics/estimate.hpp"

#include "app/campaign/plan/moments.hpp"
#include "app/run/cell_progress.hpp"
#include "app/run/rules/cell_stability.hpp"

namespace schedfarm::app {

/// In the order in which they count where several hold.
enum class GateAnswer : std::uint8_t {
    passed,
    moments,   ///< no variance: no number of replications makes it precise
    carriers,  ///< fewer than engine::fewest_carriers replications carry something: no interval
    start,     ///< the empty start may bias it by more than its part of the ±
    tail,      ///< jobs longer than any that is likely to have been drawn make much of its variance
    blocks,    ///< weeks or users of the log are not alike
};

/// The answer as the column `gate` has it: passed, moments, …
std::string_view word_of(GateAnswer answer);

/// REQUIRES: one of these words.
GateAnswer answer_called(std::string_view word);

/// The first of several numbers that is not passed.
GateAnswer worse_of(GateAnswer a, GateAnswer b);

/// Part of the moment that a variance needs which may lie beyond what was drawn: a quarter at 95 %,
/// in proportion of what may be wrong.
constexpr double most_not_drawn(double confidence) {
    return 5 * (1 - confidence);
}

/// Of the first `n` replications of a cell. What is the same for all of its metrics is found once.
class Gate {
  public:
    Gate(const CellProgress& cell, std::uint64_t n);

    /// Of a column that the cell observes; of a quantile, moments do not count.
    GateAnswer ask(const std::string& metric) const;
    /// With its sample and estimate at hand.
    GateAnswer ask(
        const std::string& metric,
        const MetricSample& sample,
        const std::optional<engine::Estimate>& estimate
    ) const;

    // The questions one by one: whether the answer is yes.
    bool has_variance(const std::string& metric) const;
    bool has_carriers(const MetricSample& sample) const;
    bool has_started(
        const std::string& metric, const MetricSample& sample, const engine::Estimate& estimate
    ) const;
    bool has_drawn_tail(const std::string& metric, double confidence) const;
    bool has_alike_blocks() const;

  private:
    const CellProgress& cell_;
    std::uint64_t n_;
    Moments moments_;
    std::optional<StartOfMeans> start_;
};

}  // namespace schedfarm::app
