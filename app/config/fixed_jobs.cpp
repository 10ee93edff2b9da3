#include "app/config/fixed_jobs.hpp"

#include <algorithm>
#include <memory>
#include <variant>

#include "models/trace/prepared_log.hpp"
#include "models/trace/reading/blocks.hpp"
#include "models/trace/reading/log_error.hpp"

#include "app/config/schema/catalogues.hpp"

namespace schedfarm::app {

namespace {

/// REQUIRES: a log.
bool is_resampled(const engine::Choice& log) {
    return log.parameters.text("resampling") != "none";
}

/// Whether replications that draw so from the log have jobs that differ.
bool can_draw(const engine::Choice& log, const char* resampling) {
    engine::Parameters parameters = log.parameters;
    parameters.set("resampling", resampling);
    try {
        const models::trace::TraceSettings settings(parameters);
        const auto prepared = models::trace::prepared_log(settings);
        return blocks_of(*prepared, settings.resampling).count > 1;
    } catch (const models::trace::LogError&) {
        return false;
    }
}

/// Of a log that is resampled in vain.
std::string why_one_block(const engine::Choice& log) {
    const models::trace::TraceSettings settings(log.parameters);
    return std::string(why_one_block(*models::trace::prepared_log(settings), settings.resampling));
}

/// Those that this log has something to draw for.
std::string ways_of_log(const engine::Choice& log) {
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

bool holds_inside(
    const engine::Choice& workload, const std::function<bool(const engine::Choice&)>& holds
) {
    const auto holds_in = [&holds](const engine::Value& value) {
        const auto* inner = std::get_if<std::shared_ptr<const engine::Choice>>(&value.data());
        return inner != nullptr && holds_inside(**inner, holds);
    };
    const auto& entries = workload.parameters.entries();
    return holds(workload) || std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
               const auto* list = std::get_if<engine::Value::List>(&entry.second.data());
               return list == nullptr ? holds_in(entry.second)
                                      : std::any_of(list->begin(), list->end(), holds_in);
           });
}

bool is_log(const engine::Choice& workload) {
    return workload.name == "trace";
}

bool repeats_jobs(const engine::Choice& workload) {
    const auto* const model = registered_catalogues().find_model(workload.name);
    return model != nullptr && model->repeats && model->repeats(workload.parameters);
}

bool has_own_arrivals(const engine::Choice& workload) {
    return holds_inside(workload, [](const engine::Choice& inner) {
        return is_log(inner) || repeats_jobs(inner);
    });
}

bool has_end(const engine::Choice& workload) {
    return holds_inside(workload, [](const engine::Choice& inner) {
        return is_log(inner) ? !is_resampled(inner) : repeats_jobs(inner);
    });
}

std::string ways_to_differ(const engine::Choice& workload) {
    std::string ways;
    holds_inside(workload, [&ways](const engine::Choice& inner) {
        if (is_log(inner)) {
            ways = is_resampled(inner) ? "'shake: 60' (" + why_one_block(inner)
                                             + ": resampling has one block to draw from)"
                                       : ways_of_log(inner);
        }
        return is_log(inner);
    });
    return ways;
}

}  // namespace schedfarm::app
