#include "bench/minimal_loops.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "engine/foundation/elementary.hpp"
#include "engine/random/stream.hpp"

namespace schedfarm::bench {

namespace {

using engine::Purpose;
using engine::Stream;

constexpr std::uint32_t processors = 32;
constexpr std::size_t block = 512;

/// Exponential values of mean 1, drawn in blocks.
class Exponentials {
  public:
    explicit Exponentials(Stream stream) : stream_(stream) {}

    double next() {
        if (at_ == block) {
            stream_.fill_draws(drawn_, draws_);
            for (std::size_t i = 0; i < block; ++i) {
                values_[i] = engine::unit_interval(draws_[i]);
            }
            engine::logarithms(values_, values_);
            drawn_ += block;
            at_ = 0;
        }
        return -values_[at_++];
    }

  private:
    Stream stream_;
    std::array<std::uint64_t, block> draws_{};
    std::array<double, block> values_{};
    std::uint64_t drawn_ = 0;
    std::size_t at_ = block;
};

/// Sums of four sizes uniform on [1, 4].
class Sizes {
  public:
    explicit Sizes(Stream stream) : stream_(stream) {}

    std::uint32_t next() {
        if (at_ == 4 * block) {
            stream_.fill_words(drawn_, words_);
            drawn_ += 4 * block;
            at_ = 0;
        }
        std::uint32_t sum = 4;
        for (int component = 0; component < 4; ++component) {
            sum += engine::scaled_word(words_[at_++], 4);
        }
        return sum;
    }

  private:
    Stream stream_;
    std::array<std::uint32_t, 4 * block> words_{};
    std::uint64_t drawn_ = 0;
    std::size_t at_ = 4 * block;
};

struct Running {
    double finish;
    std::uint32_t size;
};

/// Running jobs by finish time, last to finish first.
class RunningJobs {
  public:
    double next_finish() const {
        return count_ == 0 ? std::numeric_limits<double>::infinity() : jobs_[count_ - 1].finish;
    }
    std::uint32_t free() const { return free_; }
    void release_first() { free_ += jobs_[--count_].size; }
    void add(double finish, std::uint32_t size) {
        std::size_t at = count_++;
        while (at > 0 && jobs_[at - 1].finish < finish) {
            jobs_[at] = jobs_[at - 1];
            --at;
        }
        jobs_[at] = {finish, size};
        free_ -= size;
    }

  private:
    std::array<Running, processors + 1> jobs_{};
    std::size_t count_ = 0;
    std::uint32_t free_ = processors;
};

struct Waiting {
    double submit;
    double service;
    std::uint32_t size;
    std::uint32_t jumps_ending_here;  // jumps over this job and all ahead, but none behind it
    std::uint64_t index;
};

class Rows {
  public:
    std::size_t size() const { return jobs_.size(); }
    std::uint32_t job_size(std::size_t at) const { return jobs_[at].size; }
    std::uint32_t& jumps(std::size_t at) { return jobs_[at].jumps_ending_here; }
    const Waiting& operator[](std::size_t at) const { return jobs_[at]; }
    void push(const Waiting& job) { jobs_.push_back(job); }
    void erase(std::size_t at) { jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(at)); }

  private:
    std::vector<Waiting> jobs_;
};

/// What a scan reads in a vector of its own.
class Columns {
  public:
    std::size_t size() const { return sizes_.size(); }
    std::uint32_t job_size(std::size_t at) const { return sizes_[at]; }
    std::uint32_t& jumps(std::size_t at) { return rest_.jumps(at); }
    const Waiting& operator[](std::size_t at) const { return rest_[at]; }
    void push(const Waiting& job) {
        sizes_.push_back(job.size);
        rest_.push(job);
    }
    void erase(std::size_t at) {
        sizes_.erase(sizes_.begin() + static_cast<std::ptrdiff_t>(at));
        rest_.erase(at);
    }

