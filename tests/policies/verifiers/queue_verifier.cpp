#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/policies/verifiers/own_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

struct Queued {
    JobId id;
    const Job* job = nullptr;
    double key = 0;
    std::uint64_t arrival = 0;
    // An upper and a lower bound: where events are taken in turn, a job that starts may do so
    // ahead of a newcomer's arrival.
    std::int64_t most_overtaken = 0;
    std::int64_t overtaken = 0;
    bool is_newcomer = false;
};

class QueueVerifier final : public ScheduleVerifier {
  public:
    QueueVerifier(
        const QueueSettings& settings, QueueKey key, const SystemDescription& system, MustStart must
    )
        : settings_(settings)
        , must_start_(must)
        , key_(std::move(key))
        , machine_(system)
        , placer_(settings.placement) {}

    void observe(const ScheduleStep& step) override {
        switch (step.kind) {
            case ScheduleStep::Kind::arrival:
                arrive(step);
                break;
            case ScheduleStep::Kind::start:
                start(step);
                break;
            case ScheduleStep::Kind::completion:
                step.processors.empty() ? machine_.give_back(step.shares)
                                        : machine_.give_back(step.processors);
                is_scanned_ = true;
                break;
            case ScheduleStep::Kind::capacity_changed:
                machine_.change_capacity(*step.change);
                is_scanned_ = true;
                break;
            case ScheduleStep::Kind::withdrawal:
                std::erase_if(queue_, [&step](const Queued& job) { return job.id == step.id; });
                is_scanned_ = true;
                break;
            default:
                break;
        }
    }

    void end_of_instant(double time) override {
        sort(time);
        if (settings_.arrival_scan == ArrivalScan::always || (is_scanned_ && is_batch())) {
            check_nothing_more_can_start(time);
        }
        for (Queued& job : queue_) {
            job.is_newcomer = false;
        }
        is_scanned_ = queue_.empty();
    }

    void finish() override {}

  private:
    bool is_batch() const { return settings_.simultaneous == Simultaneous::batch; }

    void arrive(const ScheduleStep& step) {
        const double key = key_ ? key_(*step.job, step.time) : 0;
        const auto behind = std::find_if(queue_.begin(), queue_.end(), [key](const Queued& job) {
            return job.key > key;
        });
        queue_.insert(behind, {step.id, step.job, key, ++arrivals_, 0, 0, !is_batch()});
    }

    void sort(double time) {
        if (settings_.key_time == KeyTime::arrival) {
            return;
        }
        for (Queued& job : queue_) {
            job.key = key_(*job.job, time);
        }
        std::sort(queue_.begin(), queue_.end(), [](const Queued& a, const Queued& b) {
            return a.key < b.key || (a.key == b.key && a.arrival < b.arrival);
        });
    }

    void start(const ScheduleStep& step) {
        step.processors.empty() ? machine_.take(step.shares) : machine_.take(step.processors);
        sort(step.time);
        auto at = queue_.begin();
        for (; at != queue_.end() && !(at->id == step.id); ++at) {
            ++at->most_overtaken;
            at->overtaken += at->is_newcomer ? 0 : 1;
            if (at->overtaken > settings_.max_jumps) {
                fail(step.time, *at, "was overtaken more than max_jumps times");
            }
        }
        queue_.erase(at);
    }

    // Grouped requests may fit on fewer processors and not on more.
    void check_nothing_more_can_start(double time) {
        for (const Queued& job : queue_) {
            if (job.job->structure == RequestStructure::grouped && settings_.max_jumps > 0) {
                return;
            }
            if (!placer_.place(*job.job, machine_.free_by_cluster()).empty()) {
                fail(time, job, "waits though it fits and no job ahead of it forbids its start");
            }
            if (must_start_ == MustStart::head || job.most_overtaken >= settings_.max_jumps) {
                return;
            }
        }
    }

    [[noreturn]] static void fail(double time, const Queued& job, const char* problem) {
        throw ScheduleError(
            "at time " + std::to_string(time) + ": job " + std::to_string(job.job->index) + " "
            + problem
        );
    }

    QueueSettings settings_;
    MustStart must_start_;
    QueueKey key_;
    Machine machine_;
    Placer placer_;
    std::vector<Queued> queue_;  // in its order
    std::uint64_t arrivals_ = 0;
    bool is_scanned_ = true;  // at the end of the instant, whatever arrives
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_queue_verifier(
    const QueueSettings& settings, QueueKey key, const SystemDescription& system, MustStart must
) {
    return std::make_unique<QueueVerifier>(settings, std::move(key), system, must);
}

}  // namespace schedfarm::tests
