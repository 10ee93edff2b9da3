#include "engine/simulation/measurement/fair_start.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/logs/by_submission.hpp"

namespace schedfarm::engine {

namespace {

/// Processors that become free together.
struct Release {
    double time;
    std::int64_t processors;
    friend bool operator>(const Release& a, const Release& b) { return a.time > b.time; }
};

/// Starts jobs one after the other, each when enough processors are free.
class ListSchedule {
  public:
    explicit ListSchedule(std::int64_t free) : free_(free) {}

    void add_running(double finish, std::int64_t processors) {
        free_ -= processors;
        releases_.push({finish, processors});
    }

    double add_waiting(double earliest, double service, std::int64_t processors) {
        now_ = std::max(now_, earliest);
        while (free_ < processors || (!releases_.empty() && releases_.top().time <= now_)) {
            now_ = std::max(now_, releases_.top().time);
            free_ += releases_.top().processors;
            releases_.pop();
        }
        add_running(now_ + service, processors);
        return now_;
    }

  private:
    std::int64_t free_;
    double now_ = 0;
    std::priority_queue<Release, std::vector<Release>, std::greater<>> releases_;
};

/// Goes through the submissions in order and knows which jobs wait and run at each.
class FairStarts {
  public:
    FairStarts(const JobLog& log, std::uint32_t processors)
        : log_(log), processors_(processors), starts_(log.jobs()), schedule_(processors) {
        starts_.resize(log.jobs());
        std::iota(starts_.begin(), starts_.end(), std::size_t{0});
        std::stable_sort(starts_.begin(), starts_.end(), [&](std::size_t a, std::size_t b) {
            return log.start[a] < log.start[b];
        });
    }

    std::vector<double> all() {
        planned_.resize(log_.jobs());
        std::vector<double> fair(log_.jobs());
        for (std::size_t job = 0; job < log_.jobs(); ++job) {
            SCHEDFARM_EXPECT(log_.has(job), "every job of the log has a record");
            SCHEDFARM_EXPECT(log_.size[job] <= processors_, "a job is larger than the machine");
            advance(log_.submit[job]);
            if (!is_as_planned_) {
                plan_anew(log_.submit[job]);
            }
            fair[job] = plan(job, log_.submit[job]);
            waiting_.push_back(job);
        }
        return fair;
    }

  private:
    double plan(std::size_t job, double now) {
        planned_[job] = schedule_.add_waiting(now, log_.service[job], log_.size[job]);
        return planned_[job];
    }

    /// Lets the jobs start that did before `now`.
    void advance(double now) {
        for (; next_start_ < starts_.size() && log_.start[starts_[next_start_]] < now;
             ++next_start_) {
            const std::size_t job = starts_[next_start_];
            is_as_planned_ = is_as_planned_ && log_.start[job] == planned_[job]
                             && log_.finish[job] == log_.start[job] + log_.service[job];
            waiting_.erase(std::lower_bound(waiting_.begin(), waiting_.end(), job));
            running_.push_back(job);
        }
        is_as_planned_ = is_as_planned_ && (waiting_.empty() || planned_[waiting_.front()] >= now);
    }

    void plan_anew(double now) {
        std::erase_if(running_, [&](std::size_t job) { return log_.finish[job] <= now; });
        schedule_ = ListSchedule(processors_);
        for (const std::size_t job : running_) {
            schedule_.add_running(log_.finish[job], log_.size[job]);
        }
        for (const std::size_t job : waiting_) {
            plan(job, now);
        }
        is_as_planned_ = true;
    }

    const JobLog& log_;
    std::int64_t processors_;
    std::vector<std::size_t> starts_;  // jobs in the order of their starts
    std::size_t next_start_ = 0;
    std::vector<std::size_t> waiting_;  // ascending
    std::vector<std::size_t> running_;  // and some that have finished
    ListSchedule schedule_;             // of all submitted so far
    std::vector<double> planned_;       // the starts in it
    bool is_as_planned_ = true;
};

}  // namespace

std::vector<double> fair_starts(const JobLog& log, std::uint32_t processors) {
    if (std::is_sorted(log.submit.begin(), log.submit.end())) {
        return FairStarts(log, processors).all();
    }
    const std::vector<std::size_t> rows = rows_by_submission(log);
    const JobLog sorted = picked(log, rows);
    const std::vector<double> of_sorted = FairStarts(sorted, processors).all();
    std::vector<double> fair(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        fair[rows[i]] = of_sorted[i];
    }
    return fair;
}

}  // namespace schedfarm::engine
