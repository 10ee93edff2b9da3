// A second implementation of queueing with ageing counters, written as plainly as possible and
// sharing nothing with the first: event by event over lists, a counter in every job, placement by
// sorting. Compared with the general kernel and the specialised simulators over random small
// workloads: in order of arrival, and of service.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/cells.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

struct PlainSettings {
    std::string placement = "first_fit";
    int max_jumps = 0;
    bool scan_on_arrival = true;
    bool shortest_first = false;
    std::string simultaneous = "batch";
};

struct PlainJob {
    std::uint64_t index = 0;
    std::vector<std::uint32_t> components;
    double service_time = 0;
    int counter = 0;
    double start = 0;
    double finish = 0;
    std::vector<std::uint32_t> held;  // by cluster
};

/// Processors that a job gets of each cluster; empty: it does not fit.
std::vector<std::uint32_t> plain_placement(
    const std::vector<std::uint32_t>& components,
    const std::vector<std::uint32_t>& free,
    RequestStructure structure,
    const std::string& rule
) {
    std::vector<std::uint32_t> given(free.size(), 0);
    if (structure == RequestStructure::total) {
        std::uint32_t wanted = 0;
        for (const std::uint32_t count : components) {
            wanted += count;
        }
        for (std::size_t c = 0; c < free.size(); ++c) {
            given[c] = std::min(wanted, free[c]);
            wanted -= given[c];
        }
        return wanted == 0 ? given : std::vector<std::uint32_t>{};
    }
    if (structure == RequestStructure::ordered) {
        for (std::size_t c = 0; c < components.size(); ++c) {
            given[c] = components[c];
            if (given[c] > free[c]) {
                return {};
            }
        }
        return given;
    }
    std::vector<std::size_t> clusters(free.size());
    for (std::size_t c = 0; c < free.size(); ++c) {
        clusters[c] = c;
    }
    std::stable_sort(clusters.begin(), clusters.end(), [&](std::size_t a, std::size_t b) {
        return (rule == "best_fit" && free[a] < free[b])
               || (rule == "worst_fit" && free[a] > free[b]);
    });
    std::vector<std::uint32_t> sorted = components;
    std::sort(sorted.rbegin(), sorted.rend());
    for (const std::uint32_t count : sorted) {
        const auto at = std::find_if(clusters.begin(), clusters.end(), [&](std::size_t c) {
            return free[c] >= count;
        });
        if (at == clusters.end()) {
            return {};
        }
        given[*at] = count;
        clusters.erase(at);
    }
    return given;
}

class PlainQueueing {
  public:
    PlainQueueing(const TestCell& cell, PlainSettings settings)
        : cell_(cell), settings_(std::move(settings)), free_(cell.system.clusters) {}

    /// The fingerprint of the schedule.
    std::uint64_t run() {
        const Horizon& horizon = cell_.experiment.horizon;
        if (cell_.experiment.kind == ExperimentKind::saturated) {
            while (done_.size() < horizon.jobs) {
                const std::size_t wanted = horizon.backlog + done_.size();
                if (next_ == wanted) {
                    now_ = next_finish();
                }
                step([&](std::size_t) { return next_ < wanted; });
            }
            done_.resize(horizon.jobs);
        } else {
            const bool offline = cell_.experiment.kind == ExperimentKind::offline;
            const auto submit = [&](std::size_t job) {
                return offline ? 0.0 : cell_.jobs[job].submit_time;
            };
            const bool goes_on = cell_.experiment.kind == ExperimentKind::open;
            const std::size_t last = goes_on ? cell_.jobs.size() : horizon.jobs;
            while (next_ < last || !running_.empty()) {
                now_ = next_finish();
                if (next_ < last) {
                    now_ = std::min(now_, submit(next_));
                }
                step([&](std::size_t job) { return job < last && submit(job) <= now_; });
            }
            std::erase_if(done_, [&](const PlainJob& job) { return job.index >= horizon.jobs; });
        }
        std::uint64_t fingerprint = 0;
        for (const PlainJob& job : done_) {
            fingerprint += schedule_hash(job.index, job.start, job.finish);
        }
        return fingerprint;
    }

  private:
    double next_finish() const {
        double first = std::numeric_limits<double>::infinity();
        for (const PlainJob& job : running_) {
            first = std::min(first, job.finish);
        }
        return first;
    }

