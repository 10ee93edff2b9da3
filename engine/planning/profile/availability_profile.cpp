#include "engine/planning/profile/availability_profile.hpp"

#include <algorithm>

namespace schedfarm::engine {

bool AvailabilityProfile::is_free(double begin, double end, std::uint32_t processors) const {
    const auto needed = static_cast<std::int32_t>(processors);
    for (std::size_t i = free_.stretch_at(begin); i < stretches() && free_.begin_of(i) < end; ++i) {
        if (free_.value_of(i) < needed) {
            return false;
        }
    }
    return true;
}

void AvailabilityProfile::find_falls(double from, std::vector<Fall>& falls) const {
    std::size_t i = free_.stretch_at(from);
    falls.assign(1, {from, free_.value_of(i)});
    for (++i; i < stretches() && falls.back().free > 0; ++i) {
        if (free_.value_of(i) < falls.back().free) {
            falls.push_back({free_.begin_of(i), free_.value_of(i)});
        }
    }
}

double AvailabilityProfile::time_of_area(double from, double area) const {
    double left = area;
    double since = from;
    std::int32_t free = 0;
    for (std::size_t i = free_.stretch_at(from); i < stretches(); ++i) {
        const double begin = std::max(free_.begin_of(i), from);
        const double gained = free * (begin - since);
        if (gained >= left) {
            break;
        }
        left -= gained;
        since = begin;
        free = std::max(free_.value_of(i), 0);
    }
    return left > 0 ? since + left / free : since;
}

double AvailabilityProfile::area(double from, double until) const {
    double sum = 0;
    double since = from;
    std::int32_t free = 0;
    for (std::size_t i = free_.stretch_at(from); i < stretches() && free_.begin_of(i) < until;
         ++i) {
        const double begin = std::max(free_.begin_of(i), from);
        sum += free * (begin - since);
        since = begin;
        free = std::max(free_.value_of(i), 0);
    }
    return sum + free * (until - since);
}

}  // namespace schedfarm::engine
