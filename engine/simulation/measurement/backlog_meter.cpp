#include "engine/simulation/measurement/backlog_meter.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

BacklogMeter::BacklogMeter(const Horizon& horizon, std::uint32_t processors)
    : first_measured_(horizon.warm_up_jobs)
    , processors_(processors)
    , submit_(horizon.jobs)
    , start_(horizon.jobs)
    , work_(horizon.jobs) {
    SCHEDFARM_EXPECT(first_measured_ < horizon.jobs, "a horizon measures no job");
}

void BacklogMeter::add(std::uint64_t index, double submit, double start, double processor_time) {
    if (index < submit_.size()) {
        submit_[index] = submit;
        start_[index] = start;
        work_[index] = processor_time;
    }
}

double BacklogMeter::first_empty() const {
    std::vector<double> starts = start_;
    if (!std::is_sorted(starts.begin(), starts.end())) {
        std::sort(starts.begin(), starts.end());
    }
    // After k starts no job waits if the next one comes later than the last of them.
    for (std::size_t k = 1; k < starts.size(); ++k) {
        if (submit_[k] > starts[k - 1]) {
            return starts[k - 1];
        }
    }
    return std::numeric_limits<double>::infinity();
}

BacklogMeter::Change BacklogMeter::change() const {
    const double empty = first_empty();
    const double measured_from = submit_[first_measured_];
    const bool has_drained = empty < measured_from;
    const double end = std::min(empty, submit_.back());
    // What was there at the beginning has not come since: at time 0 jobs submitted then.
    const double begin = has_drained ? 0 : measured_from;
    double work = 0;
    for (std::size_t i = 0; i < submit_.size(); ++i) {
        const bool has_come = submit_[i] > begin && submit_[i] <= end;
        const bool was_waiting = submit_[i] <= begin && (has_drained || start_[i] > begin);
        const bool has_left = (has_come || was_waiting) && start_[i] <= end;
        work += has_come && !has_left ? work_[i] : 0;
        work -= was_waiting && has_left ? work_[i] : 0;
    }
    return {work / processors_, end - begin};
}

}  // namespace schedfarm::engine
