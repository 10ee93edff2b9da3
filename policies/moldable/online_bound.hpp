// How far batches on-line stay behind the best schedule that knows all arrivals. Whatever the
// schedule, it ends no earlier than a job's arrival and its least time,
// and, as no job of a batch was there before the first of them arrived, than that arrival and the
// bound λ of the batch.
//
// These bounds are enough for the guarantee of Shmoys, Wein & Williamson (1995). The jobs of a
// batch arrived after the batch before had begun, at T: both together end by T + ρ λ(before) + ρ
// λ(batch), the bound is at least λ(before) and T + λ(batch), so that the end is within 2ρ of the
// bound. This holds at the end of every batch; the greatest ratio is kept. Times count from the
// first arrival. Bounds are rounded down, so that no clock's rounding undercuts them. Cost: none
// beyond that of λ.
#pragma once

#include <vector>

#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/measurement/observations.hpp"

#include "policies/moldable/moldable_problem.hpp"

namespace schedfarm::policies {

class OnlineBound {
  public:
    /// The job arrives now. One without service takes part in no batch.
    void arrive(const engine::Job& job, const engine::Actions& actions);
    /// All jobs that have arrived and are in no batch yet.
    void begin_batch(const MoldableProblem& problem);
    /// The last job of the batch ends now. Publishes what changed.
    void end_batch(engine::Actions& actions);

  private:
    double origin_ = -1;        // first arrival of all; times below count from it
    double bound_ = 0;          // of all that arrived
    double first_arrival_ = 0;  // of those in no batch
    bool is_nobody_there_ = true;
    double batch_bound_ = 0;  // of the jobs up to this batch; 0: none runs
    double published_bound_ = 0;
    double ratio_ = 0;
};

/// What it publishes.
std::vector<engine::ObservationColumn> online_bound_columns();

}  // namespace schedfarm::policies
