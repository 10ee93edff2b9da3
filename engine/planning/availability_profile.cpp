#include "engine/planning/availability_profile.hpp"

#include <algorithm>

namespace schedfarm::engine {

using Walk = StepWalk;

bool AvailabilityProfile::is_free(double begin, double end, std::uint32_t processors) const {
    const auto needed = static_cast<std::int32_t>(processors);
    bool result = true;
    free_.walk(begin, [&](double time, std::int32_t least, std::int32_t most) {
        result = time >= end || most >= needed;
        if (time >= end || !result) {
            return Walk::stop;
        }
        return least >= needed ? Walk::on : Walk::into;
    });
    return result;
}

void AvailabilityProfile::find_falls(double from, std::vector<Fall>& falls) const {
    falls.assign(1, {from, free_.at(from)});
    free_.walk(from, [&falls](double time, std::int32_t least, std::int32_t most) {
        if (least >= falls.back().free) {
            return Walk::on;
        }
        if (least == most) {
            falls.push_back({time, least});
        }
        return falls.back().free <= 0 ? Walk::stop : Walk::into;
    });
}

double AvailabilityProfile::time_of_area(double from, double area) const {
    double left = area;
    double since = from;
    std::int32_t free = 0;
    free_.walk(from, [&](double time, std::int32_t least, std::int32_t most) {
        if (least != most) {
            return Walk::into;
        }
        const double begin = std::max(time, from);
        const double gained = free * (begin - since);
        if (gained >= left) {
            return Walk::stop;
        }
        left -= gained;
        since = begin;
        free = std::max(least, 0);
        return Walk::on;
    });
    return left > 0 ? since + left / free : since;
}

double AvailabilityProfile::area(double from, double until) const {
    double sum = 0;
    double since = from;
    std::int32_t free = 0;
    free_.walk(from, [&](double time, std::int32_t least, std::int32_t most) {
        if (time >= until) {
            return Walk::stop;
        }
        if (least != most) {
            return Walk::into;
        }
        const double begin = std::max(time, from);
        sum += free * (begin - since);
        since = begin;
        free = std::max(least, 0);
        return Walk::on;
    });
    return sum + free * (until - since);
}

}  // namespace schedfarm::engine