    // All that happens at one instant: ends, arrivals, a scan; or a scan after each of them.
    template <typename Arrives>
    void step(Arrives arrives) {
        const bool each = settings_.simultaneous != "batch";
        std::vector<PlainJob> ended;
        for (const PlainJob& job : running_) {
            if (job.finish <= now_) {
                ended.push_back(job);
            }
        }
        std::erase_if(running_, [this](const PlainJob& job) { return job.finish <= now_; });
        bool scans = queue_.empty() || settings_.scan_on_arrival;
        const auto take_arrivals = [&] {
            for (; arrives(next_); ++next_) {
                scans = each ? queue_.empty() || settings_.scan_on_arrival : scans;
                join(next_);
                if (each && scans) {
                    scan();
                }
            }
        };
        if (settings_.simultaneous == "submit_first") {
            take_arrivals();
        }
        for (const PlainJob& job : ended) {
            scans = true;
            for (std::size_t c = 0; c < free_.size(); ++c) {
                free_[c] += job.held[c];
            }
            if (each) {
                scan();
            }
        }
        take_arrivals();
        if (!each && scans) {
            scan();
        }
    }

    void join(std::size_t index) {
        PlainJob job;
        job.index = index;
        job.components = cell_.jobs[index].components;
        job.service_time = cell_.jobs[index].service_time;
        std::size_t place = queue_.size();
        while (settings_.shortest_first && place > 0
               && queue_[place - 1].service_time > job.service_time) {
            --place;
        }
        queue_.insert(queue_.begin() + static_cast<std::ptrdiff_t>(place), job);
    }

    void scan() {
        for (std::size_t i = 0; i < queue_.size();) {
            for (std::size_t ahead = 0; ahead < i; ++ahead) {
                if (queue_[ahead].counter >= settings_.max_jumps) {
                    return;
                }
            }
            PlainJob job = queue_[i];
            job.held = plain_placement(job.components, free_, cell_.structure, settings_.placement);
            if (job.held.empty()) {
                ++i;
                continue;
            }
            queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(i));
            for (std::size_t ahead = 0; ahead < i; ++ahead) {
                ++queue_[ahead].counter;
            }
            for (std::size_t c = 0; c < free_.size(); ++c) {
                free_[c] -= job.held[c];
            }
            job.start = now_;
            job.finish = now_ + job.service_time;
            running_.push_back(job);
            done_.push_back(job);
        }
    }

    const TestCell& cell_;
    PlainSettings settings_;
    std::vector<std::uint32_t> free_;
    double now_ = 0;
    std::size_t next_ = 0;
    std::vector<PlainJob> queue_;
    std::vector<PlainJob> running_;
    std::vector<PlainJob> done_;
};

constexpr std::array structures = {
    RequestStructure::total, RequestStructure::ordered, RequestStructure::unordered};
constexpr std::array kinds = {
    ExperimentKind::open, ExperimentKind::saturated, ExperimentKind::offline};
constexpr std::array words = {"first_fit", "best_fit", "worst_fit"};
constexpr std::array orders = {"batch", "finish_first", "submit_first"};

}  // namespace

TEST_CASE("schedules equal those of a plain second implementation on random workloads") {
    for (std::uint64_t seed = 0; seed < short_or_long(1500U, 4000U); ++seed) {
        Dice dice(seed);
        const ExperimentKind kind = kinds[dice.below(3)];
        const TestCell cell = random_cell(dice, kind, structures[dice.below(3)]);
        PlainSettings settings;
        settings.placement = words[dice.below(3)];
        settings.max_jumps = static_cast<int>(dice.below(12));
        settings.scan_on_arrival = dice.below(2) == 0;
        Parameters given;
        given.set("placement", settings.placement);
        const PolicyUnderTest fcfs(policy_named("fcfs"), given);
        given.set("max_jumps", settings.max_jumps);
        given.set("scan_on_arrival", settings.scan_on_arrival);
        const PolicyUnderTest fpfs(policy_named("fpfs"), given);
        PlainSettings shortest_first = settings;
        shortest_first.shortest_first = true;
        shortest_first.simultaneous = orders[seed % orders.size()];
        given.set("simultaneous", shortest_first.simultaneous);
        const PolicyUnderTest sjf(policy_named("sjf"), given);
        CAPTURE(seed);
        CAPTURE(given.text());
        REQUIRE(run_general(fpfs, cell).fingerprint == PlainQueueing(cell, settings).run());
        REQUIRE(run_general(sjf, cell).fingerprint == PlainQueueing(cell, shortest_first).run());
        // Where the request alone decides what fits, no order makes a difference to FCFS.
        settings.max_jumps = 0;
        if (cell.structure != RequestStructure::unordered) {
            settings.simultaneous = shortest_first.simultaneous;
        }
        REQUIRE(run_general(fcfs, cell).fingerprint == PlainQueueing(cell, settings).run());
    }
}

}  // namespace schedfarm::tests
