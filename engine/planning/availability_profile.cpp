#include "engine/planning/availability_profile.hpp"

#include <algorithm>
#include <cmath>

namespace schedfarm::engine {

using Walk = StepFunction::Walk;

double planned_end(double begin, double duration) {
    const double end = begin + duration;
    return end > begin ? end : std::nextafter(begin, AvailabilityProfile::never);
}

double AvailabilityProfile::earliest_fit(std::uint32_t processors, double duration, double from)
    const {
    return earlier_fit({.processors = processors, .duration = duration}, from);
}

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

bool AvailabilityProfile::is_ever_free(std::uint32_t processors, double from, double before) const {
    const auto needed = static_cast<std::int32_t>(processors);
    bool result = false;
    free_.walk(from, [&](double time, std::int32_t least, std::int32_t most) {
        result = result || (time < before && least >= needed);
        if (result || time >= before) {
            return Walk::stop;
        }
        return most < needed ? Walk::on : Walk::into;
    });
    return result;
}

// From `reserved` on the job's own processors serve it, longer than it needs them.
double AvailabilityProfile::earlier_fit(const Reserved& job, double from, double before) const {
    const auto needed = static_cast<std::int32_t>(job.processors);
    const double latest = std::min(before, job.reserved);
    double begin = never;  // of the gap being looked at; never: none
    double end = never;    // by which the gap is wide enough
    free_.walk(from, [&](double time, std::int32_t least, std::int32_t most) {
        if (time >= (begin < never ? end : latest)) {
            return Walk::stop;
        }
        if (most < needed) {
            begin = never;
            return Walk::on;
        }
        if (least < needed) {
            return Walk::into;
        }
        if (begin == never) {
            begin = std::max(time, from);
            end = std::min(planned_end(begin, job.duration), job.reserved);
        }
        return Walk::on;
    });
    return std::min(begin, job.reserved);
}

}  // namespace schedfarm::engine
