// Where a result file comes from: its root attributes. Nothing here is part of the payload.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/farm/farm.hpp"

#include "results_schema/tables/table.hpp"

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// When and by whom a result file was made.
struct Provenance {
    std::string started;  ///< UTC, ISO 8601
    std::string finished;
    std::filesystem::path results;  ///< whose journal lies beside it
    engine::FarmReport farm;
    double run_began_s = 0;  ///< seconds since 1970; 0: nothing was run
    std::uint32_t ranks = 1;
};

/// The present instant, UTC, ISO 8601.
std::string utc_now();

/// "schedfarm 0.1.0, revision 0123456789ab with changes, GNU 12.2.0": what made a page.
std::string program_text();

void add_root_attributes(
    results_schema::ResultFile& results, const Plan& plan, const Provenance& provenance
);

}  // namespace schedfarm::app