  private:
    std::vector<std::uint32_t> sizes_;
    Rows rest_;
};

template <typename Queue>
double fpfs(const QueueingCase& setting, std::uint32_t max_jumps) {
    Exponentials arrivals(Stream(setting.seed, Purpose::arrivals, setting.replication));
    Exponentials services(Stream(setting.seed, Purpose::service, setting.replication));
    Sizes sizes(Stream(setting.seed, Purpose::sizes, setting.replication));
    const double mean_interarrival = 10.0 / (setting.load * processors);
    RunningJobs running;
    Queue queue;
    std::uint32_t head_jumps = 0;
    std::uint64_t to_start = setting.jobs;  // later jobs come until all of these have started
    double response = 0;
    const auto scan = [&](double now) {
        for (std::size_t at = 0; at < queue.size();) {
            if (queue.job_size(at) > running.free()) {
                if (running.free() == 0 || head_jumps >= max_jumps) {
                    return;
                }
                ++at;
                continue;
            }
            const Waiting job = queue[at];
            running.add(now + job.service, job.size);
            const bool counts = job.index < setting.jobs;
            to_start -= counts ? 1 : 0;
            response +=
                counts && job.index >= setting.warm_up_jobs ? now + job.service - job.submit : 0;
            if (at == 0) {
                head_jumps -= job.jumps_ending_here;
            } else {
                queue.jumps(at - 1) += job.jumps_ending_here + 1;
                ++head_jumps;
            }
            queue.erase(at);
            if (at > 0 && head_jumps >= max_jumps) {
                return;
            }
        }
    };
    double submit = arrivals.next() * mean_interarrival;
    for (std::uint64_t job = 0; to_start > 0;) {
        const bool arrives = submit < running.next_finish();
        const double now = arrives ? submit : running.next_finish();
        if (arrives) {
            queue.push({submit, services.next(), sizes.next(), 0, job});
            submit += arrivals.next() * mean_interarrival;
            ++job;
        } else {
            running.release_first();
        }
        scan(now);
    }
    return response / static_cast<double>(setting.jobs - setting.warm_up_jobs);
}

}  // namespace

FillingResult minimal_bin_filling(
    std::uint64_t seed,
    std::uint32_t replication,
    std::uint64_t fills,
    std::uint32_t low,
    std::uint32_t high
) {
    const Stream stream(seed, Purpose::sizes, replication);
    std::array<std::uint32_t, block> words{};
    std::uint64_t idle = 0;
    std::uint64_t filled = 0;
    std::uint64_t drawn = 0;
    std::uint32_t used = 0;
    while (filled < fills) {
        stream.fill_words(drawn, words);
        drawn += block;
        for (const std::uint32_t word : words) {
            const std::uint32_t size = low + engine::scaled_word(word, high - low + 1);
            const bool fits = used + size <= processors;
            idle += fits ? 0 : processors - used;
            filled += fits ? 0 : 1;
            used = fits ? used + size : 0;
        }
    }
    return {static_cast<double>(idle) / static_cast<double>(filled * processors), drawn};
}

double minimal_fcfs(const QueueingCase& setting) {
    Exponentials arrivals(Stream(setting.seed, Purpose::arrivals, setting.replication));
    Exponentials services(Stream(setting.seed, Purpose::service, setting.replication));
    Sizes sizes(Stream(setting.seed, Purpose::sizes, setting.replication));
    const double mean_interarrival = 10.0 / (setting.load * processors);
    RunningJobs running;
    double submit = 0;
    double start = 0;
    double response = 0;
    for (std::uint64_t job = 0; job < setting.jobs; ++job) {
        submit += arrivals.next() * mean_interarrival;
        const double service = services.next();
        const std::uint32_t size = sizes.next();
        start = std::max(start, submit);
        while (running.next_finish() <= start) {
            running.release_first();
        }
        while (running.free() < size) {
            start = running.next_finish();
            running.release_first();
        }
        running.add(start + service, size);
        response += job >= setting.warm_up_jobs ? start + service - submit : 0;
    }
    return response / static_cast<double>(setting.jobs - setting.warm_up_jobs);
}

double minimal_fpfs(const QueueingCase& setting, std::uint32_t max_jumps) {
    return fpfs<Rows>(setting, max_jumps);
}

double minimal_fpfs_in_columns(const QueueingCase& setting, std::uint32_t max_jumps) {
    return fpfs<Columns>(setting, max_jumps);
}

}  // namespace schedfarm::bench
