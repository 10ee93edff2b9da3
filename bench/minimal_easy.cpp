#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <vector>

#include "engine/foundation/special_values.hpp"

#include "bench/minimal_loops.hpp"

namespace schedfarm::bench {

namespace {

using engine::infinity;

/// The queue holds what a scan reads; the running jobs lie in a heap by finish, their planned ends
/// in a sorted vector.
class MinimalEasy {
  public:
    MinimalEasy(const models::trace::JobList& jobs, std::uint32_t processors)
        : jobs_(jobs), free_(processors) {}

    double run() {
        for (std::size_t next = 0; next < jobs_.size() || !queue_.empty();) {
            double now = running_.empty() ? infinity : running_.top().finish;
            if (next < jobs_.size()) {
                now = std::min(now, jobs_.submit[next]);
            }
            for (; !running_.empty() && running_.top().finish <= now; running_.pop()) {
                end(running_.top());
            }
            for (; next < jobs_.size() && jobs_.submit[next] <= now; ++next) {
                queue_.push_back({next, jobs_.processors[next], jobs_.request[next]});
            }
            pass(now);
        }
        return response_sum_ / static_cast<double>(jobs_.size());
    }

  private:
    struct Waiting {
        std::size_t job;
        std::int64_t size;
        double request;
    };
    struct Running {
        double finish;
        double planned_end;
        std::int64_t size;
        bool operator>(const Running& other) const { return finish > other.finish; }
    };
    struct PlannedEnd {
        double time;
        std::int64_t size;
        bool operator<(const PlannedEnd& other) const { return time < other.time; }
    };

    void start(const Waiting& job, double now) {
        const double finish = now + jobs_.run[job.job];
        const PlannedEnd end{now + job.request, job.size};
        free_ -= job.size;
        running_.push({finish, end.time, job.size});
        ends_.insert(std::upper_bound(ends_.begin(), ends_.end(), end), end);
        response_sum_ += finish - jobs_.submit[job.job];
    }

    void end(const Running& job) {
        free_ += job.size;
        auto at = std::lower_bound(ends_.begin(), ends_.end(), PlannedEnd{job.planned_end, 0});
        while (at->size != job.size) {
            ++at;
        }
        ends_.erase(at);
    }

    void pass(double now) {
        auto head = queue_.begin();
        for (; head != queue_.end() && head->size <= free_; ++head) {
            start(*head, now);
        }
        queue_.erase(queue_.begin(), head);
        if (queue_.size() > 1 && free_ > 0) {
            overtake(now);
        }
    }

    void overtake(double now) {
        double shadow = infinity;
        std::int64_t extra = free_ - queue_.front().size;
        for (const PlannedEnd& end : ends_) {
            if (extra >= 0 && end.time > shadow) {
                break;
            }
            extra += end.size;
            shadow = end.time;
        }
        const auto starts = [&](const Waiting& job) {
            const bool ends_in_time = now + job.request <= shadow;
            if (job.size > free_ || (!ends_in_time && job.size > extra)) {
                return false;
            }
            extra -= ends_in_time ? 0 : job.size;
            start(job, now);
            return true;
        };
        queue_.erase(std::remove_if(queue_.begin() + 1, queue_.end(), starts), queue_.end());
    }

    const models::trace::JobList& jobs_;
    std::int64_t free_;
    std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
    std::vector<PlannedEnd> ends_;
    std::vector<Waiting> queue_;
    double response_sum_ = 0;
};

}  // namespace

double minimal_easy(const models::trace::JobList& jobs, std::uint32_t processors) {
    return MinimalEasy(jobs, processors).run();
}

}  // namespace schedfarm::bench
