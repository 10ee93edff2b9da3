// Features that a job asks for of its nodes (--constraint), as Slurm 22.05 has them
// (job_scheduler.c, build_feature_list; node_scheduler.c, valid_feature_counts): a&b, a|b from left
// to right, parentheses, [a|b] for nodes that all have the same of them, a*2 for counts, and
// [a*2&b*1] for counts of different nodes. There is no word for "not". Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/slurm/node_set.hpp"
#include "policies/slurm/settings.hpp"

namespace schedfarm::policies::slurm {

/// What a constraint leaves of the machine.
struct Features {
    struct Counted {
        NodeSet nodes;
        std::uint32_t count = 0;  ///< 0: the main pass takes none for it, backfill one
    };
    NodeSet nodes;                      ///< others are no candidates
    std::vector<NodeSet> one_of = {};   ///< where there are some, all its nodes are of one
    std::vector<Counted> counted = {};  ///< where there are some, so many of each
    bool apart = false;                 ///< a node counts for one of these alone
};

/// The nodes of each feature.
using FeatureNodes = std::map<std::string, NodeSet, std::less<>>;
FeatureNodes feature_nodes(const std::vector<Node>& nodes);

/// Nothing where it cannot be read, or names what no node has: Slurm refuses the job.
std::optional<Features> features_of(
    std::string_view constraint, const FeatureNodes& known, const NodeSet& all
);

}  // namespace schedfarm::policies::slurm
