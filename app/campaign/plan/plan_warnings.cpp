#include "app/campaign/plan/plan_warnings.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/statistics/selection/control_variates.hpp"

#include "models/trace/prepared_log.hpp"
#include "models/trace/reading/blocks.hpp"
#include "models/trace/selection.hpp"
#include "models/trace/summary/oddity.hpp"

#include "app/campaign/checks/fixed_jobs.hpp"
#include "app/campaign/plan/log_blocks.hpp"
#include "app/campaign/plan/moments.hpp"
#include "app/campaign/plan/policy_times.hpp"
#include "app/campaign/plan/steady_state.hpp"
#include "app/campaign/plan/twins.hpp"

namespace schedfarm::app {

namespace {

std::vector<std::string> slowdown_warnings(const Plan& plan) {
    const auto count = std::count_if(plan.cells.begin(), plan.cells.end(), [](const Cell& cell) {
        return cell.has_infinite_mean_slowdown;
    });
    if (count == 0) {
        return {};
    }
    return {fmt::format(
        "slowdown has no finite mean in {}: service times near 0 are too likely there, and the "
        "longer one simulates the larger it gets. Ask for bounded_slowdown.",
        engine::counted(static_cast<std::uint64_t>(count), "cell")
    )};
}

std::vector<std::string> control_warnings(const Plan& plan) {
    for (const Cell& cell : plan.cells) {
        const std::size_t own = own_controls_of(cell).size();  // of the twins one is taken
        const std::uint64_t needed = engine::fewest_with_controls(std::max<std::size_t>(own, 1));
        if (!cell.controls.empty() && cell.replications.limits.max < needed) {
            return {fmt::format(
                "cell {} has {}, too few for its control variates, which give no estimate below "
                "{}. Give more, or leave them out.",
                cell.index,
                engine::counted(cell.replications.limits.max, "replication"),
                needed
            )};
        }
    }
    return {};
}

/// Of a log of which many jobs are left out, for want of a requested time; else empty.
std::string request_warning(const std::string& file, const models::trace::PreparedLog& log) {
    const auto missing = static_cast<std::size_t>(models::trace::Dropped::no_requested_time);
    return !models::trace::lacks_requested_times(log.dropped, log.lines)
               ? ""
               : fmt::format(
                   "{} of the {} in {} are left out for want of a requested time. Keep them with "
                   "'missing_request: run_time'.",
                   log.dropped[missing],
                   engine::counted(log.lines, "job"),
                   file
               );
}

/// Of jobs that are left out by their numbers; else empty.
std::string left_out_warning(
    const models::trace::TraceSettings& settings, const models::trace::PreparedLog& log
) {
    const auto reason = static_cast<std::size_t>(models::trace::Dropped::left_out);
    return log.dropped[reason] == 0
               ? ""
               : fmt::format(
                   "{} of the {} in {} are left out, first job {}: the site can never place them, "
                   "or 'leave_out' names them",
                   log.dropped[reason],
                   engine::counted(log.lines, "job"),
                   settings.file,
                   settings.selection.left_out.front()
               );
}

/// What is strange in a log; else empty.
std::string oddity_warning(const std::string& file, const models::trace::PreparedLog& log) {
    const std::string first = models::trace::first_oddities(log.oddities);
    return first.empty() ? ""
                         : fmt::format(
                             "{}: oddities, first in {}. See all with `{}`",
                             file,
                             first,
                             engine::program_command({"trace", std::filesystem::path(file)})
                         );
}

/// That jobs which never ran are simulated; else empty.
std::string left_warning(const std::string& file, const models::trace::PreparedLog& log) {
    return log.left.size() == 0
               ? ""
               : fmt::format(
                   "{}: {} that left while waiting are load (left_waiting: drop leaves them out)",
                   file,
                   engine::counted(log.left.size(), "job")
               );
}

/// Of a log that is not dense everywhere; else empty.
std::string period_warning(
    const models::trace::TraceSettings& settings, const models::trace::PreparedLog& log
) {
    return log.period_text.empty() ? ""
                                   : fmt::format(
                                       "{}: {}{}. Leave this out with 'period: dense'",
                                       settings.file,
                                       log.period_text,
                                       settings.resampling == models::trace::Resampling::none
                                           ? ""
                                           : ", and replications draw from this, too"
                                   );
}

/// Where intervals of logs like it do not hold; else empty.
std::string resampling_warning(
    const models::trace::TraceSettings& settings, const models::trace::PreparedLog& log
) {
    const BlockDoubt doubt = doubt_of(log, settings.resampling);
    const auto blocks = models::trace::blocks_of(log, settings.resampling);
    switch (doubt) {
        case BlockDoubt::none:
            break;
        case BlockDoubt::trend:
            return fmt::format(
                "{}: the load changes from week to week in one direction (p = {:.2g}), so that its "
                "weeks are not alike and intervals of logs like it are too short. Take a part of "
                "it by 'from' and 'before'",
                settings.file,
                blocks.trend_p_value
            );
        case BlockDoubt::uneven_weeks:
            return fmt::format(
                "{}: the work of its {} weeks scatters more than chance explains (p = {:.2g}), so "
                "that intervals of logs like it are too short above (waits grow faster than the "
                "load). Take a part of it by 'from' and 'before'",
                settings.file,
                blocks.count,
                blocks.scatter_p_value
            );
        case BlockDoubt::few_users:
            return fmt::format(
                "{}: the work of its users is as that of {:.1f} equal ones, so that weeks "
                "without one of them differ much and intervals of logs like it may be too "
                "short. Take a longer part of it by 'from' and 'before'",
                settings.file,
                models::trace::effective_users(log.jobs).value_or(0)
            );
        case BlockDoubt::one_user:
            return fmt::format(
                "{}: one user brings {:.0f} % of the work, so that draws of its users tell little "
                "of other logs. Write resampling: weeks",
                settings.file,
                100 * blocks.largest_share
            );
        case BlockDoubt::few_equal_users:
            return fmt::format(
                "{}: the work of its {} users is as that of {:.1f} equal ones, too few to tell "
                "of other logs. Write resampling: weeks",
                settings.file,
                blocks.count,
                blocks.effective
            );
    }
    return "";
}

std::vector<std::string> log_warnings(const Plan& plan) {
    std::set<std::string> warnings;
    for (const Cell& cell : plan.cells) {
        for (const engine::Parameters& own : facts_of(*cell.workload).logs) {
            const models::trace::TraceSettings settings(own);
            const auto log = models::trace::prepared_log(settings);
            warnings.insert(request_warning(settings.file, *log));
            warnings.insert(left_out_warning(settings, *log));
            warnings.insert(oddity_warning(settings.file, *log));
            warnings.insert(left_warning(settings.file, *log));
            warnings.insert(period_warning(settings, *log));
            warnings.insert(resampling_warning(settings, *log));
        }
    }
    warnings.erase("");
    return {warnings.begin(), warnings.end()};
}

}  // namespace

std::vector<std::string> plan_warnings(const Plan& plan) {
    std::vector<std::string> all;
    for (auto* warnings :
         {default_times_warnings,
          overload_warnings,
          short_run_warnings,
          log_warnings,
          slowdown_warnings,
          variance_warnings,
          control_warnings}) {
        for (std::string& warning : warnings(plan)) {
            all.push_back(std::move(warning));
        }
    }
    return all;
}

}  // namespace schedfarm::app
