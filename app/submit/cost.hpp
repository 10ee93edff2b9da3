// What a campaign will cost, from a pilot: replications and core-hours with their uncertainty. Pure
// functions of what was measured.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/campaign/plan/plan.hpp"
#include "app/submit/pilot.hpp"

namespace schedfarm::app {

/// An expected value between two bounds.
struct Range {
    double low = 0;
    double expected = 0;
    double high = 0;
};

struct CellCost {
    std::uint32_t cell = 0;
    Range replications;
    Range seconds;            ///< of one replication
    Range core_hours;         ///< of all of them
    bool is_measured = true;  ///< else `seconds` is that of the other cells
};

struct CampaignCost {
    std::vector<CellCost> cells;
    Range replications;
    Range core_hours;
    double longest_s = 0;  ///< longest replication seen, or waited for
    std::uint32_t longest_cell = 0;
    std::uint64_t measured_cells = 0;
    std::vector<std::uint32_t> unending;  ///< cells of which no replication ended
};

/// How many replications a cell needs. Fixed numbers are exact. A precision target needs a number
/// that is proportional to the variance and to the square of the interval's length in
/// standard errors, which falls with the number: expected from the sample's, between the bounds of
/// its 95 % interval (chi-squared, Wilson and Hilferty 1931), within the campaign's own limits.
/// Where other rules decide (comparisons, selections, searches) the limits are the bounds and their
/// geometric mean is expected.
Range replications_needed(const Plan& plan, const Cell& cell, const MeasuredCell* measured);

/// Mean and 95 % interval (Student) of the seconds. REQUIRES: not empty. With one: up to threefold.
Range seconds_per_replication(const std::vector<MeasuredReplication>& replications);

/// The bounds of the cells are added up: cells share their random numbers, so that their errors
/// need not cancel. Cells not measured are taken to be like the mean of the others; absent where
/// no cell was measured.
std::optional<CampaignCost> estimate_cost(
    const Plan& plan, const std::vector<MeasuredCell>& measured
);

/// A time to ask for: the upper bound shared by `workers`, a quarter more and five minutes, in
/// whole five minutes, at least long enough for three of the longest replications, and at most a
/// day where that is (a job that is cut goes on in the next).
std::uint64_t proposed_time_s(const CampaignCost& cost, std::uint64_t workers);

}  // namespace schedfarm::app
