// Fair-share factors of users: the fair tree of Slurm 22.05 (priority/multifactor, fair_tree.c).
// At each level, siblings are sorted by shares over usage; a walk depth first ranks the users.
#pragma once

#include <vector>

#include "policies/slurm/settings.hpp"

namespace schedfarm::policies::slurm {

/// `usage` of each association holds that of all below it. The factor of each: rank / users, of all
/// users of the tree; of accounts 0. Tied siblings have the same rank.
std::vector<double> fair_tree_factors(
    const std::vector<Association>& tree, const std::vector<double>& usage
);

}  // namespace schedfarm::policies::slurm
