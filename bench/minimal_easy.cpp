#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/foundation/special_values.hpp"

#include "bench/minimal_loops.hpp"

namespace schedfarm::bench {

namespace {

using engine::infinity;

class MinimalEasy {
  public:
    MinimalEasy(const models::trace::JobList& jobs, std::uint32_t processors)
        : jobs_(jobs), free_(processors) {}

    double run() {
        for (std::size_t next = 0; next < jobs_.size() || !queue_.empty();) {
            double now = infinity;
            if (next < jobs_.size()) {
                now = jobs_.submit[next];
            }
            for (const Running& job : running_) {
                now = std::min(now, job.finish);
            }
            finish_by(now);
            for (; next < jobs_.size() && jobs_.submit[next] <= now; ++next) {
                queue_.push_back(next);
            }
            pass(now);
        }
        return response_sum_ / static_cast<double>(jobs_.size());
    }

  private:
    struct Running {
        double finish;
        double planned_end;
        std::int64_t size;
    };

    void finish_by(double now) {
        std::erase_if(running_, [&](const Running& job) {
            free_ += job.finish <= now ? job.size : 0;
            return job.finish <= now;
        });
    }

    void start(std::size_t job, double now) {
        free_ -= jobs_.processors[job];
        running_.push_back({now + jobs_.run[job], now + jobs_.request[job], jobs_.processors[job]});
        response_sum_ += now + jobs_.run[job] - jobs_.submit[job];
    }

    void pass(double now) {
        std::size_t heads = 0;
        for (; heads < queue_.size() && jobs_.processors[queue_[heads]] <= free_; ++heads) {
            start(queue_[heads], now);
        }
        queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(heads));
        if (queue_.size() > 1 && free_ > 0) {
            overtake(now);
        }
    }

    void overtake(double now) {
        std::sort(running_.begin(), running_.end(), [](const Running& a, const Running& b) {
            return a.planned_end < b.planned_end;
        });
        double shadow = infinity;
        std::int64_t extra = free_ - jobs_.processors[queue_.front()];
        for (std::size_t i = 0;
             i < running_.size() && (extra < 0 || running_[i].planned_end <= shadow);
             ++i) {
            extra += running_[i].size;
            shadow = running_[i].planned_end;
        }
        const auto starts = [&](std::size_t job) {
            const std::int64_t size = jobs_.processors[job];
            const bool ends_in_time = now + jobs_.request[job] <= shadow;
            if (size > free_ || (!ends_in_time && size > extra)) {
                return false;
            }
            extra -= ends_in_time ? 0 : size;
            start(job, now);
            return true;
        };
        queue_.erase(std::remove_if(queue_.begin() + 1, queue_.end(), starts), queue_.end());
    }

    const models::trace::JobList& jobs_;
    std::int64_t free_;
    std::vector<Running> running_;
    std::vector<std::size_t> queue_;
    double response_sum_ = 0;
};

}  // namespace

double minimal_easy(const models::trace::JobList& jobs, std::uint32_t processors) {
    return MinimalEasy(jobs, processors).run();
}

}  // namespace schedfarm::bench
