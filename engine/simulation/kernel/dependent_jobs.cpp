#include "engine/simulation/kernel/dependent_jobs.hpp"

#include <algorithm>
#include <span>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/special_values.hpp"

namespace schedfarm::engine {

DependentJobs::DependentJobs(
    JobStream& jobs,
    const DependentWorkload& workload,
    const RunEnd& end,
    const PolicyTraits& policy
)
    : throttles_arrays_(policy.throttles_arrays) {
    const auto has_another = [&](std::uint64_t drawn) {
        return end.needs_more(drawn)
               || (end.admits_more(drawn) && !end.is_too_much(drawn, 0) && jobs.has_next());
    };
    const auto keep = [this](const Job& job) {
        jobs_.push_back(job);
        components_.insert(components_.end(), job.components.begin(), job.components.end());
    };
    while (has_another(jobs_.size())) {
        keep(jobs.take());
    }
    for (const Job& job : jobs_) {
        dependences_.push_back(workload.dependence(job.index));
    }
    if (policy.takes_withdrawals) {
        for (LeavingJob& one : workload.leaving()) {
            one.job.index = jobs_.size();
            keep(one.job);
            leave_.push_back(one.leaves);
        }
    }
    names_.resize(leave_.size());
    is_gone_.resize(leave_.size());
    std::size_t first = 0;
    for (Job& job : jobs_) {
        job.components = std::span(components_).subspan(first, job.components.size());
        first += job.components.size();
        if (job.index < dependences_.size()) {
            add_followers(job.index, end);
        } else {
            arrivals_.emplace(job.submit_time, job.index);
        }
    }
    std::ranges::sort(followers_);
}

void DependentJobs::add_followers(std::uint64_t index, const RunEnd& end) {
    const Dependence& dependence = dependences_[index];
    waits_for_.push_back(0);
    const auto add = [&](std::uint64_t preceding) {
        if (end.needs_more(preceding)) {
            followers_.emplace_back(preceding, index);
            ++waits_for_[index];
        }
    };
    add(dependence.preceding);
    std::ranges::for_each(dependence.also, add);
    const bool is_task = throttles_arrays_ && dependence.earlier_task > 0;
    if (waits_for_[index] == 0) {
        const double ahead = is_task ? dependence.earlier_task : 0;
        arrivals_.emplace(std::max(0.0, jobs_[index].submit_time - ahead), index);
    }
}

double DependentJobs::next_submit() const {
    return arrivals_.empty() ? infinity : arrivals_.top().first;
}

Job DependentJobs::take() {
    SCHEDFARM_EXPECT(!arrivals_.empty(), "a job was taken whose arrival is not known");
    const auto [time, index] = arrivals_.top();
    arrivals_.pop();
    Job& job = jobs_[index];
    if (job.request != nullptr && job.submit_time != time) {  // it was submitted when it was
        SubmittedRequest& moved = requests_.emplace_back(*job.request);
        moved.submitted_before_s = std::max(0.0, moved.submitted_before_s + time - job.submit_time);
        job.request = &moved;
    }
    job.submit_time = time;
    return job;
}

void DependentJobs::came(std::uint64_t index, JobId id) {
    if (index >= dependences_.size()) {
        names_[index - dependences_.size()] = id;
        leaves_.emplace(leave_[index - dependences_.size()], index);
    }
}

void DependentJobs::end(std::uint64_t index, double time) {
    if (index >= dependences_.size()) {
        is_gone_[index - dependences_.size()] = true;
        ++left_sooner_;
        return;
    }
    const auto of_it = std::ranges::equal_range(followers_, index, {}, &Follower::first);
    for (const auto& [preceding, follower] : of_it) {
        if (--waits_for_[follower] > 0) {
            continue;
        }
        const Dependence& dependence = dependences_[follower];
        const double ahead = throttles_arrays_
                                 ? std::max(dependence.earlier, dependence.earlier_task)
                                 : dependence.earlier;
        const double latest = std::max(time, jobs_[follower].submit_time - ahead);
        arrivals_.emplace(
            dependence.think_time >= 0 ? time + dependence.think_time : latest, follower
        );
    }
}

double DependentJobs::next_leave() {
    while (!leaves_.empty() && is_gone_[leaves_.top().second - dependences_.size()]) {
        leaves_.pop();
    }
    return leaves_.empty() ? infinity : leaves_.top().first;
}

JobId DependentJobs::take_leave() {
    const std::uint64_t number = leaves_.top().second - dependences_.size();
    leaves_.pop();
    is_gone_[number] = true;
    return names_[number];
}

}  // namespace schedfarm::engine
