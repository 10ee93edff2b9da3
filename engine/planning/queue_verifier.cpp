#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/planning/queue_policy.hpp"

namespace schedfarm::engine {

namespace {

struct Waiting {
    JobId id;
    std::uint64_t index;
    double key;
    Job job;
    std::vector<std::uint32_t> components;  // what job.components pointed to
    std::int64_t counter = 0;
};

class QueueVerifier final : public ScheduleVerifier {
  public:
    QueueVerifier(const QueueSettings& settings, QueueKey key, const SystemDescription& system)
        : settings_(settings)
        , key_(std::move(key))
        , machine_(system)
        , placer_(settings.placement) {}

    void observe(const ScheduleStep& step) override {
        if (step.kind == ScheduleStep::Kind::arrival) {
            arrive(step);
        } else if (step.kind == ScheduleStep::Kind::start) {
            start(step);
        } else if (step.kind == ScheduleStep::Kind::completion) {
            machine_.give_back(step.shares);
            processors_came_ = true;
        } else if (step.kind == ScheduleStep::Kind::capacity_changed) {
            machine_.change_capacity(*step.change);
            processors_came_ = true;
        }
    }

    void end_of_instant(double time) override {
        if (!key_) {
            check_counters_decrease(time);
        }
        sort(time);
        if (settings_.arrival_scan == ArrivalScan::always || queue_was_empty_ || processors_came_) {
            check_nothing_more_can_start(time);
        }
        processors_came_ = false;
        queue_was_empty_ = queue_.empty();
    }

    void finish() override {}

  private:
    void arrive(const ScheduleStep& step) {
        const double key = key_ ? key_(*step.job, step.time) : 0;
        const auto at = std::find_if(queue_.begin(), queue_.end(), [key](const Waiting& waiting) {
            return waiting.key > key;
        });
        Waiting waiting{step.id, step.job->index, key, *step.job, {}};
        waiting.components.assign(step.job->components.begin(), step.job->components.end());
        queue_.insert(at, std::move(waiting));
    }

    void sort(double time) {
        if (settings_.key_time == KeyTime::arrival) {
            return;
        }
        for (Waiting& waiting : queue_) {
            waiting.key = key_(waiting.job, time);
        }
        std::sort(queue_.begin(), queue_.end(), [](const Waiting& a, const Waiting& b) {
            return a.key < b.key || (a.key == b.key && a.index < b.index);
        });
    }

    void start(const ScheduleStep& step) {
        machine_.take(step.shares);
        sort(step.time);
        auto at = queue_.begin();
        for (; at != queue_.end() && !(at->id == step.id); ++at) {
            ++at->counter;
            if (at->counter > settings_.max_jumps) {
                fail(step.time, *at, "was overtaken more than max_jumps times");
            }
        }
        queue_.erase(at);
    }

    void check_counters_decrease(double time) const {
        for (std::size_t i = 1; i < queue_.size(); ++i) {
            if (queue_[i].counter > queue_[i - 1].counter) {
                fail(time, queue_[i], "was overtaken more often than the job ahead of it");
            }
        }
    }

    void check_nothing_more_can_start(double time) {
        for (const Waiting& waiting : queue_) {
            Job job = waiting.job;
            job.components = waiting.components;
            if (job.structure == RequestStructure::grouped && settings_.max_jumps > 0) {
                return;
            }
            if (!placer_.place(job, machine_.free_by_cluster()).empty()) {
                fail(
                    time, waiting, "waits though it fits and no job ahead of it forbids its start"
                );
            }
            if (waiting.counter >= settings_.max_jumps) {
                return;
            }
        }
    }

    [[noreturn]] static void fail(double time, const Waiting& waiting, const char* problem) {
        throw ScheduleError(
            "at time " + std::to_string(time) + ": job " + std::to_string(waiting.index) + " "
            + problem
        );
    }

    QueueSettings settings_;
    QueueKey key_;
    Machine machine_;
    Placer placer_;
    std::vector<Waiting> queue_;
    bool processors_came_ = false;
    bool queue_was_empty_ = true;
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_queue_verifier(
    const QueueSettings& settings, QueueKey key, const SystemDescription& system
) {
    return std::make_unique<QueueVerifier>(settings, std::move(key), system);
}

}  // namespace schedfarm::engine
