#include "engine/planning/availability_profile.hpp"

#include <algorithm>
#include <cmath>

namespace schedfarm::engine {

double planned_end(double begin, double duration) {
    return std::max(begin + duration, std::nextafter(begin, AvailabilityProfile::never));
}

double AvailabilityProfile::earliest_fit(std::uint32_t processors, double duration, double from)
    const {
    return earlier_fit(processors, duration, from, never);
}

// From `reserved` on the job's own processors serve it, longer than it needs them.
double AvailabilityProfile::earlier_fit(
    std::uint32_t processors, double duration, double from, double reserved
) const {
    const auto needed = static_cast<std::int32_t>(processors);
    double begin = free_.first_at_least(needed, from);
    while (begin < reserved) {
        const double too_few = free_.first_below(needed, begin);
        if (too_few >= std::min(planned_end(begin, duration), reserved)) {
            return begin;
        }
        begin = free_.first_at_least(needed, too_few);
    }
    return reserved;
}

}  // namespace schedfarm::engine
