#include "models/closed_forms/transient.hpp"

#include <cstddef>

#include "engine/foundation/expect.hpp"

namespace schedfarm::models::closed_forms {

namespace {

/// Far below what rounding leaves of a mean, far above the numbers that are slow to multiply.
constexpr double negligible_probability = 1e-30;

double mean_found(const std::vector<double>& found) {
    double mean = 0;
    for (std::size_t n = found.size(); n-- > 1;) {
        mean += static_cast<double>(n) * found[n];
    }
    return mean;
}

}  // namespace

std::vector<double> found_by_next_arrival(const std::vector<double>& found, double load) {
    const double arrival_first = load / (1 + load);
    const double departure_first = 1 / (1 + load);
    std::vector<double> next(found.size() + 1);
    // P(exactly n left of those found and the one that found them), n >= 1: the departures stop
    // there with probability p; what comes down to n from above is q times what came to n + 1.
    double reached = 0;
    for (std::size_t n = found.size(); n >= 1; --n) {
        reached = found[n - 1] + departure_first * reached;
        next[n] = arrival_first * reached;
    }
    next[0] = departure_first * reached;
    while (next.size() > 1 && next.back() < negligible_probability) {
        next.pop_back();
    }
    return next;
}

double mm1_response_time_from_empty(
    std::uint64_t first, std::uint64_t end, double arrival_rate, double mean_service
) {
    SCHEDFARM_EXPECT(first < end, "a mean over no jobs");
    const double load = arrival_rate * mean_service;
    SCHEDFARM_EXPECT(load > 0, "jobs that never arrive");
    std::vector<double> found{1};
    double sum = 0;
    for (std::uint64_t job = 0; job < end; ++job) {
        if (job > 0) {
            found = found_by_next_arrival(found, load);
        }
        if (job >= first) {
            sum += mean_found(found) + 1;
        }
    }
    return sum / static_cast<double>(end - first) * mean_service;
}

}  // namespace schedfarm::models::closed_forms
