#include "engine/simulation/kernel/twin_queues.hpp"

#include <algorithm>
#include <utility>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

TwinQueues::TwinQueues(WorkloadModel& jobs, const Horizon& horizon, std::vector<double> loads)
    : VersionOfWorkload(jobs), jobs_(jobs), horizon_(horizon), loads_(std::move(loads)) {
    SCHEDFARM_EXPECT(loads_.size() <= most, "a cell of more twins");
    if (loads_.empty()) {
        return;
    }
    const WorkloadTraits& means = jobs.traits();
    per_work_ = 1 / (*means.mean_size * *means.mean_service_time);
    for (std::size_t k = 0; k < loads_.size(); ++k) {
        rate_[k / 2][k % 2] = 1 / (*means.mean_interarrival_time * loads_[k]);
    }
}

WorkloadModel& TwinQueues::jobs() {
    return loads_.empty() ? jobs_ : *this;
}

void TwinQueues::next(JobBlock& block) {
    jobs_.next(block);
    const std::uint64_t end = std::min<std::uint64_t>(block.count, horizon_.jobs - seen_);
    const std::uint64_t unmeasured = std::max(horizon_.warm_up_jobs, seen_) - seen_;
    const std::uint64_t from = std::min(unmeasured, end);
    serve(block, 0, from, 0);
    serve(block, from, end, 1);
    seen_ += end;
}

/// The jobs first … end − 1 of a block. `counts`: 1 where they are measured, else 0.
void TwinQueues::serve(const JobBlock& block, std::size_t first, std::size_t end, double counts) {
    const Each rate = rate_;
    const double per_work = per_work_;
    Each now = wait_;
    Each total = sum_;
    double submit = last_submit_;
    double work = last_work_;
    for (std::size_t i = first; i < end; ++i) {
        const double gap = block.submit_time[i] - submit;
        for (std::size_t k = 0; k < rate.size(); ++k) {
            const Pair wait = now[k] + (work - gap * rate[k]);
            now[k] = wait > 0 ? wait : Pair{};
            total[k] += counts * now[k];
        }
        submit = block.submit_time[i];
        work = block.size[i] * block.service_time[i] * per_work;
    }
    wait_ = now;
    sum_ = total;
    last_submit_ = submit;
    last_work_ = work;
}

std::vector<double> TwinQueues::mean_waits() const {
    SCHEDFARM_EXPECT(loads_.empty() || seen_ == horizon_.jobs, "not every job was drawn");
    std::vector<double> means;
    for (std::size_t k = 0; k < loads_.size(); ++k) {
        means.push_back(
            sum_[k / 2][k % 2] / static_cast<double>(horizon_.jobs - horizon_.warm_up_jobs)
        );
    }
    return means;
}

}  // namespace schedfarm::engine
