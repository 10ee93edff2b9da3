// How a timeplexing cycle is divided among its slices, and what the rows serve.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "policies/gang/gang.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

constexpr double seconds_per_day = 86400;

}  // namespace

std::vector<std::uint32_t> rows_of_cycle(const GangSettings& settings, const BuddyTrees& trees) {
    if (!settings.quanta_classes.empty()) {
        return settings.quanta_classes;
    }
    std::vector<std::uint32_t> rows(trees.classes());
    std::iota(rows.rbegin(), rows.rend(), 0U);
    return rows;
}

std::vector<SlicePart> row_parts(const BuddyTrees& trees, std::uint32_t row) {
    if (trees.is_root(row)) {
        return {{.job_class = row, .nodes = {{0, 1}}}};
    }
    std::vector<SlicePart> parts;
    for (const BuddyTrees::Tree& tree : trees.trees()) {
        const std::uint32_t own = served_class(tree, row);
        const auto same = std::find_if(parts.begin(), parts.end(), [own](const SlicePart& part) {
            return part.job_class == own;
        });
        if (same == parts.end()) {
            parts.push_back({.job_class = own, .nodes = {BuddyTrees::nodes_of(tree, own)}});
        } else {
            same->nodes.push_back(BuddyTrees::nodes_of(tree, own));
        }
    }
    return parts;
}

std::vector<double> uniform_quanta(double cycle_s, std::size_t slices) {
    const auto count = static_cast<double>(slices);
    if (std::floor(cycle_s) != cycle_s || cycle_s < count) {
        std::vector<double> equal(slices, cycle_s / count);
        return equal;
    }
    const double base = std::floor(cycle_s / count);
    std::vector<double> quanta(slices, base);
    std::fill_n(quanta.begin(), static_cast<std::size_t>(cycle_s - base * count), base + 1);
    return quanta;
}

std::vector<double> weighted_quanta(
    double cycle_s, double smallest_s, const std::vector<double>& weights
) {
    const double sum = std::accumulate(weights.begin(), weights.end(), double{0});
    if (sum <= 0) {
        return uniform_quanta(cycle_s, weights.size());
    }
    const double rest = cycle_s - smallest_s * static_cast<double>(weights.size());
    std::vector<double> quanta;
    std::vector<double> remainders;
    double left = rest;
    for (const double weight : weights) {
        const double share = rest * weight / sum;
        quanta.push_back(smallest_s + std::floor(share));
        remainders.push_back(share - std::floor(share));
        left -= std::floor(share);
    }
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&remainders](std::size_t a, std::size_t b) {
        return remainders[a] > remainders[b];
    });
    for (std::size_t i = 0; i < order.size() && left >= 1; ++i, left -= 1) {
        quanta[order[i]] += 1;
    }
    return quanta;
}

GangQuanta::GangQuanta(const GangSettings& settings, const BuddyTrees& trees)
    : settings_(settings)
    , trees_(trees)
    , rows_(rows_of_cycle(settings, trees))
    , quanta_(
          settings.quanta_s.empty() ? uniform_quanta(settings.cycle_s, rows_.size())
                                    : settings.quanta_s
      ) {}

void GangQuanta::arrive(double submit_time, double service_time, std::uint32_t job_class) {
    if (settings_.rule == QuantaRule::uniform) {
        return;
    }
    std::vector<double>& work = work_[std::floor(submit_time / seconds_per_day)];
    work.resize(trees_.classes(), 0);
    work[job_class] += service_time * trees_.node_size(job_class);
}

std::vector<double> GangQuanta::quanta_after(const std::vector<double>& work) const {
    std::vector<double> weights;
    for (const std::uint32_t row : rows_) {
        const auto slices = std::count(rows_.begin(), rows_.end(), row);
        weights.push_back(work[row] / static_cast<double>(slices));
    }
    return weighted_quanta(settings_.cycle_s, settings_.smallest_quantum_s, weights);
}

const std::vector<double>& GangQuanta::of_cycle(double time) {
    const double day = std::floor(time / seconds_per_day);
    if (settings_.rule == QuantaRule::utilization && day != day_) {
        day_ = day;
        std::vector<double>& work = work_[day - 1];
        work.resize(trees_.classes(), 0);
        quanta_ = quanta_after(work);
    }
    return quanta_;
}

}  // namespace schedfarm::policies
