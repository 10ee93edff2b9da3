#include "policies/composition/managers/manager_tree.hpp"

#include <algorithm>

namespace schedfarm::policies {

ManagerTree::ManagerTree(
    std::span<const std::uint32_t> clusters, std::span<const std::uint32_t> spans
) {
    for (const std::uint32_t processors : clusters) {
        const auto number = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({0, processors, number, number + 1});
    }
    std::size_t first = 0;
    for (const std::uint32_t span : spans) {
        const std::size_t end = nodes_.size();
        if (end - first < 2) {
            break;
        }
        ++depth_;
        for (std::size_t child = first; child < end; child += span) {
            Node manager{static_cast<std::uint32_t>(depth_), 0, nodes_[child].first, 0};
            for (std::size_t k = child; k < std::min<std::size_t>(child + span, end); ++k) {
                nodes_[k].parent = static_cast<std::uint32_t>(nodes_.size());
                manager.processors += nodes_[k].processors;
                manager.end = nodes_[k].end;
            }
            nodes_.push_back(manager);
        }
        first = end;
    }
}

std::uint32_t ManagerTree::root(std::uint32_t node) const {
    while (parent(node) != none) {
        node = parent(node);
    }
    return node;
}

}  // namespace schedfarm::policies
