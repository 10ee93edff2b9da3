// A policy whose waiting jobs move ahead when something is freed, for a policy around several of
// them that says when they do, and that may move a job from one to another.
#pragma once

#include <cstdint>

#include "engine/simulation/job.hpp"

namespace schedfarm::engine {

class MovingAhead {
  public:
    MovingAhead() = default;
    MovingAhead(const MovingAhead&) = delete;
    MovingAhead& operator=(const MovingAhead&) = delete;
    virtual ~MovingAhead() = default;

    /// From now on jobs move ahead by move_ahead() and move_local_ahead() alone.
    virtual void wait_for_word() = 0;

    /// Why jobs may move ahead.
    enum class Cause : std::uint8_t { none, early_end, division };
    /// What has happened at `now` since the last call.
    virtual Cause cause(double now) = 0;
    /// When the next slot is divided; never: infinity.
    virtual double next_division() const = 0;
    /// Whether any job waits that may move.
    virtual bool has_movable() const = 0;

    // Of a job that is here and has not ended.
    /// When it starts, or has started, as planned.
    virtual double start_of(JobId id) const = 0;
    // REQUIRES for both: it waits and may move; cause(now) was asked.
    /// Where it could start if it gave up its place, if that is earlier; else never.
    virtual double earlier_start(JobId id, double now) const = 0;
    /// To such a start.
    virtual void move_ahead(JobId id, double start) = 0;
    /// Has the jobs move ahead that nobody chose this policy for, in their order.
    virtual void move_local_ahead(double now) = 0;
};

}  // namespace schedfarm::engine
