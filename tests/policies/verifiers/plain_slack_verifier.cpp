#include <algorithm>

#include "tests/policies/verifiers/plain_verifiers.hpp"
#include "tests/policies/verifiers/plan_verifier.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

bool is_planned_before(const ListedJob& a, const ListedJob& b) {
    return a.begin < b.begin || (a.begin == b.begin && a.index < b.index);
}

class SlackVerifier final : public PlanVerifier {
  public:
    SlackVerifier(const SlackSettings& settings, const SystemDescription& system)
        : PlanVerifier(settings.simultaneous, settings.run_time, system), settings_(settings) {}

  private:
    // An advance reservation is taken where no instant of it lacks processors.
    void arrive(const ListedJob& arrived) override {
        ListedJob job = arrived;
        job.begin = job.fixed_start;
        job.latest = job.fixed_start;
        job.is_booked = true;
        JobList all = fixed_;
        all.insert(all.end(), plan_.begin(), plan_.end());
        if (job.fixed_start >= now() && fits(all, job, processors())) {
            fixed_.push_back(job);
        } else {
            newcomers_.push_back(arrived);
        }
    }

    void complete(std::uint64_t index) override {
        const auto done = std::find_if(fixed_.begin(), fixed_.end(), [index](const ListedJob& job) {
            return job.index == index;
        });
        freed_ = freed_ || done->end() > now();
        fixed_.erase(done);
    }

    void pass() override {
        if (freed_) {
            compress();
        }
        start_due();
        for (const ListedJob& job : newcomers_) {
            insert(job);
            start_due();
        }
        newcomers_.clear();
    }

    void compress() {
        freed_ = false;
        for (std::size_t i = 0; i < plan_.size(); ++i) {
            JobList others = fixed_;
            for (std::size_t j = 0; j < plan_.size(); ++j) {
                if (j != i) {
                    others.push_back(plan_[j]);
                }
            }
            plan_[i].begin =
                std::min(plan_[i].begin, earliest_begin(others, plan_[i], now(), processors()));
        }
        std::sort(plan_.begin(), plan_.end(), is_planned_before);
    }

    /// The plan with the newcomer ahead of the last `moved` jobs; empty: one would be too late.
    JobList candidate(const ListedJob& newcomer, std::size_t moved) const {
        const auto first = plan_.end() - static_cast<std::ptrdiff_t>(moved);
        JobList taken = fixed_;
        taken.insert(taken.end(), plan_.begin(), first);
        JobList result(plan_.begin(), first);
        JobList rest{newcomer};
        rest.insert(rest.end(), first, plan_.end());
        for (ListedJob& job : rest) {
            job.begin = earliest_begin(taken, job, now(), processors());
            if (job.begin > job.latest) {
                return {};
            }
            taken.push_back(job);
            result.push_back(job);
        }
        return result;
    }

    static double cost(JobList plan) {
        std::sort(plan.begin(), plan.end(), [](const ListedJob& a, const ListedJob& b) {
            return a.index < b.index;
        });
        double sum = 0;
        for (const ListedJob& job : plan) {
            sum += slack_weight(job.priority) * job.begin;
        }
        return sum;
    }

    void insert(const ListedJob& newcomer) {
        JobList best = candidate(newcomer, 0);
        for (std::size_t moved = 1; moved <= std::min<std::size_t>(settings_.moves, plan_.size());
             ++moved) {
            const JobList trial = candidate(newcomer, moved);
            if (!trial.empty() && cost(trial) < cost(best)) {
                best = trial;
            }
        }
        plan_ = best;
        for (ListedJob& job : plan_) {
            if (job.index == newcomer.index) {
                job.latest = job.begin + slack(job);
            }
        }
        std::sort(plan_.begin(), plan_.end(), is_planned_before);
    }

    double slack(const ListedJob& job) const {
        const double mean = started_ > 0 ? waited_ / static_cast<double>(started_) : 0;
        return settings_.slack_factor
               * (settings_.measure == SlackMeasure::average_wait ? mean : job.duration)
               / slack_weight(job.priority);
    }

    void start_due() {
        for (ListedJob& job : fixed_) {
            if (!job.runs && job.begin <= now()) {
                expect_start(job);
                job.runs = true;
            }
        }
        while (!plan_.empty() && plan_.front().begin <= now()) {
            ListedJob job = plan_.front();
            plan_.erase(plan_.begin());
            expect_start(job);
            job.runs = true;
            fixed_.push_back(job);
            waited_ += now() - job.submit_time;
            ++started_;
        }
    }

    SlackSettings settings_;
    JobList fixed_;      // what runs, started at its planned start, and what is booked
    JobList plan_;       // what waits, by planned start
    JobList newcomers_;  // since the last pass
    bool freed_ = false;
    double waited_ = 0;
    std::uint64_t started_ = 0;
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_slack_verifier(
    const SlackSettings& settings, const SystemDescription& system
) {
    return std::make_unique<SlackVerifier>(settings, system);
}

}  // namespace schedfarm::tests
