// Numbers and metrics as a reader of a report wants them: no more digits than the interval
// supports but three of every estimate, names in words. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

namespace schedfarm::app {

/// How intervals are printed: the campaign's `report.intervals`.
enum class IntervalStyle : std::uint8_t {
    plus_minus,  ///< "3.21 ±0.02"; "3.21 [3.10, 3.90]" where one side is clearly longer
    bounds,      ///< "3.21 [3.19, 3.23]"
};

/// Decimals that show two significant digits of the half width, below 0 where these are tens,
/// hundreds or more; 5 where it is 0.
int decimals_for(double half_width);

/// Those of the longer side of an interval, of its shorter one where it has no end on the longer.
/// Without an interval those of four significant digits of the value, none below 0.
int decimals_for(double value, double lower, double upper);

/// Decimals that show so many digits of the value itself, below 0 where these are tens, hundreds or
/// more; the least int of 0, which any number of decimals shows.
int decimals_of_digits(double value, int digits);

/// Empty for NaN. With -2 decimals it is rounded to hundreds; with more than eight it has an
/// exponent, "3.12e-10".
std::string number_text(double value, int decimals);

/// The same with more decimals where these would show less than three digits of the value: an
/// interval that is longer than its estimate does not take that away.
std::string estimate_text(double value, int decimals);

/// "[3.10, 3.90]", "[3.10, ∞)": the ends of an interval, each with two digits of its own at least.
std::string bounds_text(double lower, double upper, int decimals);

/// Distance from an estimate to the farther end of its interval: what stop rules judge by. Half the
/// interval where that lies evenly about the estimate.
double longer_side(double value, double lower, double upper);

/// Whether one side of an interval is more than twice as long as the other: ± would mislead.
bool is_clearly_asymmetric(double value, double lower, double upper);

/// The estimate and its interval: "3.21 ±0.02" with the longer side, so that the interval lies
/// within what is printed, or both ends, "3.21 [3.19, 3.23]", "3.21 [3.19, ∞)"; without an interval
/// the estimate alone. Three digits of the estimate and two of each end are right whatever the
/// interval, also where it has more than `most_decimals`: "2.96 [-120, 6.5]".
std::string interval_text(
    double value,
    double lower,
    double upper,
    IntervalStyle style = IntervalStyle::plus_minus,
    int most_decimals = 8
);

/// What ± or [ ] is in a table whose intervals have these confidences: "±: the longer side of a
/// 95 % confidence interval."; of several levels "… a 90 % or 95 % confidence interval.". REQUIRES:
/// one level at least.
std::string interval_note(
    const std::set<double>& confidences, IntervalStyle style = IntervalStyle::plus_minus
);

/// The unit that numbers are shown in, and how many of theirs it is.
struct ShownUnit {
    std::string name;  ///< empty: as they are
    double own = 1;

    /// "", or the name behind a space
    std::string suffix() const { return name.empty() ? "" : " " + name; }
};

/// Seconds ("s") in the largest of minutes, hours and days of which the greatest is three; others
/// as they are. The package's rule.
ShownUnit shown_unit(const std::string& unit, double greatest);

/// 0.95 → "95 %", 0.975 → "97.5 %"
std::string percent_text(double share);

/// What a researcher calls a column: "response_time.mean[class=2]" → "mean response time, class 2".
std::string metric_text(const std::string& column);

}  // namespace schedfarm::app
