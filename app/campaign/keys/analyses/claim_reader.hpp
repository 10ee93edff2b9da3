// Claims of a campaign are held against their form: keys, names, expressions. What they mean for
// its cells is planned in the package (python/src/schedfarm/_planning/claims.py).
#pragma once

#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

void check_claims(const Node& campaign, Problems& problems);

}  // namespace schedfarm::app
