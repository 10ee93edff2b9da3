#include "engine/simulation/placement.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace schedfarm::engine {

namespace {

std::vector<std::uint32_t> positive_decreasing(std::span<const std::uint32_t> counts) {
    std::vector<std::uint32_t> sorted;
    std::copy_if(counts.begin(), counts.end(), std::back_inserter(sorted), [](std::uint32_t count) {
        return count > 0;
    });
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    return sorted;
}

bool is_ordered(const Job& job, std::span<const std::uint32_t> counts) {
    for (std::size_t i = 0; i < std::max(counts.size(), job.components.size()); ++i) {
        const std::uint32_t wanted = i < job.components.size() ? job.components[i] : 0;
        const std::uint32_t given = i < counts.size() ? counts[i] : 0;
        if (wanted != given) {
            return false;
        }
    }
    return true;
}

// Deals out components from number `next` on into what is left of the counts.
bool can_be_dealt_out(
    const std::vector<std::uint32_t>& components, std::size_t next, std::vector<std::uint32_t>& left
) {
    if (next == components.size()) {
        return std::all_of(left.begin(), left.end(), [](std::uint32_t n) { return n == 0; });
    }
    for (std::uint32_t& room : left) {
        if (room >= components[next]) {
            room -= components[next];
            if (can_be_dealt_out(components, next + 1, left)) {
                return true;
            }
            room += components[next];
        }
    }
    return false;
}

}  // namespace

bool is_placed_as_requested(const Job& job, std::span<const std::uint32_t> counts) {
    switch (job.structure) {
        case RequestStructure::total:
            return std::accumulate(counts.begin(), counts.end(), std::uint32_t{0}) == job.size;
        case RequestStructure::ordered:
            return is_ordered(job, counts);
        case RequestStructure::unordered:
            return positive_decreasing(job.components) == positive_decreasing(counts);
        case RequestStructure::grouped: {
            std::vector<std::uint32_t> left = positive_decreasing(counts);
            return can_be_dealt_out(positive_decreasing(job.components), 0, left);
        }
    }
    return false;
}

}  // namespace schedfarm::engine
