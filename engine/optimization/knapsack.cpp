#include "engine/optimization/knapsack.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/foundation/cpu_dispatch.hpp"

namespace schedfarm::engine {

namespace {

/// Row i holds the least costs of the first i items by capacity, 0 … width − 1; this makes the next
/// row: after[j] = min(before[j] + outside, before[j − size] + inside). REQUIRES: size <= width.
SCHEDFARM_VECTOR_CLONES
void add_item(
    const double* __restrict before,
    double* __restrict after,
    std::size_t width,
    std::size_t size,
    double outside,
    double inside
) {
    for (std::size_t j = 0; j < size; ++j) {
        after[j] = before[j] + outside;
    }
    for (std::size_t j = size; j < width; ++j) {
        const double with = before[j - size] + inside;
        const double without = before[j] + outside;
        after[j] = with < without ? with : without;
    }
}

}  // namespace

double Knapsack::least_cost(std::span<const KnapsackItem> items, std::uint32_t capacity) {
    const std::size_t width = std::size_t{capacity} + 1;
    rows_.assign(2 * width, 0);
    double* before = rows_.data();
    double* after = before + width;
    for (const KnapsackItem& item : items) {
        const std::size_t size = std::min<std::size_t>(item.size, width);
        add_item(before, after, width, size, item.outside, item.inside);
        std::swap(before, after);
    }
    return before[capacity];
}

double Knapsack::solve(std::span<const KnapsackItem> items, std::uint32_t capacity) {
    const std::size_t width = std::size_t{capacity} + 1;
    rows_.resize((items.size() + 1) * width);
    std::fill_n(rows_.begin(), width, 0.0);
    for (std::size_t i = 0; i < items.size(); ++i) {
        const KnapsackItem& item = items[i];
        const std::size_t size = std::min<std::size_t>(item.size, width);
        double* const before = &rows_[i * width];
        add_item(before, before + width, width, size, item.outside, item.inside);
    }
    chosen_.assign(items.size(), 0);
    std::size_t room = capacity;
    for (std::size_t i = items.size(); i-- > 0;) {
        const double without = rows_[i * width + room] + items[i].outside;
        if (rows_[(i + 1) * width + room] < without) {
            chosen_[i] = 1;
            room -= items[i].size;
        }
    }
    return rows_.back();
}

}  // namespace schedfarm::engine
