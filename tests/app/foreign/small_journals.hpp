// Small campaigns, one for every way in which the number of replications is decided, and the
// journals of runs of them that died: outcomes of every status, replications in flight, suspects.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::tests {

struct SmallJournal {
    app::Plan plan;
    app::Plan changed;  ///< the plan of the campaign with other precision or one cell more
    std::string bytes;  ///< of the journal; some 10 kB
};

/// Simulates them; a second or so.
std::vector<SmallJournal> small_journals();

}  // namespace schedfarm::tests
