// Lays out the quantities and claims of a campaign over its cells.
//
// A path in the value of a claim is a quantity or a name. A quantity of each class takes the class
// of the place, or the one behind it: normalized[8]. Its cell is that of the place, where the
// levels in braces replace those of the place: normalized{policy=easy}. Factors may be called by
// the last part of their names. What is left open must not matter: several cells are one where
// their replications are the same.
#pragma once

#include <vector>

#include "app/campaign/keys/analyses/claim_reader.hpp"
#include "app/campaign/plan/plan.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

ClaimsPlan lay_out_claims(
    const ClaimsRequest& request, const std::vector<Cell>& cells, Problems& problems
);

}  // namespace schedfarm::app
