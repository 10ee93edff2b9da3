// Levels over time: how many processors are held, how many jobs wait.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "campaigns/report/job_gantt_parts.hpp"

namespace schedfarm::campaigns {

namespace {

/// Means of a level over equal parts of a window. Of what covers many parts only the changes at
/// its ends are kept, so that the cost does not depend on its length.
class Means {
  public:
    Means(const Window& window, std::size_t parts)
        : window_(window)
        , per_second_(static_cast<double>(parts) / (window.to_s - window.from_s))
        , parts_(parts)
        , partial_(parts + 1)
        , change_(parts + 1) {}

    void add(double begin_s, double end_s, double level) {
        const double begin = place(begin_s);
        const double end = place(end_s);
        const auto first = static_cast<std::size_t>(begin);
        const auto last = static_cast<std::size_t>(end);
        partial_[first] -= (begin - std::floor(begin)) * level;
        partial_[last] += (end - std::floor(end)) * level;
        change_[first] += level;
        change_[last] -= level;
    }

    std::vector<double> values() const {
        std::vector<double> result(parts_);
        double level = 0;
        for (std::size_t part = 0; part < parts_; ++part) {
            level += change_[part];
            result[part] = std::max(level + partial_[part], 0.0);
        }
        return result;
    }

  private:
    double place(double time_s) const {
        const auto limit = static_cast<double>(parts_);
        return std::clamp((time_s - window_.from_s) * per_second_, 0.0, limit);
    }

    Window window_;
    double per_second_;
    std::size_t parts_;
    std::vector<double> partial_;
    std::vector<double> change_;
};

}  // namespace

std::vector<double> mean_held(
    const JobSchedule& schedule, const Window& window, std::size_t parts
) {
    Means means(window, parts);
    for (const JobSegment& segment : schedule.segments) {
        means.add(segment.begin_s, segment.end_s, segment.processors);
    }
    return means.values();
}

std::vector<double> mean_waiting(
    const JobSchedule& schedule, const Window& window, std::size_t parts
) {
    Means means(window, parts);
    for (const ScheduledJob& job : schedule.jobs) {
        means.add(job.submit_s, job.start_s, 1);
    }
    return means.values();
}

std::uint64_t most_waiting(const JobSchedule& schedule, const Window& window) {
    std::vector<double> submits;
    std::vector<double> starts;
    for (const ScheduledJob& job : schedule.jobs) {
        if (job.start_s > job.submit_s && job.submit_s < window.to_s
            && job.start_s > window.from_s) {
            submits.push_back(job.submit_s);
            starts.push_back(job.start_s);
        }
    }
    std::sort(submits.begin(), submits.end());
    std::sort(starts.begin(), starts.end());
    std::size_t started = 0;
    std::size_t most = 0;
    for (std::size_t submitted = 0; submitted < submits.size(); ++submitted) {
        while (starts[started] <= submits[submitted]) {
            ++started;
        }
        most = std::max(most, submitted + 1 - started);
    }
    return most;
}

double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

}  // namespace schedfarm::campaigns
