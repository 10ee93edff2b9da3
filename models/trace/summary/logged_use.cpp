#include "models/trace/summary/logged_use.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace schedfarm::models::trace {

namespace {

struct Change {
    double time = 0;
    std::int64_t processors = 0;
    std::int64_t job = -1;
};

std::vector<Change> changes_of(const Log& log, const JobList& jobs) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        // A wait is counted from the submission, which may be earlier than the job's arrival here.
        const double start = log.start(jobs.row[i]);
        if (start >= 0) {
            const std::int64_t size = jobs.processors[i];
            const std::int64_t job = log.job_number[jobs.row[i]];
            changes.push_back({start, size, job});
            changes.push_back({start + jobs.run[i], -size, job});
        }
    }
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return std::tuple(a.time, a.processors > 0) < std::tuple(b.time, b.processors > 0);
    });
    return changes;
}

}  // namespace

std::optional<LoggedUse> logged_use(const Log& log, const JobList& jobs, std::uint32_t machine) {
    const std::vector<Change> changes = changes_of(log, jobs);
    if (changes.empty()) {
        return std::nullopt;
    }
    LoggedUse use;
    std::int64_t in_use = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        in_use += changes[i].processors;
        use.most_processors = std::max(use.most_processors, static_cast<std::uint64_t>(in_use));
        if (machine > 0 && in_use > machine) {
            const double until = i + 1 < changes.size() ? changes[i + 1].time : changes[i].time;
            use.beyond_machine_s += until - changes[i].time;
            use.first_job_beyond =
                use.first_job_beyond == -1 ? changes[i].job : use.first_job_beyond;
        }
    }
    return use;
}

}  // namespace schedfarm::models::trace
