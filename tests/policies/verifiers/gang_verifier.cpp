#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "policies/gang/gang.hpp"

#include "tests/policies/verifiers/own_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

/// Parts of a machine name the processors of each cluster.
bool are_in_a_row(std::span<const engine::ProcessorRange> ranges) {
    const auto gap = std::adjacent_find(ranges.begin(), ranges.end(), [](auto& a, auto& b) {
        return a.first.value + a.count != b.first.value;
    });
    return gap == ranges.end();
}

constexpr double gang_tolerance = 1e-9;  // relative to the time: a rounding or two for each slice

class GangVerifier final : public ScheduleVerifier {
  public:
    GangVerifier(const BuddyTrees& trees, RowServes serves, Resumed resumed)
        : trees_(trees)
        , slices_(
              [this, serves](std::uint64_t row, const ScheduleStep& start) {
                  return serves(
                      trees_,
                      static_cast<std::uint32_t>(row),
                      BuddyTrees::class_of(start.job->size),
                      start.processors.front().first.value
                  );
              },
              resumed
          ) {}

    void observe(const ScheduleStep& step) override {
        if (step.job != nullptr) {
            watch(step);
        }
        slices_.observe(step);
    }
    void end_of_instant(double time) override { slices_.end_of_instant(time); }
    void finish() override {}

  private:
    struct Watched {
        JobId id;
        std::uint64_t index = 0;
        std::uint32_t job_class = 0;
        double left = 0;          ///< service still to be received
        double since = 0;         ///< the last start or resume
        double paid = 0;          ///< of switches, in this stretch or the next
        std::uint32_t first = 0;  ///< processor of the node of the last stretch
        bool has_started = false;
        bool is_running = false;
    };

    static void expect(bool holds, double time, std::uint64_t job, const char* problem) {
        if (!holds) {
            throw ScheduleError(fmt::format("at time {}: job {} {}", time, job, problem));
        }
    }

    /// The tree of a processor, by number.
    std::size_t tree_of(std::uint32_t processor) const {
        std::size_t tree = trees_.trees().size() - 1;
        while (trees_.trees()[tree].first > processor) {
            --tree;
        }
        return tree;
    }

    void watch(const ScheduleStep& step) {
        if (step.kind == ScheduleStep::Kind::arrival) {
            present_.push_back(
                {.id = step.id,
                 .index = step.job->index,
                 .job_class = gang_class(*step.job, trees_),
                 .left = step.job->service_time}
            );
            return;
        }
        const auto at = std::find_if(present_.begin(), present_.end(), [&step](const Watched& job) {
            return job.id == step.id;
        });
        expect(at != present_.end(), step.time, step.job->index, "is not there");
        if (step.kind == ScheduleStep::Kind::delay) {
            at->paid += step.amount;
        } else if (step.kind == ScheduleStep::Kind::start || step.kind == ScheduleStep::Kind::resume) {
            start(step, *at);
        } else if (step.kind == ScheduleStep::Kind::suspend) {
            stop(step, *at);
        } else if (step.kind == ScheduleStep::Kind::completion) {
            stop(step, *at);
            const bool is_served = std::abs(at->left) <= gang_tolerance * (1 + step.time);
            expect(is_served, step.time, at->index, "did not receive its service");
            present_.erase(at);
        }
    }

    void check_node(const ScheduleStep& step, const Watched& job) const {
        const std::uint32_t first = step.processors.front().first.value;
        const std::uint32_t size = trees_.node_size(job.job_class);
        const bool is_aligned =
            are_in_a_row(step.processors)
            && (trees_.is_root(job.job_class)
                    ? first == 0
                    : first % size == 0
                          && first + size <= trees_.trees()[tree_of(first)].first
                                                 + (1U << trees_.trees()[tree_of(first)].top));
        expect(is_aligned, step.time, job.index, "runs on no node of its class");
        for (const Watched& other : present_) {
            const bool is_apart = !other.is_running || other.first >= first + size
                                  || first >= other.first + trees_.node_size(other.job_class);
            expect(is_apart, step.time, job.index, "runs on a node where another job runs");
        }
    }

    void start(const ScheduleStep& step, Watched& job) {
        check_node(step, job);
        for (const Watched& other : present_) {
            // They stand in the order of their arrival.
            const bool is_overtaken = &other < &job && other.job_class == job.job_class
                                      && !other.has_started && !job.has_started;
            expect(!is_overtaken, step.time, other.index, "is overtaken in its class");
        }
        job.first = step.processors.front().first.value;
        job.since = step.time;
        job.has_started = true;
        job.is_running = true;
    }

    void stop(const ScheduleStep& step, Watched& job) {
        const double work = step.time - job.since - job.paid;
        expect(
            work >= -gang_tolerance * (1 + step.time),
            step.time,
            job.index,
            "stops while it pays a switch"
        );
        job.left -= work;
        job.paid = 0;
        job.is_running = false;
    }

    BuddyTrees trees_;
    SliceVerifier slices_;
    std::vector<Watched> present_;  // in order of arrival
};

}  // namespace

MadeVerifier make_gang_verifier(const BuddyTrees& trees, RowServes serves, Resumed resumed) {
    return std::make_unique<GangVerifier>(trees, serves, resumed);
}

}  // namespace schedfarm::tests
