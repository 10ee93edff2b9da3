#include "engine/simulation/measurement/time_meters.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

// Submissions, and starts too where jobs start in order, mostly come sorted.
void sort_times(std::vector<double>& times) {
    if (!std::is_sorted(times.begin(), times.end())) {
        std::sort(times.begin(), times.end());
    }
}

}  // namespace

std::vector<double> QueueLengths::times_up_to(double end) {
    sort_times(joins_);
    sort_times(leaves_);
    std::vector<double> times(1, 0.0);
    double now = window_.begin;
    const auto advance = [&](double next, std::size_t length) {
        if (next > now) {
            times.resize(std::max(times.size(), length + 1), 0.0);
            times[length] += next - now;
            now = next;
        }
    };
    std::size_t joined = 0;
    for (std::size_t left = 0; left < leaves_.size(); ++left) {
        for (; joined < joins_.size() && joins_[joined] < leaves_[left]; ++joined) {
            advance(joins_[joined], joined - left);
        }
        advance(leaves_[left], joined - left);
    }
    advance(end, 0);
    for (std::size_t length = 1; length < times.size(); ++length) {
        times[length] += times[length - 1];
    }
    return times;
}

void QueueLengths::append_quantiles(
    const std::vector<double>& probabilities, double end, std::vector<double>& out
) {
    const double length = end - window_.begin;
    if (!(length > 0)) {
        out.insert(out.end(), probabilities.size(), std::numeric_limits<double>::quiet_NaN());
        return;
    }
    const std::vector<double> times = times_up_to(end);
    for (const double p : probabilities) {
        // The last one is the longest queue, whatever rounding makes of the sum of all times.
        const auto found = std::lower_bound(times.begin(), times.end() - 1, p * length);
        out.push_back(static_cast<double>(found - times.begin()));
    }
}

TimeMeter::TimeMeter(MeasurementWindow window, const TimeDetails& details)
    : all_(window)
    , by_class_(details.classes, WindowedArea(window))
    , lengths_(details.has_quantiles ? 1 + details.classes : 0, QueueLengths(window)) {}

void TimeMeter::add_to_class(double begin, double end, double height, std::uint32_t job_class) {
    SCHEDFARM_EXPECT(
        job_class < by_class_.size(),
        "a job is of class " + std::to_string(job_class)
            + ", beyond the classes that the workload declared"
    );
    by_class_[job_class].add(begin, end, height);
}

void TimeMeter::add_to_lengths(double begin, double end, std::uint32_t job_class) {
    lengths_.front().add(begin, end);
    if (!by_class_.empty()) {
        lengths_[1 + job_class].add(begin, end);
    }
}

}  // namespace schedfarm::engine
