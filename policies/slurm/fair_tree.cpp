#include <algorithm>
#include <limits>

#include "policies/slurm/priorities.hpp"

namespace schedfarm::policies::slurm {

namespace {

struct Walk {
    const std::vector<Association>& tree;
    std::vector<std::vector<std::uint32_t>> children = {};
    std::vector<double> level = {};  ///< shares over usage
    std::vector<double> factors = {};
    std::size_t users = 0;
    std::size_t rank = 0;  ///< of the last user ranked
    std::size_t next = 0;  ///< of one that is not tied

    void rank_all(const std::vector<std::uint32_t>& siblings, bool account_is_tied) {
        bool tied = account_is_tied;
        for (std::size_t k = 0; k < siblings.size(); ++k) {
            const std::uint32_t at = siblings[k];
            if (k > 0) {
                tied = level[siblings[k - 1]] == level[at];
            }
            if (tree[at].user.empty()) {
                rank_all(children[at], tied);
                continue;
            }
            rank = tied ? rank : next;
            factors[at] = static_cast<double>(rank) / static_cast<double>(users);
            --next;
        }
    }
};

double level_of(
    const Association& association, double shares_of_siblings, double usage, double usage_of_parent
) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (association.shares_of_parent) {
        return infinity;
    }
    if (association.shares == 0) {
        return 0;
    }
    return usage == 0 ? infinity
                      : association.shares / shares_of_siblings / (usage / usage_of_parent);
}

}  // namespace

std::vector<double> fair_tree_factors(
    const std::vector<Association>& tree, const std::vector<double>& usage
) {
    Walk walk{.tree = tree};
    walk.children.resize(tree.size());
    walk.level.resize(tree.size());
    walk.factors.resize(tree.size());
    std::vector<std::uint32_t> tops;
    for (std::uint32_t at = 0; at < tree.size(); ++at) {
        walk.users += tree[at].user.empty() ? 0U : 1U;
        (tree[at].parent == no_limit ? tops : walk.children[tree[at].parent]).push_back(at);
    }
    const auto sort = [&](std::vector<std::uint32_t>& siblings, double usage_of_parent) {
        double shares = 0;
        for (const std::uint32_t at : siblings) {
            shares += tree[at].shares_of_parent ? 0 : tree[at].shares;
        }
        for (const std::uint32_t at : siblings) {
            walk.level[at] = level_of(tree[at], shares, usage[at], usage_of_parent);
        }
        std::stable_sort(siblings.begin(), siblings.end(), [&](std::uint32_t a, std::uint32_t b) {
            return walk.level[a] != walk.level[b] ? walk.level[a] > walk.level[b]
                                                  : !tree[a].user.empty() && tree[b].user.empty();
        });
    };
    for (std::uint32_t at = 0; at < tree.size(); ++at) {
        sort(walk.children[at], usage[at]);
    }
    walk.rank = walk.next = walk.users;
    for (const std::uint32_t top : tops) {
        walk.rank_all(walk.children[top], false);
    }
    return walk.factors;
}

}  // namespace schedfarm::policies::slurm
