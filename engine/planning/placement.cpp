#include "engine/planning/placement.hpp"

#include <algorithm>

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
            fits = place_grouped(job, free);
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

// Insertion sort: a job has few components.
void Placer::sort_components(const Job& job) {
    components_.clear();
    for (const std::uint32_t count : job.components) {
        if (count == 0) {
            continue;
        }
        components_.push_back(count);
        std::size_t at = components_.size() - 1;
        for (; at > 0 && components_[at - 1] < count; --at) {
            components_[at] = components_[at - 1];
        }
        components_[at] = count;
    }
}

// Whether the rule takes a cluster with `free` processors rather than a lower-numbered one with
// `to`.
bool Placer::is_preferred(std::uint32_t free, std::uint32_t to) const {
    switch (rule_) {
        case PlacementRule::first_fit:
            break;
        case PlacementRule::best_fit:
            return free < to;
        case PlacementRule::worst_fit:
            return free > to;
    }
    return false;
}

bool Placer::place_unordered(const Job& job, std::span<const std::uint32_t> free) {
    sort_components(job);
    used_.assign(free.size(), false);
    for (const std::uint32_t count : components_) {
        std::size_t chosen = free.size();
        for (std::size_t cluster = 0; cluster < free.size(); ++cluster) {
            if (!used_[cluster] && free[cluster] >= count
                && (chosen == free.size() || is_preferred(free[cluster], free[chosen]))) {
                chosen = cluster;
            }
        }
        if (chosen == free.size()) {
            return false;
        }
        used_[chosen] = true;
        shares_.push_back({ClusterId{static_cast<std::uint32_t>(chosen)}, count});
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

bool Placer::place_grouped(const Job& job, std::span<const std::uint32_t> free) {
    sort_components(job);
    used_.assign(free.size(), false);
    while (!components_.empty()) {
        std::size_t chosen = free.size();
        std::size_t most = 0;
        for (std::size_t cluster = 0; cluster < free.size(); ++cluster) {
            const std::size_t joined = used_[cluster] ? 0 : joined_by(free[cluster]);
            if (joined > most
                || (joined > 0 && joined == most && is_preferred(free[cluster], free[chosen]))) {
                chosen = cluster;
                most = joined;
            }
        }
        if (chosen == free.size()) {
            return false;
        }
        used_[chosen] = true;
        std::uint32_t left = free[chosen];
        std::erase_if(components_, [&left](std::uint32_t count) {
            const bool joins = count <= left;
            left -= joins ? count : 0;
            return joins;
        });
        shares_.push_back({ClusterId{static_cast<std::uint32_t>(chosen)}, free[chosen] - left});
    }
    return true;
}

}  // namespace schedfarm::engine
