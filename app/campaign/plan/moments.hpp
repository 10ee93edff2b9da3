// Which moments the means of a cell need, and whether its times have them. The mean over the jobs
// of a replication has a variance where one job's number has; of a time that is two moments of the
// times. But of a queue that one server serves, job by job, the wait has k moments where the
// service has k + 1 (Kiefer & Wolfowitz 1956): its variance needs three. Of several servers, some
// of which are idle at the load, it needs fewer (Scheller-Wolf, Queueing Systems 45, 2003), and
// more than the service alone. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/random/tail.hpp"

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

enum class Variance : std::uint8_t {
    finite,
    may_be_infinite,  ///< of several servers, or under a policy that preempts
    infinite,         ///< no number of replications makes the mean precise
};

/// Of the mean of a column of the cell; also infinite where an interarrival time has no variance.
class Moments {
  public:
    /// Draws nothing.
    explicit Moments(const Cell& cell);

    Variance variance_of(std::string_view column) const;

    /// The share of the moment that the column's variance needs which lies beyond the longest
    /// service time that so many replications are likely to draw: of what was not drawn a sample
    /// knows nothing. Of several laws the largest share. Absent: none is known in closed form.
    std::optional<double> share_not_drawn(std::string_view column, std::uint64_t replications)
        const;

  private:
    double needed(std::string_view column) const;

    const Cell& cell_;
    bool is_one_server_ = false;
    double of_times_;                     ///< the least infinite moment of any time
    double of_services_;                  ///< of those that are no interarrival times
    std::vector<engine::Tail> services_;  ///< whose tails are known
};

/// Cells whose means have no variance, and those whose waits may have none: a text each.
std::vector<std::string> variance_warnings(const Plan& plan);

}  // namespace schedfarm::app
