// Who manages whom: clusters, managers of neighbouring clusters, managers of neighbouring managers
// and so on. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

namespace schedfarm::policies {

class ManagerTree {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// Clusters are the nodes 0, 1, …; `spans` says how many clusters each manager has, how many
    /// of these managers each one above them, and so on; the last of a level may have fewer. What
    /// has nothing beside it needs no manager. Clusters of different trees are isolated.
    ManagerTree(std::span<const std::uint32_t> clusters, std::span<const std::uint32_t> spans);

    std::size_t nodes() const { return nodes_.size(); }
    std::size_t depth() const { return depth_; }
    std::uint32_t parent(std::uint32_t node) const { return nodes_[node].parent; }
    /// 0: a cluster.
    std::uint32_t level(std::uint32_t node) const { return nodes_[node].level; }
    std::uint32_t processors(std::uint32_t node) const { return nodes_[node].processors; }
    /// The clusters under it.
    auto clusters(std::uint32_t node) const {
        return std::views::iota(nodes_[node].first, nodes_[node].end);
    }
    /// The node above it that has none above.
    std::uint32_t root(std::uint32_t node) const;

  private:
    struct Node {
        std::uint32_t level = 0;
        std::uint32_t processors = 0;
        std::uint32_t first = 0;
        std::uint32_t end = 0;
        std::uint32_t parent = none;
    };

    std::vector<Node> nodes_;
    std::size_t depth_ = 0;
};

}  // namespace schedfarm::policies
