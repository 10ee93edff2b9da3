#include "engine/planning/placement.hpp"

#include <algorithm>
#include <limits>

namespace schedfarm::engine {

std::span<const ClusterShare> Placer::place(const Job& job, std::span<const std::uint32_t> free) {
    shares_.clear();
    bool fits = false;
    switch (job.structure) {
        case RequestStructure::total:
            fits = place_total(job.size, free);
            break;
        case RequestStructure::ordered:
            fits = place_ordered(job, free);
            break;
        case RequestStructure::unordered:
            fits = place_unordered(job, free);
            break;
        case RequestStructure::grouped:
            fits = rule_ == PlacementRule::first_fit_decreasing ? place_decreasing(job, free)
                                                                : place_grouped(job, free);
            break;
    }
    if (!fits) {
        return {};
    }
    return shares_;
}

bool Placer::place_total(std::uint32_t size, std::span<const std::uint32_t> free) {
    for (std::uint32_t cluster = 0; cluster < free.size() && size > 0; ++cluster) {
        const std::uint32_t count = std::min(size, free[cluster]);
        if (count > 0) {
            shares_.push_back({ClusterId{cluster}, count});
            size -= count;
        }
    }
    return size == 0;
}

bool Placer::place_ordered(const Job& job, std::span<const std::uint32_t> free) {
    for (std::uint32_t cluster = 0; cluster < job.components.size(); ++cluster) {
        const std::uint32_t count = job.components[cluster];
        if (count == 0) {
            continue;
        }
        if (cluster >= free.size() || count > free[cluster]) {
            return false;
        }
        shares_.push_back({ClusterId{cluster}, count});
    }
    return true;
}

// Insertion without branches that depend on the sizes: a job has few components.
void Placer::sort_components(const Job& job) {
    components_.resize(job.components.size());
    std::size_t sorted = 0;
    for (std::uint32_t carried : job.components) {
        for (std::size_t i = 0; i < sorted; ++i) {
            const std::uint32_t smaller = std::min(components_[i], carried);
            components_[i] = std::max(components_[i], carried);
            carried = smaller;
        }
        components_[sorted++] = carried;
    }
    while (!components_.empty() && components_.back() == 0) {
        components_.pop_back();  // absent components
    }
}

// The rule takes the cluster of least rank; the lower half is its number, which settles ties.
std::uint64_t Placer::rank(std::size_t cluster, std::uint32_t free) const {
    switch (rule_) {
        case PlacementRule::first_fit:
        case PlacementRule::first_fit_decreasing:
            break;
        case PlacementRule::best_fit:
            return (std::uint64_t{free} << 32) + cluster;
        case PlacementRule::worst_fit:
            return (std::uint64_t{~free} << 32) + cluster;
    }
    return cluster;
}

void Placer::rank_clusters(std::span<const std::uint32_t> free) {
    room_.assign(free.begin(), free.end());
    ranks_.resize(free.size());
    for (std::size_t cluster = 0; cluster < free.size(); ++cluster) {
        ranks_[cluster] = rank(cluster, free[cluster]);
    }
}

bool Placer::place_unordered(const Job& job, std::span<const std::uint32_t> free) {
    constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
    sort_components(job);
    rank_clusters(free);
    for (const std::uint32_t count : components_) {
        std::uint64_t least = none;
        for (std::size_t cluster = 0; cluster < free.size(); ++cluster) {
            const std::uint64_t excluded = room_[cluster] < count ? none : 0;
            least = std::min(least, ranks_[cluster] | excluded);
        }
        if (least == none) {
            return false;
        }
        const auto chosen = static_cast<std::uint32_t>(least);
        room_[chosen] = 0;
        shares_.push_back({ClusterId{chosen}, count});
    }
    return true;
}

// How many of the components left go to a cluster with `free` processors, largest first.
// 0 when the largest does not fit.
std::size_t Placer::joined_by(std::uint32_t free) const {
    if (components_.front() > free) {
        return 0;
    }
    std::size_t joined = 0;
    for (const std::uint32_t count : components_) {
        if (count <= free) {
            free -= count;
            ++joined;
        }
    }
    return joined;
}

bool Placer::place_decreasing(const Job& job, std::span<const std::uint32_t> free) {
    sort_components(job);
    room_.assign(free.begin(), free.end());
    for (const std::uint32_t count : components_) {
        const auto first = std::find_if(room_.begin(), room_.end(), [count](std::uint32_t left) {
            return left >= count;
        });
        if (first == room_.end()) {
            return false;
        }
        *first -= count;
    }
    for (std::uint32_t cluster = 0; cluster < free.size(); ++cluster) {
        if (room_[cluster] < free[cluster]) {
            shares_.push_back({ClusterId{cluster}, free[cluster] - room_[cluster]});
        }
    }
    return true;
}

bool Placer::place_grouped(const Job& job, std::span<const std::uint32_t> free) {
    sort_components(job);
    rank_clusters(free);
    while (!components_.empty()) {
        std::size_t chosen = 0;
        std::size_t most = 0;
        for (std::size_t cluster = 0; cluster < free.size(); ++cluster) {
            const std::size_t joined = joined_by(room_[cluster]);
            if (joined > most || (joined == most && ranks_[cluster] < ranks_[chosen])) {
                chosen = cluster;
                most = joined;
            }
        }
        if (most == 0) {
            return false;
        }
        std::uint32_t left = free[chosen];
        std::erase_if(components_, [&left](std::uint32_t count) {
            const bool joins = count <= left;
            left -= joins ? count : 0;
            return joins;
        });
        room_[chosen] = 0;
        shares_.push_back({ClusterId{static_cast<std::uint32_t>(chosen)}, free[chosen] - left});
    }
    return true;
}

}  // namespace schedfarm::engine
