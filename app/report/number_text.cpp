#include "app/report/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/campaign/keys/run_column.hpp"

namespace schedfarm::app {

namespace {

constexpr double least_shown = 5e-9;  // narrower ones are rounding, as of a constant
constexpr int most_decimals_shown = 8;

/// The power of ten of the first digit of a number above 0.
int first_digit(double number) {
    return static_cast<int>(std::floor(std::log10(number)));
}

}  // namespace

int decimals_for(double half_width) {
    if (!(half_width >= least_shown) || std::isinf(half_width)) {
        return 5;
    }
    return std::min(1 - first_digit(half_width), most_decimals_shown);
}

int decimals_for(double value, double lower, double upper) {
    const double side = longer_side(value, lower, upper);
    if (std::isnan(side) && value != 0 && std::isfinite(value)) {
        return std::clamp(3 - first_digit(std::fabs(value)), 0, most_decimals_shown);
    }
    return decimals_for(std::isinf(side) ? std::min(value - lower, upper - value) : side);
}

int decimals_of_digits(double value, int digits) {
    return value == 0 || !std::isfinite(value) ? std::numeric_limits<int>::min()
                                               : digits - 1 - first_digit(std::fabs(value));
}

std::string number_text(double value, int decimals) {
    if (std::isnan(value)) {
        return "";
    }
    if (value == 0 && decimals < 0) {
        return "0";
    }
    if (decimals > most_decimals_shown && value != 0 && std::isfinite(value)) {
        return fmt::format("{:.{}e}", value, std::max(decimals + first_digit(std::fabs(value)), 0));
    }
    if (decimals >= 0 || !std::isfinite(value)) {
        return fmt::format("{:.{}f}", value, std::clamp(decimals, 0, most_decimals_shown));
    }
    double unit = 1;
    for (int i = 0; i < -decimals; ++i) {
        unit *= 10;
    }
    return fmt::format("{:.0f}", std::nearbyint(value / unit) * unit + 0.0);  // no −0
}

std::string estimate_text(double value, int decimals) {
    return number_text(value, std::max(decimals, decimals_of_digits(value, 3)));
}

std::string bounds_text(double lower, double upper, int decimals) {
    const auto end = [decimals](double value) {
        return number_text(value, std::max(decimals, decimals_of_digits(value, 2)));
    };
    return fmt::format("[{}, {}", end(lower), std::isinf(upper) ? "∞)" : end(upper) + "]");
}

double longer_side(double value, double lower, double upper) {
    return value - lower > upper - value ? value - lower : upper - value;
}

bool is_clearly_asymmetric(double value, double lower, double upper) {
    const double side = longer_side(value, lower, upper);
    return side >= least_shown && side > 2 * std::min(value - lower, upper - value);
}

std::string interval_text(
    double value, double lower, double upper, IntervalStyle style, int most_decimals
) {
    const double side = longer_side(value, lower, upper);
    const int decimals = std::min(decimals_for(value, lower, upper), most_decimals);
    const std::string estimate = estimate_text(value, decimals);
    if (std::isnan(value) || std::isnan(side)) {
        return estimate;
    }
    if (style == IntervalStyle::plus_minus && !is_clearly_asymmetric(value, lower, upper)) {
        return estimate + " ±" + number_text(side, decimals_of_digits(side, 2));
    }
    return estimate + " " + bounds_text(lower, upper, decimals);
}

ShownUnit shown_unit(const std::string& unit, double greatest) {
    if (unit != "s") {
        return {};
    }
    for (const auto& [name, own] : {std::pair("d", 86400.0), {"h", 3600.0}, {"min", 60.0}}) {
        if (std::fabs(greatest) >= 3 * own) {
            return {name, own};
        }
    }
    return {"s", 1};
}

std::string percent_text(double share) {
    return fmt::format("{:.4g} %", 100 * share);
}

std::string interval_note(const std::set<double>& confidences, IntervalStyle style) {
    std::vector<std::string> levels;
    for (const double confidence : confidences) {
        levels.push_back(percent_text(confidence));
    }
    return fmt::format(
        "{} a {} confidence interval.",
        style == IntervalStyle::bounds ? "[ ]: the ends of" : "±: the longer side of",
        fmt::join(levels, " or ")
    );
}

std::string metric_text(const std::string& column) {
    const std::map<std::string, std::string> known{
        {"capacity_loss.fill_sd", "capacity loss, s.d. of a fill"},
        {"jobs_placed", "jobs per fill"},
        {"job_size.count", "jobs"},
        {"backlog_growth", "growth of the backlog"},
        {"backlog_change", "change of the backlog"},
        {"backlog_time", "time of that change"},
        {"wait.warm_up", "wait, warm-up"},
        {"wait.first_half", "wait, first half"},
        {"wait.second_half", "wait, second half"},
    };
    const RunColumn run = parse_run_column(column);
    switch (run.kind) {
        case RunColumn::Kind::least:
            return "least " + metric_text(run.metric);
        case RunColumn::Kind::greatest:
            return "greatest " + metric_text(run.metric);
        case RunColumn::Kind::ratio:
            return metric_text(run.metric) + " / " + metric_text(run.divisor);
        case RunColumn::Kind::mean:
        case RunColumn::Kind::wall_time:
            break;
    }
    const std::size_t bracket = column.find('[');
    std::string name = column.substr(0, bracket);
    std::string of_class;
    if (bracket != std::string::npos) {
        of_class = ", " + column.substr(bracket + 1, column.size() - bracket - 2);
        std::replace(of_class.begin(), of_class.end(), '=', ' ');
    }
    if (const auto found = known.find(name); found != known.end()) {
        return found->second + of_class;
    }
    std::string prefix;
    std::string suffix;
    if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
        const std::string last = name.substr(dot + 1);
        name.resize(dot);
        (last == "mean" ? prefix : suffix) = last == "mean" ? "mean " : " " + last;
    }
    std::replace(name.begin(), name.end(), '_', ' ');
    return prefix + name + suffix + of_class;
}

}  // namespace schedfarm::app
