#include "app/submit/cost_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

namespace schedfarm::app {

namespace {

/// "1,540"; numbers of replications of large campaigns are read by people.
std::string count_text(double count) {
    std::string digits = fmt::format("{:.0f}", count);
    for (std::size_t from_end = 3; from_end < digits.size(); from_end += 4) {
        digits.insert(digits.size() - from_end, ",");
    }
    return digits;
}

/// Two digits that count, as many as a pilot can tell: "0.31", "2.4", "1,300".
std::string rough_text(double value) {
    if (value < 10) {
        return fmt::format("{:.2g}", value);
    }
    const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
    return count_text(std::round(value / unit) * unit);
}

std::string replications_text(const Range& range) {
    std::string expected = count_text(range.expected) + " replications";
    if (range.low == range.high) {
        return expected;
    }
    return fmt::format(
        "about {}, between {} and {}", expected, count_text(range.low), count_text(range.high)
    );
}

/// In the largest unit of which the upper bound is more than two.
std::string work_text(const Range& hours) {
    constexpr double minutes_per_hour = 60;
    constexpr double seconds_per_hour = 3600;
    double per_hour = 1;
    std::string unit = "core-hours";
    if (hours.high * minutes_per_hour < 2) {
        per_hour = seconds_per_hour;
        unit = "core-seconds";
    } else if (hours.high < 2) {
        per_hour = minutes_per_hour;
        unit = "core-minutes";
    }
    return fmt::format(
        "about {} {} on cores like these, between {} and {}",
        rough_text(hours.expected * per_hour),
        unit,
        rough_text(hours.low * per_hour),
        rough_text(hours.high * per_hour)
    );
}

}  // namespace

std::string cost_text(const CampaignCost& cost) {
    std::string text = fmt::format(
        "{}: {}\n{}\n",
        engine::counted(cost.cells.size(), "cell"),
        replications_text(cost.replications),
        work_text(cost.core_hours)
    );
    if (cost.measured_cells < cost.cells.size()) {
        text += fmt::format(
            "{} {} measured; the others are taken to be like {}\n",
            engine::counted(cost.measured_cells, "cell"),
            cost.measured_cells == 1 ? "was" : "were",
            cost.measured_cells == 1 ? "it" : "them"
        );
    }
    return text;
}

}  // namespace schedfarm::app
