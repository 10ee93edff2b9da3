// The time slices of gang scheduling with migration: a fixed grid from time 0. Cycle k begins at k
// times the length of a cycle, which is T and, where switches lie outside the slices, one switch
// for each slice that pays one. Where only a change of the row is paid, the first slice of a cycle
// follows the last one of the cycle before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/planning/buddy_trees.hpp"

#include "policies/gang/gang.hpp"

namespace schedfarm::policies {

class SliceGrid {
  public:
    SliceGrid(const GangSettings& settings, const engine::BuddyTrees& trees);

    void arrive(double submit_time, double service_time, std::uint32_t job_class) {
        quanta_.arrive(submit_time, service_time, job_class);
    }

    // Of the current slice.
    double cycle() const { return cycle_; }
    bool is_first_of_cycle() const { return slice_ == 0; }
    double start() const { return cycle_ * cycle_s_ + offset_; }
    /// The class of the row: that of the largest nodes.
    std::uint32_t row_class() const { return quanta_.row_class(slice_); }
    /// Of the switch at its start.
    double cost_s() const { return costs_[slice_]; }
    /// The start of the next one.
    double end();

    /// Goes to the slice that holds `time`: start() ≤ time < end().
    void go_to(double time);
    /// Goes to the next slice.
    void next();

  private:
    double length();

    GangQuanta quanta_;
    bool is_longer_by_costs_;
    std::vector<double> costs_;  // by slice
    double cycle_s_;             // with switches outside the slices
    double cycle_ = 0;
    std::size_t slice_ = 0;
    double offset_ = 0;  // of the slice in its cycle
};

}  // namespace schedfarm::policies
