// The quantities and claims of a plan, measured on ordered prefixes of replications. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/statistics/estimate.hpp"
#include "engine/statistics/log_interval.hpp"

#include "app/plan/analyses/claim_plan.hpp"
#include "app/plan/plan.hpp"
#include "app/run/campaign_progress.hpp"

namespace schedfarm::app {

class ClaimMeasurement {
  public:
    /// Both outlive it.
    ClaimMeasurement(const Plan& plan, const CampaignProgress& progress)
        : plan_(plan), progress_(progress) {}

    /// One value for each of the first `n` replications, whose mean is the quantity; NaN where it
    /// does not exist. Of means over the jobs of a class the quantity is a function of ratios of
    /// sums, and these are the jackknife's pseudo-values of it, made of the linearized ratios: of
    /// such a mean itself they are what its row of `estimates` is made of. Else they are the
    /// quantity in each replication.
    const std::vector<double>& values(const QuantityTerm& term, std::uint64_t n);
    /// The same for all that the cell uses.
    const std::vector<double>& values(const QuantityTerm& term);

    /// How many replications all cells of a place have; 1 where it has none.
    std::uint64_t replications(const ClaimInstance& instance) const;

    /// The claim's value at a place, from these replications; with one replication n is 1 and the
    /// interval a point; with none the mean is NaN. Of resampled logs it is that for logs like
    /// them, and n that of of_logs_like_it().
    engine::Estimate estimate(const ClaimPlan& claim, const ClaimInstance& instance);

  private:
    std::optional<engine::LogBlocks> log_blocks(const ClaimInstance& instance) const;
    double mean(const QuantityTerm& term, std::uint64_t n, std::optional<std::uint64_t> left_out);

    const Plan& plan_;
    const CampaignProgress& progress_;
    std::map<std::pair<QuantityTerm, std::uint64_t>, std::vector<double>> values_;
};

}  // namespace schedfarm::app
