#include "engine/statistics/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

std::uint64_t pairs_of(std::uint64_t n) {
    return n * (n - 1) / 2;
}

/// Pairs of neighbours that are equal, in an order in which all equal ones are neighbours.
template <typename Equal>
std::uint64_t tied_pairs(std::size_t n, Equal is_equal_to_last) {
    std::uint64_t pairs = 0;
    std::uint64_t run = 1;
    for (std::size_t i = 1; i <= n; ++i) {
        if (i < n && is_equal_to_last(i)) {
            ++run;
        } else {
            pairs += pairs_of(run);
            run = 1;
        }
    }
    return pairs;
}

/// Sorts the values; returns how many pairs stood the wrong way round.
std::uint64_t sort_and_count(std::vector<double>& values) {
    std::vector<double> merged(values.size());
    std::uint64_t inversions = 0;
    for (std::size_t width = 1; width < values.size(); width *= 2) {
        for (std::size_t low = 0; low < values.size(); low += 2 * width) {
            const std::size_t middle = std::min(low + width, values.size());
            const std::size_t high = std::min(low + 2 * width, values.size());
            std::size_t left = low;
            std::size_t right = middle;
            for (std::size_t to = low; to < high; ++to) {
                if (right == high || (left < middle && values[left] <= values[right])) {
                    merged[to] = values[left++];
                } else {
                    inversions += middle - left;
                    merged[to] = values[right++];
                }
            }
        }
        values.swap(merged);
    }
    return inversions;
}

double mean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double kendall_tau_b(std::span<const double> first, std::span<const double> second) {
    SCHEDFARM_EXPECT(first.size() == second.size(), "pairs have two values");
    const std::size_t n = first.size();
    if (n < 2) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return first[a] != first[b] ? first[a] < first[b] : second[a] < second[b];
    });
    const auto is_tied = [&](std::span<const double> values, std::size_t i) {
        return values[order[i]] == values[order[i - 1]];
    };
    const std::uint64_t tied_first = tied_pairs(n, [&](auto i) { return is_tied(first, i); });
    const std::uint64_t tied_both =
        tied_pairs(n, [&](auto i) { return is_tied(first, i) && is_tied(second, i); });
    std::vector<double> values(n);
    std::transform(order.begin(), order.end(), values.begin(), [&](auto i) { return second[i]; });
    const std::uint64_t discordant = sort_and_count(values);
    const std::uint64_t tied_second =
        tied_pairs(n, [&](auto i) { return values[i] == values[i - 1]; });
    const std::uint64_t all = pairs_of(n);
    if (tied_first == all || tied_second == all) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const std::uint64_t concordant = all - tied_first - tied_second + tied_both - discordant;
    const double difference = static_cast<double>(concordant) - static_cast<double>(discordant);
    return difference / std::sqrt(static_cast<double>(all - tied_first))
           / std::sqrt(static_cast<double>(all - tied_second));
}

Agreement agreement(
    std::span<const double> recorded, std::span<const double> modelled, const Tolerance& tolerance
) {
    SCHEDFARM_EXPECT(recorded.size() == modelled.size(), "pairs have two values");
    Agreement result{.n = recorded.size()};
    if (recorded.empty()) {
        return result;
    }
    std::uint64_t within = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const double most =
            std::max(tolerance.relative * std::abs(recorded[i]), tolerance.absolute);
        within += std::abs(modelled[i] - recorded[i]) <= most ? 1U : 0U;
    }
    result.recorded_mean = mean(recorded);
    result.modelled_mean = mean(modelled);
    result.share_within = static_cast<double>(within) / static_cast<double>(recorded.size());
    result.rank_agreement = kendall_tau_b(recorded, modelled);
    return result;
}

}  // namespace schedfarm::engine
