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

}  // namespace schedfarm::engine
