// The monotone instances next to one that is not (measured times, times from a file).
// Below: each task gets the greatest monotone times that are nowhere above its own; whatever the
// own times allow is allowed here and takes no longer, so that lower bounds hold for both.
// Above: the least monotone times that are nowhere below what the task needs on the best part of
// the processors given to it; a schedule of these times is one of the task, which may leave some
// processors idle and finish early. Of a monotone instance both have its times within rounding.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/optimization/moldable_instance.hpp"

namespace schedfarm::engine {

/// Keeps the times that its instance looks at.
class MonotoneInstance {
  public:
    MonotoneInstance(const MonotoneInstance&) = delete;
    MonotoneInstance& operator=(const MonotoneInstance&) = delete;
    MonotoneInstance(MonotoneInstance&&) = default;
    MonotoneInstance& operator=(MonotoneInstance&&) = default;
    ~MonotoneInstance() = default;

    const MoldableInstance& instance() const { return instance_; }

    static MonotoneInstance below(const MoldableInstance& instance);
    static MonotoneInstance above(const MoldableInstance& instance);

  private:
    MonotoneInstance(const MoldableInstance& source, std::vector<double> times);

    std::vector<double> times_;
    MoldableInstance instance_;
};

/// The least number of processors, at most `count`, on which the task is as fast as on any number
/// up to `count`.
std::uint32_t best_part(const MoldableInstance& instance, std::size_t task, std::uint32_t count);

}  // namespace schedfarm::engine
