// The jobs of a log as a campaign asks for them. A campaign uses one log in many cells and
// replications, so the last few are kept; what is kept never changes a result, because its key
// holds the settings and the file's place, size and time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/trace/dependencies.hpp"
#include "models/trace/job_list.hpp"
#include "models/trace/log.hpp"
#include "models/trace/logged_waits.hpp"
#include "models/trace/reading/reader.hpp"
#include "models/trace/resampling.hpp"
#include "models/trace/row_columns.hpp"
#include "models/trace/selection.hpp"
#include "models/trace/summary/log_period.hpp"
#include "models/trace/summary/oddity.hpp"
#include "models/trace/trace_settings.hpp"

namespace schedfarm::models::trace {

struct PreparedLog {
    std::string sha256;  ///< of the log's text; empty where it was not asked for
    JobList jobs;
    JobList left;            ///< those that left while they waited, and are simulated; SelectedJobs
    UserSequences users;     ///< of the jobs; only where users are resampled
    RowColumns columns;      ///< what else is known of the jobs
    RequestColumn requests;  ///< likewise
    Dependencies dependencies;  ///< of the jobs; none where they are ignored
    double clock = 0;           ///< Unix time of its second 0; 0: not known
    WholeWeeks weeks;           ///< from Mondays or its first submit; dense_weeks() where asked
    std::uint32_t max_size = 0;
    double offered_area_per_s = 0;  ///< processors in use on average: the load; 0: not known

    std::uint64_t lines = 0;                               ///< jobs of the log, kept or not
    std::array<std::uint64_t, dropped_reasons> dropped{};  ///< by reason
    std::vector<Oddity> oddities;                          ///< of the log, whatever is kept of it
    LogPeriod period;         ///< of the jobs that the dates keep; in which it is dense
    std::string period_text;  ///< what lies outside of it; empty: nothing, or it is left out
    LoggedWaits logged;       ///< only where nothing is resampled
    std::optional<std::uint32_t> machine;  ///< its processors, where the log says so
    std::uint64_t cut = 0;  ///< jobs that run shorter than the log says: killed at their request
};

/// The log of that name: a path, a name in the folder $SCHEDFARM_TRACES, or `example`. Throws
/// LogError: no such file, no log. With settings, also a path from their folder.
Log opened_log(const std::string& file, const Reading& reading = {});
/// The same of the settings' name, with at least the columns that are kept, and with its sha256
/// where they ask for one; also throws LogError for another than they say.
Log opened_log(
    const TraceSettings& settings,
    FieldSet kept = FieldSet::all(),
    Checksum checksum = Checksum::none
);

/// Throws LogError where the log is a pipe or the like, of which nothing is left to be read again;
/// also where there is none.
void expect_readable_again(const TraceSettings& settings);

/// Those jobs of the log that the settings keep, before any resampling, and why others are not;
/// where they name no dates, those of the period.
/// Throws LogError for a date without a clock.
SelectedJobs selected_jobs(
    const Log& log, const TraceSettings& settings, const LogPeriod& period = {}
);

/// The parameters of the model `trace` with the sha256 of the log that is there now, where they
/// have none. Reads nothing where its jobs were prepared with their sha256. Throws LogError as
/// prepared_log() does.
engine::Parameters checksummed(const engine::Parameters& parameters);

/// Throws LogError: no such file, no log, another sha256, a date without a clock, no jobs kept, too
/// short for the resampling. May be called from several threads. `checksum`: to be told even where
/// any log is accepted; who notes its checksum later asks for it at once, or it is read again.
/// Likewise `groups`, of its waits.
std::shared_ptr<const PreparedLog> prepared_log(
    const TraceSettings& settings,
    Checksum checksum = Checksum::none,
    WaitGroups groups = WaitGroups::all_jobs
);

}  // namespace schedfarm::models::trace
