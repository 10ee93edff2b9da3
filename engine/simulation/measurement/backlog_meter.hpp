// How the backlog of an open system that starts with one changes until it is empty for the first
// time: what a load does to the system, without what an empty queue does to it. Once the queue has
// been empty it can only grow, so that a mean change over a fixed time is above 0 at loads that the
// system can bear; the change up to the first instant without a waiting job has the sign of the
// drift in the mean, whatever the length of the run (Wald's identity).
//
// The backlog is the work of the waiting jobs, processors × service time, in units of the time in
// which the whole system does it. Unlike the number of jobs it does not shrink because short jobs
// are served first. Watched from the submission of the first measured job; where the queue has been
// empty before that, from time 0 to that instant: a drained backlog, which has changed by all of
// itself. Where the queue is never empty, up to the last submission.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/simulation/experiment.hpp"

namespace schedfarm::engine {

class BacklogMeter {
  public:
    struct Change {
        double work = 0;  ///< less than 0 when the backlog has shrunk; in units of time
        double time = 0;  ///< for which it was watched
    };

    /// 24 bytes per job. REQUIRES: the horizon measures at least one job.
    BacklogMeter(const Horizon& horizon, std::uint32_t processors);

    /// Any order; jobs beyond the horizon are left out.
    void add(std::uint64_t index, double submit, double start, double processor_time);
    /// REQUIRES: all jobs of the horizon were added. Cost: a sort of the starts.
    Change change() const;

  private:
    /// The first instant after which no job waits; infinite where there is none before the last
    /// submission.
    double first_empty() const;

    std::uint64_t first_measured_;
    double processors_;
    std::vector<double> submit_;  // by index, as the next two
    std::vector<double> start_;
    std::vector<double> work_;
};

}  // namespace schedfarm::engine
