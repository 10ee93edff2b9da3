#include "models/coallocation/coallocation_cell.hpp"

#include <algorithm>

namespace schedfarm::models {

namespace {

using closed_forms::ComponentProbabilities;
using closed_forms::Fill;
using closed_forms::SizeProbabilities;
using engine::RequestStructure;

/// Multiplications, about a second; closed forms of larger systems would cost more than simulation.
constexpr double largest_cost = 5e8;

/// The clusters that take a component of every job when each component has a cluster of its own,
/// for total requests all processors as one; empty where a job may leave clusters out.
std::vector<std::uint32_t> bins_of(const CoallocationCell& cell) {
    const std::vector<std::uint32_t>& clusters = cell.context.system.clusters;
    const auto components = static_cast<std::ptrdiff_t>(cell.settings.components);
    if (cell.is_total()) {
        return {cell.processors()};
    }
    if (cell.settings.structure == RequestStructure::ordered) {
        return {clusters.begin(), clusters.begin() + components};
    }
    if (cell.settings.structure == RequestStructure::unordered
        && cell.settings.components == clusters.size()) {
        return clusters;
    }
    return {};
}

/// Multiplications of fill_in_order: with a mixture, k jobs have k + 1 sums of their own.
double fill_cost(
    const ComponentProbabilities& sizes, std::uint32_t smallest, std::uint32_t largest
) {
    const double mean = sizes.first_probability * closed_forms::mean_of(sizes.first)
                        + (1 - sizes.first_probability) * closed_forms::mean_of(sizes.second);
    const double range = static_cast<double>(std::max(sizes.first.size(), sizes.second.size()));
    const double jobs = std::min(2 * smallest / mean + 64, double{1} * smallest);
    const double sums = sizes.second.empty() ? jobs : 0.5 * jobs * jobs;
    return sums * largest * range;
}

Fill constant_fill(std::uint32_t jobs, double mean_size) {
    return {
        .at_least = std::vector<double>(std::size_t{jobs} + 1, 1.0),
        .mean_placed = jobs * mean_size};
}

}  // namespace

CoallocationCell::CoallocationCell(
    const engine::Parameters& parameters, const engine::TheoryContext& theory
)
    : context(theory)
    , settings(parameters, theory.system)
    , has_exponential_service(parameters.choice("service").name == "exponential")
    , has_poisson_arrivals(parameters.choice("interarrival").name == "exponential") {}

bool CoallocationCell::is_total() const {
    const bool is_one_cluster = context.system.clusters.size() == 1;
    switch (settings.structure) {
        case RequestStructure::total:
            return true;
        case RequestStructure::grouped:
            return is_one_cluster;
        default:
            return is_one_cluster && settings.components == 1;
    }
}

std::optional<SizeProbabilities> job_sizes(const CoallocationCell& cell) {
    const ComponentProbabilities sizes = cell.settings.sizes.probabilities();
    const std::size_t components = cell.settings.components;
    const auto draws = static_cast<double>(components * cell.settings.sizes.high());
    if (draws * draws > largest_cost) {
        return std::nullopt;
    }
    SizeProbabilities first = closed_forms::sum_of_draws(sizes.first, components);
    if (sizes.second.empty()) {
        return first;
    }
    return closed_forms::mixture_of(
        sizes.first_probability, first, closed_forms::sum_of_draws(sizes.second, components)
    );
}

std::optional<std::uint32_t> constant_jobs(const CoallocationCell& cell) {
    const std::vector<std::uint32_t> bins = bins_of(cell);
    if (bins.empty()) {
        return std::nullopt;
    }
    const std::uint64_t draws = cell.is_total() ? cell.settings.components : 1;
    const std::uint64_t smallest = *std::min_element(bins.begin(), bins.end());
    const std::uint64_t at_least = smallest / (draws * cell.settings.sizes.high());
    const std::uint64_t at_most = smallest / (draws * cell.settings.sizes.low());
    if (at_least != at_most) {
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(at_least);
}

std::optional<Fill> fill_of(const CoallocationCell& cell) {
    if (const auto jobs = constant_jobs(cell)) {
        return constant_fill(*jobs, cell.settings.mean_size());
    }
    const bool is_ordered = cell.settings.structure == RequestStructure::ordered;
    if (!cell.is_total() && !is_ordered) {
        return std::nullopt;
    }
    ComponentProbabilities sizes = cell.settings.sizes.probabilities();
    if (cell.is_total()) {
        auto sums = job_sizes(cell);
        if (!sums) {
            return std::nullopt;
        }
        sizes = {.first_probability = 1, .first = std::move(*sums), .second = {}};
    }
    const std::vector<std::uint32_t> bins = bins_of(cell);
    const auto [smallest, largest] = std::minmax_element(bins.begin(), bins.end());
    if (fill_cost(sizes, *smallest, *largest) > largest_cost) {
        return std::nullopt;
    }
    return closed_forms::fill_in_order(sizes, bins);
}

}  // namespace schedfarm::models
