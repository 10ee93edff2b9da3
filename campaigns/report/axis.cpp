#include "campaigns/report/axis.hpp"

#include <cmath>

#include <fmt/format.h>

namespace schedfarm::campaigns {

namespace {

constexpr double hour = 3600;
constexpr double day = 24 * hour;

/// Clocks count hours in twelves.
double hours_step(double hours) {
    for (const double step : {1.0, 2.0, 3.0, 6.0, 12.0}) {
        if (hours / step <= 10) {
            return step;
        }
    }
    return 24;
}

}  // namespace

double tick_step(double length) {
    double step = 1;
    for (; length / step > 10; step *= 10) {
    }
    for (; length / step < 1; step /= 10) {
    }
    if (length / step < 2) {
        return step / 5;
    }
    return length / step < 4 ? step / 2 : step;
}

std::vector<double> ticks(double begin, double end, double step) {
    std::vector<double> places;
    const double first = std::ceil(begin / step);
    const double count = std::floor(end / step) - first;
    for (int i = 0; i <= count; ++i) {  // `first` may be too large to be counted on from
        places.push_back((first + i) * step);
    }
    return places;
}

const char* unit_text(TimeUnit unit) {
    return unit == TimeUnit::seconds ? "s" : "time units";
}

TimeAxis time_axis(double span, TimeUnit unit) {
    if (unit != TimeUnit::seconds) {
        return {unit_text(unit), "time units of the workload", 1, tick_step(span)};
    }
    if (span <= 2 * hour) {
        return {"s", "seconds", 1, tick_step(span)};
    }
    if (span <= 4 * day) {
        return {"h", "hours", hour, hours_step(span / hour) * hour};
    }
    return {"d", "days", day, tick_step(span / day) * day};
}

std::string tick_text(double value) {
    return fmt::format("{:.6g}", value == 0 ? 0 : value);  // never -0
}

}  // namespace schedfarm::campaigns
