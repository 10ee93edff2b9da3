// Independent second implementations for tests: every sequence of jobs of one fill, enumerated, and
// the saturated first-come first-served system as a Markov chain, solved by iteration. Only for
// tiny systems.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace schedfarm::tests {

using Components = std::vector<std::uint32_t>;

/// A job that can be drawn.
struct PossibleJob {
    double probability = 0;
    Components components;
};

inline bool fits(const Components& free, const Components& job) {
    for (std::size_t c = 0; c < job.size(); ++c) {
        if (job[c] > free[c]) {
            return false;
        }
    }
    return true;
}

inline Components minus(Components free, const Components& job) {
    for (std::size_t c = 0; c < job.size(); ++c) {
        free[c] -= job[c];
    }
    return free;
}

/// Component c is drawn from sizes[c] independently; every combination with its probability.
inline std::vector<PossibleJob> independent_components(
    const std::vector<std::vector<double>>& sizes, double weight = 1
) {
    std::vector<PossibleJob> jobs{{weight, {}}};
    for (const std::vector<double>& size : sizes) {
        std::vector<PossibleJob> longer;
        for (const PossibleJob& job : jobs) {
            for (std::uint32_t n = 1; n < size.size(); ++n) {
                PossibleJob next = job;
                next.probability *= size[n];
                next.components.push_back(n);
                longer.push_back(next);
            }
        }
        jobs = longer;
    }
    return jobs;
}

/// What enumeration of all fills of an empty system gives.
struct EnumeratedFill {
    double idle = 0;
    double jobs = 0;
    double inverse_jobs = 0;
};

inline void enumerate_fills(
    const std::vector<PossibleJob>& possible,
    const Components& free,
    double probability,
    int placed,
    EnumeratedFill& result
) {
    for (const PossibleJob& job : possible) {
        const double p = probability * job.probability;
        if (p == 0) {
            continue;
        }
        if (fits(free, job.components)) {
            enumerate_fills(possible, minus(free, job.components), p, placed + 1, result);
        } else {
            result.idle += p * std::accumulate(free.begin(), free.end(), 0.0);
            result.jobs += p * placed;
            result.inverse_jobs += p / placed;
        }
    }
}

inline EnumeratedFill enumerate_fills(
    const std::vector<PossibleJob>& possible, const Components& clusters
) {
    EnumeratedFill result;
    enumerate_fills(possible, clusters, 1.0, 0, result);
    return result;
}

/// The saturated system: exponential service of mean 1, the queue never empty. A state is the
/// running jobs (sorted) and the job at the head of the queue, which does not fit.
class SaturatedChain {
  public:
    SaturatedChain(std::vector<PossibleJob> possible, Components clusters)
        : possible_(std::move(possible)), clusters_(std::move(clusters)) {}

    /// Long-run share of the processors that are busy.
    double utilization() {
        Distribution now;
        start_waiting({}, 1.0, now);
        // Uniformization: a jump at rate `fastest`, of which the running jobs use up theirs.
        const double fastest = std::accumulate(clusters_.begin(), clusters_.end(), 0.0);
        for (int step = 0; step < 4000; ++step) {
            Distribution next;
            for (const auto& [state, probability] : now) {
                next[state] +=
                    probability * (1 - static_cast<double>(state.running.size()) / fastest);
                for (std::size_t i = 0; i < state.running.size(); ++i) {
                    std::vector<Components> left = state.running;
                    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
                    start_head(left, state.head, probability / fastest, next);
                }
            }
            now = std::move(next);
        }
        double busy = 0;
        for (const auto& [state, probability] : now) {
            for (const Components& job : state.running) {
                busy += probability * std::accumulate(job.begin(), job.end(), 0.0);
            }
        }
        return busy / fastest;
    }

  private:
    struct State {
        std::vector<Components> running;
        Components head;
        friend bool operator<(const State& a, const State& b) {
            return std::tie(a.running, a.head) < std::tie(b.running, b.head);
        }
    };
    using Distribution = std::map<State, double>;

    Components free(const std::vector<Components>& running) const {
        Components result = clusters_;
        for (const Components& job : running) {
            result = minus(result, job);
        }
        return result;
    }

    void start_head(
        std::vector<Components> running,
        const Components& head,
        double probability,
        Distribution& result
    ) {
        if (!fits(free(running), head)) {
            result[{std::move(running), head}] += probability;
            return;
        }
        running.insert(std::upper_bound(running.begin(), running.end(), head), head);
        start_waiting(running, probability, result);
    }

    void start_waiting(
        const std::vector<Components>& running, double probability, Distribution& result
    ) {
        for (const PossibleJob& job : possible_) {
            start_head(running, job.components, probability * job.probability, result);
        }
    }

    std::vector<PossibleJob> possible_;
    Components clusters_;
};

}  // namespace schedfarm::tests
