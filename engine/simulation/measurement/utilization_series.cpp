#include "engine/simulation/measurement/utilization_series.hpp"

#include <algorithm>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

UtilizationSeries::UtilizationSeries(
    const JobLog& log, std::uint32_t processors, MeasurementWindow window, std::uint64_t parts
)
    : window_(window), processors_(processors), area_(parts, 0.0) {
    SCHEDFARM_EXPECT(window.begin < window.end, "the window of a series has a length");
    SCHEDFARM_EXPECT(parts > 0, "a series has parts");
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        if (log.has(job)) {
            add(log.start[job], log.finish[job], log.size[job]);
        }
    }
}

double UtilizationSeries::edge(std::uint64_t part) const {
    const auto parts = static_cast<double>(area_.size());
    return part == area_.size()
               ? window_.end
               : window_.begin + (window_.end - window_.begin) * static_cast<double>(part) / parts;
}

double UtilizationSeries::utilization(std::uint64_t part) const {
    return area_[part] / (processors_ * (edge(part + 1) - edge(part)));
}

void UtilizationSeries::add(double begin, double end, double height) {
    const double from = std::max(begin, window_.begin);
    const double to = std::min(end, window_.end);
    if (!(from < to)) {
        return;
    }
    const auto parts = static_cast<double>(area_.size());
    const double place = (from - window_.begin) / (window_.end - window_.begin) * parts;
    auto part = std::min(static_cast<std::uint64_t>(place), std::uint64_t{area_.size() - 1});
    part -= part > 0 && edge(part) > from ? 1U : 0U;  // rounded up
    for (; part < area_.size() && edge(part) < to; ++part) {
        const double length = std::min(to, edge(part + 1)) - std::max(from, edge(part));
        area_[part] += length > 0 ? height * length : 0;
    }
}

}  // namespace schedfarm::engine
