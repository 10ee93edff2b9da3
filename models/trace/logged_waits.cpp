#include "models/trace/logged_waits.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "models/trace/prepared_log.hpp"
#include "models/trace/summary/bands.hpp"
#include "models/trace/trace_settings.hpp"

namespace schedfarm::models::trace {

namespace {

constexpr std::size_t most_names = 20;

/// "partition gpu" of a log with texts, else "queue 3 (night)", "queue 3", "queue not known".
std::string label_of(const Log& log, Field field, const std::string& kind, std::int64_t number) {
    const std::string text = log.name_of(field, number);
    if (number < 0) {
        return kind + " not known";
    }
    if (log.names.contains(field) && !text.empty()) {
        return kind + " " + text;
    }
    return fmt::format("{} {}{}", kind, number, text.empty() ? "" : " (" + text + ")");
}

std::string starter(const Log& /*log*/, Field /*field*/, const std::string&, std::int64_t number) {
    constexpr std::array names{"not known", "main scheduler", "backfill", "at submission"};
    return names.at(static_cast<std::size_t>(std::clamp<std::int64_t>(number, -1, 2) + 1));
}

/// Nothing where all jobs have one value without a text.
template <typename Values, typename Name>
void add_labels(
    const std::string& kind,
    const Log& log,
    Field field,
    const Values& values,
    const JobList& jobs,
    Name name,
    std::vector<JobLabels>& labels
) {
    std::map<std::int64_t, std::uint32_t> places;
    for (const std::uint32_t row : jobs.row) {
        places.emplace(values[row], 0);
    }
    if (places.size() < 2
        && (jobs.size() == 0 || places.begin()->first < 0 || !log.names.contains(field))) {
        return;
    }
    JobLabels found{.kind = kind, .names = {}, .of_job = {}};
    for (auto& [number, place] : places) {
        place = static_cast<std::uint32_t>(found.names.size());
        found.names.push_back(name(log, field, kind, number));
    }
    for (const std::uint32_t row : jobs.row) {
        found.of_job.push_back(places.at(values[row]));
    }
    labels.push_back(std::move(found));
}

void add_groups(const JobLabels& labels, std::vector<JobGroup>& groups) {
    std::vector<JobGroup> found(labels.names.size());
    for (std::size_t job = 0; job < labels.of_job.size(); ++job) {
        found[labels.of_job[job]].jobs.push_back(static_cast<std::uint32_t>(job));
    }
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < found.size(); ++i) {
        found[i].kind = labels.kind;
        found[i].name = labels.names[i];
        sizes.push_back(found[i].jobs.size());
    }
    std::sort(sizes.rbegin(), sizes.rend());
    const std::size_t fewest = sizes.size() > most_names ? sizes[most_names - 1] : 0;
    JobGroup others{.kind = labels.kind, .name = "", .jobs = {}};
    std::size_t kept = 0;
    std::size_t joined = 0;
    for (JobGroup& group : found) {
        if (group.jobs.size() >= fewest && kept < most_names) {
            groups.push_back(std::move(group));
            ++kept;
        } else {
            others.jobs.insert(others.jobs.end(), group.jobs.begin(), group.jobs.end());
            ++joined;
        }
    }
    if (joined > 0) {
        others.name = fmt::format("{} others", joined);
        std::sort(others.jobs.begin(), others.jobs.end());
        groups.push_back(std::move(others));
    }
}

/// Groups by band; `values` one of each job.
template <typename Values>
void add_groups(
    const char* kind,
    const std::vector<Band>& bands,
    const Values& values,
    std::vector<JobGroup>& groups
) {
    const std::size_t first = groups.size();
    for (const Band& band : bands) {
        groups.push_back({.kind = kind, .name = band.name, .jobs = {}});
    }
    for (std::size_t job = 0; job < values.size(); ++job) {
        groups[first + band_of(bands, values[job])].jobs.push_back(static_cast<std::uint32_t>(job));
    }
}

}  // namespace

LoggedWaits logged_waits(const Log& log, const JobList& jobs, WaitGroups groups) {
    LoggedWaits logged{.wait_s = {}, .groups = groups, .run_s = {}, .labels = {}};
    if (log.wait_time.is_given()) {
        logged.wait_s = Column<double>::made(jobs.size(), [&](std::size_t job) {
            const double start = log.start(jobs.row[job]);
            return start < 0 ? -1 : std::max(-1.0, start - jobs.submit[job]);
        });
    }
    if (groups == WaitGroups::all_jobs) {
        return logged;
    }
    for (const std::uint32_t row : jobs.row) {
        logged.run_s.push_back(log.run_time[row]);
    }
    const auto add = [&](const std::string& kind, Field field, const auto& values, auto name) {
        add_labels(kind, log, field, values, jobs, name, logged.labels);
    };
    add("partition", Field::partition, log.partition, label_of);
    add("queue", Field::queue, log.queue, label_of);
    add("QOS", Field::quality, log.quality, label_of);
    add("started by", Field::started_by, log.started_by, starter);
    return logged;
}

std::vector<JobGroup> job_groups(const JobList& jobs, const LoggedWaits& logged) {
    std::vector<JobGroup> groups(1);
    groups.front().kind = "all";
    groups.front().name = "all jobs";
    groups.front().jobs.resize(jobs.size());
    std::iota(groups.front().jobs.begin(), groups.front().jobs.end(), 0U);
    if (logged.groups == WaitGroups::all_jobs) {
        return groups;
    }
    for (const JobLabels& each : logged.labels) {
        if (each.names.size() > 1) {
            add_groups(each, groups);
        }
    }
    add_groups("size", size_bands(jobs), jobs.processors, groups);
    add_groups("run time", run_time_bands(), logged.run_s, groups);
    return groups;
}

bool is_own_replay(
    const TraceSettings& settings, const PreparedLog& log, std::uint32_t processors
) {
    const Selection& selection = settings.selection;
    const bool has_all_sizes = selection.size.low <= 1 && selection.size.high >= processors;
    // A dense log begins on an empty machine, too.
    const bool has_all_dates =
        settings.extent == Extent::dense || (settings.from.empty() && settings.before.empty());
    return settings.resampling == Resampling::none && settings.shake_s == 0
           && settings.load_factor == 1 && has_all_dates && has_all_sizes
           && selection.run_time.is_everything() && selection.cpu_time.is_everything()
           && selection.statuses.empty() && log.machine.value_or(processors) == processors;
}

std::vector<engine::GroupAgreement> compared_waits(
    const PreparedLog& log, std::span<const double> submit, std::span<const double> start
) {
    std::vector<engine::GroupAgreement> compared;
    std::vector<JobGroup> groups = job_groups(log.jobs, log.logged);
    for (JobGroup& group : groups) {
        std::vector<double> logged;
        std::vector<double> simulated;
        logged.reserve(group.jobs.size());
        simulated.reserve(group.jobs.size());
        for (const std::uint32_t job : std::exchange(group.jobs, {})) {
            const double wait = log.logged.wait_s.size() == 0 ? -1 : log.logged.wait_s[job];
            if (wait >= 0) {
                logged.push_back(wait);
                simulated.push_back(start[job] - submit[job]);
            }
        }
        if (!logged.empty() || compared.empty()) {
            compared.push_back(
                {group.kind,
                 group.name,
                 engine::agreement(std::move(logged), std::move(simulated), same_wait)}
            );
        }
        if (compared.front().values.n == 0) {
            return compared;
        }
    }
    return compared;
}

}  // namespace schedfarm::models::trace
