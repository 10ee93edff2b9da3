#include "campaigns/report/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

namespace schedfarm::campaigns {

int decimals_for(double half_width) {
    constexpr int most = 8;
    constexpr double least_shown = 5e-9;  // narrower ones are rounding, as of a constant
    if (!(half_width >= least_shown)) {
        return 5;
    }
    return std::clamp(1 - static_cast<int>(std::floor(std::log10(half_width))), 0, most);
}

std::string number_text(double value, int decimals) {
    return std::isnan(value) ? "" : fmt::format("{:.{}f}", value, decimals);
}

double longer_side(double value, double lower, double upper) {
    return value - lower > upper - value ? value - lower : upper - value;
}

std::string interval_text(double value, double lower, double upper) {
    const double side = longer_side(value, lower, upper);
    const int decimals = decimals_for(side);
    if (std::isnan(value) || std::isnan(side)) {
        return number_text(value, decimals);
    }
    return number_text(value, decimals) + " ±" + number_text(side, decimals);
}

std::string p_text(double p) {
    if (std::isnan(p)) {
        return "";
    }
    return p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p);
}

std::string percent_text(double share) {
    return fmt::format("{:.4g} %", 100 * share);
}

std::string holm_text(std::size_t differences, const std::string& confidence) {
    return differences == 1
               ? fmt::format("interval and p-value hold at {}", confidence)
               : fmt::format(
                   "p-values, and which is smaller, hold for all {} together at {} (Holm), "
                   "every interval alone, at the level at which Holm judges it",
                   differences,
                   confidence
               );
}

std::string interval_note(const std::set<double>& confidences) {
    std::vector<std::string> levels;
    for (const double confidence : confidences) {
        levels.push_back(percent_text(confidence));
    }
    return fmt::format(
        "±: the longer side of a {} confidence interval.", fmt::join(levels, " or ")
    );
}

std::string metric_text(const std::string& column) {
    const std::map<std::string, std::string> known{
        {"capacity_loss.fill_sd", "capacity loss, s.d. of a fill"},
        {"jobs_placed", "jobs per fill"},
        {"job_size.count", "jobs"},
        {"backlog_growth", "growth of the backlog"},
        {"queueing_time.first_half", "queueing time, first half"},
        {"queueing_time.second_half", "queueing time, second half"},
    };
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
    if (const std::size_t dot = name.rfind('.'); dot != std::string::npos) {
        const std::string last = name.substr(dot + 1);
        name.resize(dot);
        (last == "mean" ? prefix : suffix) = last == "mean" ? "mean " : " " + last;
    }
    std::replace(name.begin(), name.end(), '_', ' ');
    return prefix + name + suffix + of_class;
}

}  // namespace schedfarm::campaigns
