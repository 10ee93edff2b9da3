#include "engine/simulation/logs/by_submission.hpp"

#include <algorithm>
#include <numeric>

namespace schedfarm::engine {

std::vector<std::size_t> rows_by_submission(const JobLog& log) {
    std::vector<std::size_t> rows(log.jobs());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::ranges::stable_sort(rows, {}, [&log](std::size_t row) { return log.submit[row]; });
    return rows;
}

JobLog picked(const JobLog& log, const std::vector<std::size_t>& rows) {
    JobLog result;
    for (const std::size_t row : rows) {
        result.submit.push_back(log.submit[row]);
        result.start.push_back(log.start[row]);
        result.finish.push_back(log.finish[row]);
        result.service.push_back(log.service[row]);
        result.size.push_back(log.size[row]);
        if (!log.job_class.empty()) {
            result.job_class.push_back(log.job_class[row]);
        }
        if (!log.offered.empty()) {
            result.offered.push_back(log.offered[row]);
        }
    }
    return result;
}

}  // namespace schedfarm::engine
