#include "models/trace/summary/summary.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/statistics/quantile.hpp"

#include "models/trace/logged_waits.hpp"
#include "models/trace/summary/bands.hpp"

namespace schedfarm::models::trace {

namespace {

SelectedJobs jobs_that_ran(const Log& log) {
    const Filling as_logged{
        .missing_request = RequestRule::run_time, .overrun = OverrunRule::runs_on};
    return select(log, {}, as_logged);
}

std::uint64_t distinct(std::vector<std::int64_t> values) {
    std::sort(values.begin(), values.end());
    const auto known = std::lower_bound(values.begin(), values.end(), 0);
    return static_cast<std::uint64_t>(std::unique(known, values.end()) - known);
}

std::vector<double> interarrival_times(const JobList& jobs) {
    std::vector<double> times;
    for (std::size_t i = 1; i < jobs.size(); ++i) {
        times.push_back(jobs.submit[i] - jobs.submit[i - 1]);
    }
    return times;
}

template <typename Values>
std::vector<HistogramClass> histogram(
    const JobList& jobs, const std::vector<Band>& bands, const Values& values
) {
    std::vector<HistogramClass> classes;
    for (const Band& band : bands) {
        classes.push_back({.low = band.low, .high = band.high});
    }
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        HistogramClass& found = classes[band_of(bands, values[i])];
        ++found.jobs;
        found.area += jobs.processors[i] * jobs.run[i];
    }
    return classes;
}

/// Of the jobs whose wait is known; nothing where no group has such.
std::vector<WaitGroup> wait_groups(const Log& log, const JobList& jobs) {
    const LoggedWaits logged = logged_waits(log, jobs);
    if (logged.wait_s.size() == 0) {
        return {};
    }
    std::vector<WaitGroup> groups;
    for (const JobGroup& group : job_groups(jobs, logged)) {
        std::vector<double> waits;
        for (const std::uint32_t job : group.jobs) {
            if (logged.wait_s[job] >= 0) {
                waits.push_back(logged.wait_s[job]);
            }
        }
        if (!waits.empty()) {
            groups.push_back({group.kind, group.name, distribution_of(std::move(waits))});
        }
    }
    for (const JobLabels& each : logged.labels) {
        if (each.names.size() == 1 && !groups.empty()) {
            const Distribution all = groups.front().wait;
            groups.insert(groups.begin() + 1, {each.kind, each.names.front(), all});
        }
    }
    return groups;
}

void add_cycles(LogSummary& summary, const JobList& jobs) {
    const LogClock monday{.unix_start = 345600};  // second 0 is a Monday 00:00
    const LogClock clock = summary.clock.value_or(monday);
    for (const double submit : jobs.submit) {
        const double second = second_of_week(clock, submit);
        const auto hour = static_cast<std::size_t>(second / hour_s);
        ++summary.by_hour[hour % 24];
        ++summary.by_weekday[hour / 24 % 7];
    }
}

void add_requests(LogSummary& summary, const Log& log, const JobList& jobs) {
    std::vector<double> requests;
    std::vector<double> accuracies;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const double request = log.requested_time[jobs.row[i]];
        if (request > 0) {
            requests.push_back(request);
            accuracies.push_back(jobs.run[i] / request);
        }
    }
    summary.requested_time = distribution_of(std::move(requests));
    summary.accuracy = distribution_of(std::move(accuracies));
}

void add_sizes(LogSummary& summary, const JobList& jobs) {
    std::uint64_t serial = 0;
    std::uint64_t powers = 0;
    for (const std::uint32_t size : jobs.processors) {
        serial += size == 1 ? 1U : 0U;
        powers += size > 1 && std::has_single_bit(size) ? 1U : 0U;
    }
    const auto count = static_cast<double>(std::max<std::size_t>(jobs.size(), 1));
    summary.serial_fraction = static_cast<double>(serial) / count;
    summary.power_of_two_fraction = static_cast<double>(powers) / count;
    summary.processors = distribution_of({jobs.processors.begin(), jobs.processors.end()});
    summary.by_size = histogram(jobs, size_bands(jobs), jobs.processors);
}

void add_load(LogSummary& summary, const SelectedJobs& that_ran) {
    const JobList& jobs = that_ran.jobs;
    if (jobs.size() == 0) {
        return;
    }
    summary.first_submit = jobs.submit.front();
    summary.last_submit = jobs.submit.back();
    summary.area = area(jobs);
    const double period = summary.last_submit - summary.first_submit;
    const auto machine = summary.header.processors();
    if (machine && period > 0) {
        summary.offered_load = summary.area / (*machine * period);
    }
    const auto& clock = summary.clock;
    const double first = summary.first_submit;
    summary.period = dense_period(
        that_ran, clock ? first - second_of_week(clock->without_summer_time(), first) : first
    );
    if (summary.offered_load) {
        summary.dense_load = area_per_s(jobs, summary.period) / *machine;
    }
}

}  // namespace

Distribution distribution_of(std::vector<double> values) {
    Distribution result{.jobs = values.size()};
    if (values.empty()) {
        return result;
    }
    std::sort(values.begin(), values.end());
    const auto count = static_cast<double>(values.size());
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    result.mean = sum / count;
    for (std::size_t q = 0; q < summary_shares.size(); ++q) {
        result.quantiles[q] = values[engine::quantile_place(values.size(), summary_shares[q])];
    }
    return result;
}

LogSummary summarise(const Log& log) {
    LogSummary summary;
    summary.name = log.name;
    summary.sha256 = log.sha256;
    summary.header = log.header;
    summary.clock = clock_of(log.header);
    summary.oddities = log.oddities;
    summary.jobs = log.jobs();
    for_each_column(log, [&](Field field, const auto& column) {
        if (!column.is_given()) {
            summary.never_given.push_back(field);
        }
    });
    SelectedJobs usual = select(log);
    if (usual.jobs.size() == 0
        && usual.dropped[static_cast<std::size_t>(Dropped::no_requested_time)] > 0) {
        usual = select(log, {}, {.missing_request = RequestRule::run_time});
        summary.takes_run_times = usual.jobs.size() > 0;
    }
    summary.selected = usual.jobs.size();
    summary.left = usual.left.size();
    summary.dropped = usual.dropped;

    const SelectedJobs that_ran = jobs_that_ran(log);
    const JobList& jobs = that_ran.jobs;
    summary.ran = jobs.size();
    summary.users = distinct(jobs.user.values());
    add_load(summary, that_ran);
    summary.logged_use = logged_use(log, jobs, summary.header.processors().value_or(0));
    add_sizes(summary, jobs);
    summary.run_time = distribution_of(jobs.run);
    summary.by_run_time = histogram(jobs, run_time_bands(), jobs.run);
    summary.waits = wait_groups(log, jobs);
    add_requests(summary, log, jobs);
    summary.interarrival_time = distribution_of(interarrival_times(jobs));
    add_cycles(summary, jobs);
    return summary;
}

}  // namespace schedfarm::models::trace
