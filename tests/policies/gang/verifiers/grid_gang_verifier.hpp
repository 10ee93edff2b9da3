// What the verifiers of the gang scheduling policies share whose slices are those of one grid for
// the whole machine (policies/gang/grid_gang.hpp): while jobs are there no slice is left out, no
// job crosses the end of a slice or leaves it early, and jobs start in the middle of a slice only
// where it is refilled.
#pragma once

#include <cstdint>
#include <limits>

#include "policies/gang/gang_verifier.hpp"
#include "policies/gang/slice_grid.hpp"

namespace schedfarm::tests {

class GridGangVerifier : public policies::GangVerifier {
  public:
    GridGangVerifier(const policies::GangSettings& settings, const engine::BuddyTrees& trees);

    void end_of_instant(double time) final;

  protected:
    enum class Moment : std::uint8_t { slice_begins, within_slice };

    /// A slice of the grid begins, whether or not anything happens then.
    virtual void enter_slice() {}
    /// All steps of the instant are done.
    virtual void check(double time, Moment moment) = 0;

    void arrive(const engine::ScheduleStep& step, const Watched& job) final;
    /// What of the slice has passed at this step. REQUIRES: called first in begin().
    double expect_start(const engine::ScheduleStep& step, const Watched& before);
    void end(const engine::ScheduleStep& step, const Watched& job) override;

    const policies::SliceGrid& grid() const { return grid_; }
    bool refills() const { return refills_; }

  private:
    static constexpr double never = std::numeric_limits<double>::infinity();

    void walk_to(double time);

    bool refills_;
    policies::SliceGrid grid_;
    double due_ = never;
    double checked_ = -1;
};

}  // namespace schedfarm::tests
