#include "engine/statistics/agreement.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

struct Pair {
    std::uint64_t first;
    std::uint64_t second;
};

/// In the order of the values; 0 and -0 are equal.
std::uint64_t ordered_bits(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

/// Sorts by one of both, stably: by the bytes in which the values differ, the lowest first.
void sort_by(std::uint64_t Pair::*value, std::vector<Pair>& pairs, std::vector<Pair>& sorted) {
    constexpr std::size_t bytes = 8;
    std::array<std::array<std::uint32_t, 256>, bytes> counts{};
    for (const Pair& pair : pairs) {
        for (std::size_t byte = 0; byte < bytes; ++byte) {
            ++counts[byte][pair.*value >> (8 * byte) & 0xffU];
        }
    }
    for (std::size_t byte = 0; byte < bytes; ++byte) {
        if (counts[byte][pairs.front().*value >> (8 * byte) & 0xffU] == pairs.size()) {
            continue;
        }
        std::exclusive_scan(counts[byte].begin(), counts[byte].end(), counts[byte].begin(), 0U);
        for (const Pair& pair : pairs) {
            sorted[counts[byte][pair.*value >> (8 * byte) & 0xffU]++] = pair;
        }
        pairs.swap(sorted);
    }
}

/// Pairs of neighbours that are equal, in an order in which all equal ones are neighbours.
template <typename Equal>
std::uint64_t tied_pairs(const std::vector<Pair>& pairs, Equal is_equal) {
    std::uint64_t count = 0;
    std::uint64_t run = 0;
    for (std::size_t i = 1; i < pairs.size(); ++i) {
        run = is_equal(pairs[i - 1], pairs[i]) ? run + 1 : 0;
        count += run;
    }
    return count;
}

/// How many pairs have a greater second one before them; those are ranks below `ranks`. By the
/// counts of a Fenwick (1994) tree.
std::uint64_t inversions(const std::vector<Pair>& pairs, std::size_t ranks) {
    std::vector<std::uint32_t> counts(ranks + 1);
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        std::uint64_t not_greater = 0;
        for (std::size_t rank = pairs[i].second + 1; rank > 0; rank &= rank - 1) {
            not_greater += counts[rank];
        }
        found += i - not_greater;
        for (std::size_t rank = pairs[i].second + 1; rank <= ranks; rank += rank & -rank) {
            ++counts[rank];
        }
    }
    return found;
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
    std::vector<Pair> pairs(n);
    std::vector<Pair> sorted(n);
    for (std::size_t i = 0; i < n; ++i) {
        pairs[i] = {ordered_bits(first[i]), ordered_bits(second[i])};
    }
    const auto is_second_tied = [](const Pair& a, const Pair& b) {
        return a.second == b.second;
    };
    sort_by(&Pair::second, pairs, sorted);
    const std::uint64_t tied_second = tied_pairs(pairs, is_second_tied);
    std::uint64_t rank = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const bool is_last = i + 1 == n || !is_second_tied(pairs[i], pairs[i + 1]);
        pairs[i].second = rank;
        rank += is_last ? 1U : 0U;
    }
    sort_by(&Pair::first, pairs, sorted);
    const std::uint64_t tied_first =
        tied_pairs(pairs, [](const Pair& a, const Pair& b) { return a.first == b.first; });
    const std::uint64_t tied_both = tied_pairs(pairs, [](const Pair& a, const Pair& b) {
        return a.first == b.first && a.second == b.second;
    });
    const std::uint64_t discordant = inversions(pairs, rank);
    const std::uint64_t all = n * (n - 1) / 2;
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
