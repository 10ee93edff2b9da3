#include "engine/simulation/kernel/dependent_jobs.hpp"

#include <algorithm>
#include <span>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/special_values.hpp"

namespace schedfarm::engine {

DependentJobs::DependentJobs(
    JobStream& jobs, const DependentWorkload& workload, const RunEnd& end
) {
    const auto has_another = [&](std::uint64_t drawn) {
        return end.needs_more(drawn)
               || (end.admits_more(drawn) && !end.is_too_much(drawn, 0) && jobs.has_next());
    };
    while (has_another(jobs_.size())) {
        jobs_.push_back(jobs.take());
        const std::span<const std::uint32_t> own = jobs_.back().components;
        components_.insert(components_.end(), own.begin(), own.end());
    }
    std::size_t first = 0;
    for (Job& job : jobs_) {
        job.components = std::span(components_).subspan(first, job.components.size());
        first += job.components.size();
        dependences_.push_back(workload.dependence(job.index));
        if (end.needs_more(dependences_.back().preceding)) {
            followers_.push_back(job.index);
        } else {
            arrivals_.emplace(job.submit_time, job.index);
        }
    }
    std::ranges::stable_sort(followers_, {}, [this](std::uint64_t index) {
        return dependences_[index].preceding;
    });
}

double DependentJobs::next_submit() const {
    return arrivals_.empty() ? infinity : arrivals_.top().first;
}

Job DependentJobs::take() {
    SCHEDFARM_EXPECT(!arrivals_.empty(), "a job was taken whose arrival is not known");
    const auto [time, index] = arrivals_.top();
    arrivals_.pop();
    jobs_[index].submit_time = time;
    return jobs_[index];
}

void DependentJobs::end(std::uint64_t index, double time) {
    const auto followers =
        std::ranges::equal_range(followers_, index, {}, [this](std::uint64_t follower) {
            return dependences_[follower].preceding;
        });
    for (const std::uint64_t follower : followers) {
        const double think_time = dependences_[follower].think_time;
        const double latest = std::max(time, jobs_[follower].submit_time);
        arrivals_.emplace(think_time >= 0 ? time + think_time : latest, follower);
    }
}

}  // namespace schedfarm::engine
