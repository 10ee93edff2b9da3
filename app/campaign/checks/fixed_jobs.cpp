#include "app/campaign/checks/fixed_jobs.hpp"

#include <fmt/format.h>

#include "models/trace/prepared_log.hpp"
#include "models/trace/reading/blocks.hpp"
#include "models/trace/reading/log_error.hpp"

#include "app/campaign/keys/catalogues.hpp"

namespace schedfarm::app {

namespace {

/// Whether replications that draw so from the log have jobs that differ.
bool can_draw(engine::Parameters log, const char* resampling) {
    log.set("resampling", resampling);
    try {
        const models::trace::TraceSettings settings(log);
        const auto prepared = models::trace::prepared_log(settings);
        return blocks_of(*prepared, settings.resampling).count > 1;
    } catch (const models::trace::LogError&) {
        return false;
    }
}

/// Those that this log has something to draw for.
std::string ways_of_log(const engine::Parameters& log) {
    const bool by_users = can_draw(log, "users");
    const bool by_weeks = can_draw(log, "weeks");
    return std::string(
               by_users && by_weeks ? "'resampling: weeks' or 'users', or "
               : by_users           ? "'resampling: users' or "
               : by_weeks           ? "'resampling: weeks' or "
                                    : ""
           )
           + "'shake: 60'";
}

}  // namespace

engine::WorkloadFacts facts_of(const engine::Choice& workload) {
    return registered_catalogues().find_model(workload.name)->facts(workload.parameters);
}

bool repeats_jobs(const engine::Choice& workload) {
    return models::trace::repeats(facts_of(workload));
}

std::string ways_to_differ(const engine::Choice& workload) {
    const engine::WorkloadFacts facts = facts_of(workload);
    if (facts.logs.empty()) {
        return "";
    }
    const models::trace::TraceSettings settings(facts.logs.front());
    return settings.resampling == models::trace::Resampling::none
               ? ways_of_log(facts.logs.front())
               : fmt::format(
                   "'shake: 60' ({}: resampling has one block to draw from)",
                   why_one_block(*models::trace::prepared_log(settings), settings.resampling)
               );
}

}  // namespace schedfarm::app
