#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/policies/verifiers/plain_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

struct Waiting {
    JobId id;
    std::uint64_t index;
    double key;
    std::uint64_t arrival;
    Job job;
    std::vector<std::uint32_t> components;  // what job.components pointed to
    std::int64_t counter = 0;
};

/// Also by name where processors go out of order.
struct Held {
    explicit Held(const ScheduleStep& step)
        : shares(step.shares.begin(), step.shares.end())
        , processors(step.processors.begin(), step.processors.end()) {}

    std::vector<ClusterShare> shares;
    std::vector<ProcessorRange> processors;
};

struct Start {
    JobId id;
    std::uint64_t index;
    Held held;
};

class PlainQueueVerifier final : public ScheduleVerifier {
  public:
    PlainQueueVerifier(const QueueSettings& settings, QueueKey key, const SystemDescription& system)
        : settings_(settings)
        , takes_each_(settings.simultaneous != Simultaneous::batch)
        , key_(std::move(key))
        , machine_(system)
        , checks_(!takes_each_ || system.outages.empty())
        , placer_(settings.placement) {}

    void observe(const ScheduleStep& step) override {
        if (!checks_) {
            return;
        }
        if (step.kind == ScheduleStep::Kind::capacity_changed) {
            machine_.change_capacity(*step.change);
            processors_came_ = true;
        } else if (step.kind == ScheduleStep::Kind::withdrawal) {
            std::erase_if(queue_, [&step](const Waiting& job) { return job.id == step.id; });
            processors_came_ = true;
        } else if (takes_each_) {
            note(step);
        } else if (step.kind == ScheduleStep::Kind::arrival) {
            arrive(waiting(step));
        } else if (step.kind == ScheduleStep::Kind::start) {
            start({step.id, step.job->index, Held(step)}, step.time);
        } else if (step.kind == ScheduleStep::Kind::completion) {
            complete(Held(step));
        }
    }

    void end_of_instant(double time) override {
        if (!checks_) {
            return;
        }
        if (takes_each_) {
            take_each(time);
            return;
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
    Waiting waiting(const ScheduleStep& step) {
        const double key = key_ ? key_(*step.job, step.time) : 0;
        Waiting made{step.id, step.job->index, key, ++arrivals_seen_, *step.job, {}};
        made.components.assign(step.job->components.begin(), step.job->components.end());
        return made;
    }

    void arrive(Waiting job) {
        const auto at = std::find_if(queue_.begin(), queue_.end(), [&job](const Waiting& other) {
            return other.key > job.key;
        });
        queue_.insert(at, std::move(job));
    }

    void complete(const Held& held) {
        if (held.processors.empty()) {
            machine_.give_back(held.shares);
        } else {
            machine_.give_back(held.processors);
        }
        processors_came_ = true;
    }

    void note(const ScheduleStep& step) {
        if (step.kind == ScheduleStep::Kind::arrival) {
            arrivals_.push_back(waiting(step));
        } else if (step.kind == ScheduleStep::Kind::completion) {
            completions_.emplace_back(step);
        } else if (step.kind == ScheduleStep::Kind::start) {
            starts_.push_back({step.id, step.job->index, Held(step)});
        }
    }

    // The events of the instant in the order chosen, each followed by the starts that are due.
    void take_each(double time) {
        started_ = 0;
        if (arrivals_.empty() && completions_.empty()) {
            expect_starts(time);
        }
        const auto take_arrivals = [&] {
            for (Waiting& job : arrivals_) {
                queue_was_empty_ = queue_.empty();
                arrive(std::move(job));
                expect_starts(time);
            }
        };
        if (settings_.simultaneous == Simultaneous::submit_first) {
            take_arrivals();
        }
        for (const Held& held : completions_) {
            complete(held);
            expect_starts(time);
        }
        if (settings_.simultaneous == Simultaneous::finish_first) {
            take_arrivals();
        }
        if (started_ < starts_.size()) {
            throw ScheduleError(text(time, starts_[started_].index) + "starts out of turn");
        }
        arrivals_.clear();
        completions_.clear();
        starts_.clear();
    }

    void expect_starts(double time) {
        const bool scans =
            settings_.arrival_scan == ArrivalScan::always || queue_was_empty_ || processors_came_;
        processors_came_ = false;
        queue_was_empty_ = false;
        if (!scans) {
            return;
        }
        sort(time);
        for (std::size_t i = 0; i < queue_.size() && may_start(i);) {
            const auto shares = place(queue_[i]);
            if (shares.empty()) {
                ++i;
                continue;
            }
            if (started_ == starts_.size() || !(starts_[started_].id == queue_[i].id)
                || !std::equal(
                    shares.begin(),
                    shares.end(),
                    starts_[started_].held.shares.begin(),
                    starts_[started_].held.shares.end()
                )) {
                fail(time, queue_[i], "fits and is next, but does not start there and then");
            }
            start(starts_[started_++], time);
        }
    }

    bool may_start(std::size_t place_in_queue) const {
        return std::all_of(
            queue_.begin(),
            queue_.begin() + static_cast<std::ptrdiff_t>(place_in_queue),
            [this](const Waiting& ahead) { return ahead.counter < settings_.max_jumps; }
        );
    }

    std::span<const ClusterShare> place(const Waiting& waiting) {
        Job job = waiting.job;
        job.components = waiting.components;
        return placer_.place(job, machine_.free_by_cluster());
    }

    void sort(double time) {
        if (settings_.key_time == KeyTime::arrival) {
            return;
        }
        for (Waiting& waiting : queue_) {
            waiting.key = key_(waiting.job, time);
        }
        std::sort(queue_.begin(), queue_.end(), [](const Waiting& a, const Waiting& b) {
            return a.key < b.key || (a.key == b.key && a.arrival < b.arrival);
        });
    }

    void start(const Start& started, double time) {
        if (started.held.processors.empty()) {
            machine_.take(started.held.shares);
        } else {
            machine_.take(started.held.processors);
        }
        sort(time);
        auto at = queue_.begin();
        for (; at != queue_.end() && !(at->id == started.id); ++at) {
            ++at->counter;
            if (at->counter > settings_.max_jumps) {
                fail(time, *at, "was overtaken more than max_jumps times");
            }
        }
        queue_.erase(at);
    }

    void check_nothing_more_can_start(double time) {
        for (const Waiting& waiting : queue_) {
            if (waiting.job.structure == RequestStructure::grouped && settings_.max_jumps > 0) {
                return;
            }
            if (!place(waiting).empty()) {
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
        throw ScheduleError(text(time, waiting.index) + problem);
    }

    static std::string text(double time, std::uint64_t index) {
        return "at time " + std::to_string(time) + ": job " + std::to_string(index) + " ";
    }

    QueueSettings settings_;
    bool takes_each_;  // of the events of an instant in turn
    QueueKey key_;
    Machine machine_;
    bool checks_;
    Placer placer_;
    std::vector<Waiting> queue_;
    std::uint64_t arrivals_seen_ = 0;
    bool processors_came_ = false;
    bool queue_was_empty_ = true;

    // Of this instant, where each event is taken in turn.
    std::vector<Waiting> arrivals_;
    std::vector<Held> completions_;
    std::vector<Start> starts_;
    std::size_t started_ = 0;  // so many were expected
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_plain_queue_verifier(
    const QueueSettings& settings, QueueKey key, const SystemDescription& system
) {
    return std::make_unique<PlainQueueVerifier>(settings, std::move(key), system);
}

}  // namespace schedfarm::tests
