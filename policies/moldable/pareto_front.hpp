// The points of makespan and Σ weight · completion (minsum) that no other point beats: nobody has
// less of one without more of the other. A value.
#pragma once

#include <span>
#include <vector>

namespace schedfarm::policies {

struct FrontPoint {
    double makespan = 0;
    double minsum = 0;

    friend bool operator==(const FrontPoint&, const FrontPoint&) = default;
};

class ParetoFront {
  public:
    /// Takes the point if no point here is as good in both criteria; drops those that it beats.
    /// Cost: O(log points), and O(points) where it is taken.
    void offer(const FrontPoint& point);

    /// By growing makespan, and so by falling minsum.
    std::span<const FrontPoint> points() const { return points_; }

  private:
    std::vector<FrontPoint> points_;
};

}  // namespace schedfarm::policies
