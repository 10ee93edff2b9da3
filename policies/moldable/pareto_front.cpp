#include "policies/moldable/pareto_front.hpp"

#include <algorithm>

namespace schedfarm::policies {

void ParetoFront::offer(const FrontPoint& point) {
    // The first that ends later; the one before has the least minsum of those that end by then.
    auto later = std::upper_bound(
        points_.begin(),
        points_.end(),
        point.makespan,
        [](double makespan, const FrontPoint& other) { return makespan < other.makespan; }
    );
    if (later != points_.begin()) {
        const FrontPoint& before = *std::prev(later);
        if (before.minsum <= point.minsum) {
            return;
        }
        later -= before.makespan == point.makespan ? 1 : 0;
    }
    const auto kept = std::find_if(later, points_.end(), [&point](const FrontPoint& other) {
        return other.minsum < point.minsum;
    });
    points_.insert(points_.erase(later, kept), point);
}

}  // namespace schedfarm::policies
