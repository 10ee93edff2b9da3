// Lays out the quantities and claims of a campaign over its cells.
//
// A path in the value of a claim is a quantity or a name. A quantity of each class takes the class
// of the place, or the one behind it: normalized[8]. Its cell is that of the place, where the
// levels in braces replace those of the place: normalized{policy=easy}. Factors may be called by
// the last part of their names. What is left open must not matter: several cells are one where
// their replications are the same.
#pragma once

#include <vector>

#include "app/config/sections/claim_reader.hpp"
#include "app/config/yaml/problems.hpp"
#include "app/plan/plan.hpp"

namespace schedfarm::app {

ClaimsPlan lay_out_claims(
    const ClaimsRequest& request, const std::vector<Cell>& cells, Problems& problems
);

/// The column that a quantity's path means: "[class]" becomes the class.
std::string column_of_class(const std::string& path, std::uint32_t job_class);

/// The classes that a quantity has in a cell: as many as all of its columns have; one where it is
/// not one for each class; none where the cell does not observe it.
std::uint32_t classes_of(const ClaimQuantity& quantity, const Cell& cell);

}  // namespace schedfarm::app
