#include "engine/statistics/steady_state/mser.hpp"

#include <algorithm>
#include <limits>

#include "engine/statistics/accumulator.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::size_t batch_size = 5;

double mean_of(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

/// Σ_{j >= d} (batch j − mean of these)² / (batches − d)² for every admitted d, from the last
/// batch backwards, so that nothing is subtracted.
std::vector<double> mser_statistics(std::span<const double> series) {
    const std::size_t batches = series.size() / batch_size;
    std::vector<double> statistics(batches / 2 + 1);
    Accumulator rest;
    for (std::size_t d = batches; d-- > 0;) {
        rest.add(mean_of(series.subspan(d * batch_size, batch_size)));
        if (d < statistics.size()) {
            const auto n = static_cast<double>(rest.n());
            statistics[d] = rest.variance().value_or(0) * (n - 1) / (n * n);
        }
    }
    return statistics;
}

}  // namespace

MserCut mser5(std::span<const double> series) {
    if (series.size() < 2 * batch_size) {
        return {};
    }
    const std::vector<double> statistics = mser_statistics(series);
    std::size_t best = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t d = 0; d < statistics.size(); ++d) {
        if (statistics[d] < smallest) {
            smallest = statistics[d];
            best = d;
        }
    }
    return {batch_size * best, best + 1 == statistics.size()};
}

std::vector<double> welch_average(std::span<const double> series, std::size_t half_window) {
    std::vector<double> averages;
    for (std::size_t i = 0; i + half_window < series.size(); ++i) {
        const std::size_t half = std::min(i, half_window);
        averages.push_back(mean_of(series.subspan(i - half, 2 * half + 1)));
    }
    return averages;
}

}  // namespace schedfarm::engine
