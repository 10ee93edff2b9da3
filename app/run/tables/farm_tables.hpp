// The tables of a result file that tell how it was computed: which rank ran which replication when,
// and what every rank did with its time. None of it is part of the payload. Pure.
#pragma once

#include <vector>

#include "results_schema/tables/table.hpp"

#include "app/run/campaign_progress.hpp"
#include "app/run/tables/provenance.hpp"

namespace schedfarm::app {

/// `timings` and `farm`. Runs are told apart by their begin, numbered from 1 in its order. A begin
/// that contradicts others, because a rank would do two things at once, counts as not known.
std::vector<results_schema::Table> farm_tables(
    const CampaignProgress& progress, const Provenance& provenance
);

}  // namespace schedfarm::app
