#include "engine/simulation/logs/job_log.hpp"

#include <limits>

#include "engine/simulation/measurement/recorder.hpp"

namespace schedfarm::engine {

void JobLog::begin(std::size_t jobs) {
    start.clear();
    left_sooner = 0;
    offered.clear();
    job_class.clear();
    grow(jobs);
}

void JobLog::grow(std::size_t jobs) {
    submit.resize(jobs);
    start.resize(jobs, std::numeric_limits<double>::quiet_NaN());
    finish.resize(jobs);
    service.resize(jobs);
    size.resize(jobs);
    job_class.resize(job_class.empty() ? 0 : jobs);
    offered.resize(offered.empty() ? 0 : jobs, std::numeric_limits<double>::quiet_NaN());
}

void JobLog::add(const JobRecord& record) {
    const std::size_t job = record.index;
    if (job >= jobs()) {
        grow(job + 1);
    }
    submit[job] = record.submit_time;
    start[job] = record.start_time;
    finish[job] = record.finish_time;
    service[job] = record.service_time;
    size[job] = record.size;
    if (record.job_class != 0 || !job_class.empty()) {
        job_class.resize(jobs());
        job_class[job] = record.job_class;
    }
}

void JobLog::add_offer(std::size_t job, double earliest_start) {
    if (job >= jobs()) {
        grow(job + 1);
    }
    offered.resize(jobs(), std::numeric_limits<double>::quiet_NaN());
    offered[job] = earliest_start;
}

}  // namespace schedfarm::engine
