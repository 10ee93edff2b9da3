#include "engine/statistics/agreement.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

template <typename Bits>
struct Pair {
    Bits first;
    Bits second;
};

bool is_whole(double value) {
    return value >= 0 && value < 4294967296 && std::floor(value) == value;
}

/// In the order of the values; 0 and -0 are equal. REQUIRES: for 32 bits is_whole(value).
template <typename Bits>
Bits ordered_bits(double value) {
    if constexpr (sizeof(Bits) == 4) {
        return static_cast<Bits>(value);
    }
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    return static_cast<Bits>((bits & sign) != 0 ? ~bits : bits | sign);
}

/// Sorts by one of both, stably: by the bytes in which the values differ, the lowest first.
template <typename Bits>
void sort_by(
    Bits Pair<Bits>::*value, std::vector<Pair<Bits>>& pairs, std::vector<Pair<Bits>>& sorted
) {
    constexpr std::size_t bytes = sizeof(Bits);
    std::array<std::array<std::uint32_t, 256>, bytes> counts{};
    for (const auto& pair : pairs) {
        for (std::size_t byte = 0; byte < bytes; ++byte) {
            ++counts[byte][pair.*value >> (8 * byte) & 0xffU];
        }
    }
    for (std::size_t byte = 0; byte < bytes; ++byte) {
        if (counts[byte][pairs.front().*value >> (8 * byte) & 0xffU] == pairs.size()) {
            continue;
        }
        std::exclusive_scan(counts[byte].begin(), counts[byte].end(), counts[byte].begin(), 0U);
        for (const auto& pair : pairs) {
            sorted[counts[byte][pair.*value >> (8 * byte) & 0xffU]++] = pair;
        }
        pairs.swap(sorted);
    }
}

/// Pairs of neighbours that are equal, in an order in which all equal ones are neighbours.
template <typename Pairs, typename Equal>
std::uint64_t tied_pairs(const Pairs& pairs, Equal is_equal) {
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
template <typename Pairs>
std::uint64_t inversions(const Pairs& pairs, std::size_t ranks) {
    std::vector<std::uint32_t> counts(ranks + 1);
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        std::uint64_t not_greater = 0;
        for (std::size_t rank = std::size_t{pairs[i].second} + 1; rank > 0; rank &= rank - 1) {
            not_greater += counts[rank];
        }
        found += i - not_greater;
        for (std::size_t rank = std::size_t{pairs[i].second} + 1; rank <= ranks;
             rank += rank & -rank) {
            ++counts[rank];
        }
    }
    return found;
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Frees the values before it sorts.
template <typename Bits>
double tau_of(std::vector<double>& first, std::vector<double>& second) {
    const std::size_t n = first.size();
    std::vector<Pair<Bits>> pairs(n);
    for (std::size_t i = 0; i < n; ++i) {
        pairs[i] = {ordered_bits<Bits>(first[i]), ordered_bits<Bits>(second[i])};
    }
    first = std::vector<double>();
    second = std::vector<double>();
    std::vector<Pair<Bits>> sorted(n);
    const auto is_second_tied = [](const auto& a, const auto& b) {
        return a.second == b.second;
    };
    sort_by(&Pair<Bits>::second, pairs, sorted);
    const std::uint64_t tied_second = tied_pairs(pairs, is_second_tied);
    Bits rank = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const bool is_last = i + 1 == n || !is_second_tied(pairs[i], pairs[i + 1]);
        pairs[i].second = rank;
        rank += is_last ? 1U : 0U;
    }
    sort_by(&Pair<Bits>::first, pairs, sorted);
    const std::uint64_t tied_first =
        tied_pairs(pairs, [](const auto& a, const auto& b) { return a.first == b.first; });
    const std::uint64_t tied_both = tied_pairs(pairs, [](const auto& a, const auto& b) {
        return a.first == b.first && a.second == b.second;
    });
    sorted = std::vector<Pair<Bits>>();
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

}  // namespace

double kendall_tau_b(std::vector<double> first, std::vector<double> second) {
    SCHEDFARM_EXPECT(first.size() == second.size(), "pairs have two values");
    if (first.size() < 2) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return std::ranges::all_of(first, is_whole) && std::ranges::all_of(second, is_whole)
               ? tau_of<std::uint32_t>(first, second)
               : tau_of<std::uint64_t>(first, second);
}

Agreement agreement(
    std::vector<double> recorded, std::vector<double> modelled, const Tolerance& tolerance
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
    result.rank_agreement = kendall_tau_b(std::move(recorded), std::move(modelled));
    return result;
}

}  // namespace schedfarm::engine
