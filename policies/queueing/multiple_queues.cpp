// Multiple queues: each has a range of jobs, a priority and limits on what runs at once; within a
// queue it is first come, first served.
//
// One pass looks at the queues in order of priority and at the jobs of each in order of arrival. A
// job that a limit of its queue holds back holds the queue; one that the limit per user holds back
// is passed by. Every other job starts if it fits. The first that does not fit blocks all that come
// after it, or with backfilling has a reservation (EASY, policies/backfilling/easy.cpp): a job
// after it starts if it fits and will end by the shadow time, or if it needs no more than the extra
// processors and the limits would allow the job with the reservation to run beside it. A job of a
// queue of higher priority that arrives later takes the reservation over. While an early finish of
// the instant is yet to be taken (planning_options.hpp), the job counts under the limits, too.
//
// Cost: O(waiting jobs) per pass with backfilling, else O(queues + started and passed jobs).
#include "policies/queueing/multiple_queues.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "engine/planning/profile/availability_profile.hpp"
#include "engine/planning/profile/planned_ends.hpp"
#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/queue_limits.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class MultipleQueues final : public Policy {
  public:
    explicit MultipleQueues(MultipleQueuesSettings table)
        : table_(std::move(table))
        , placer_(table_.placement)
        , usage_(table_)
        , queues_(table_.rules.size()) {}

    void react(const EventBatch& events, Actions& actions) override {
        actions_ = &actions;
        now_ = actions.now();
        pending_ = 0;
        for (const JobId id : events.completions) {
            if (running_.end_of(id) > now_) {
                pending_ += started_[id.value].size;
            } else {
                leave(id);
            }
        }
        take_events(table_.simultaneous, events, *this);
    }

    void finish(JobId id) {
        if (running_.end_of(id) > now_) {
            pending_ -= started_[id.value].size;
            leave(id);
        }
    }

    void submit(JobId id) {
        const Job& job = actions_->job(id);
        const std::size_t queue = table_.queue_of(job);
        queues_[queue].push_back({id, job.estimate, {queue, job.user, job.size}});
    }

    void pass() {
        reservation_.reset();
        for (const std::size_t queue : table_.served) {
            if (look_at_queue(queues_[queue]) == Step::end) {
                return;
            }
        }
    }

  private:
    struct Waiting {
        JobId id;
        double request = 0;
        QueueUsage::Request use;
    };

    /// What a pass does after it has looked at a job.
    enum class Step : std::uint8_t { started, next_job, next_queue, end };

    struct Reservation {
        QueueUsage::Request use;
        PlannedEnds::Forecast forecast;
    };

    std::uint32_t free() const { return actions_->machine().free_processors() - pending_; }

    void leave(JobId id) {
        usage_.remove(started_[id.value]);
        running_.remove(id);
    }

    Step look_at_queue(std::deque<Waiting>& queue) {
        for (std::size_t i = 0; i < queue.size();) {
            if (free() == 0) {
                return Step::end;
            }
            const Step step = look_at_job(queue[i]);
            if (step == Step::started) {
                queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(i));
            } else if (step == Step::next_job) {
                ++i;
            } else {
                return step;
            }
        }
        return Step::next_queue;
    }

    Step look_at_job(const Waiting& job) {
        const Hold hold = usage_.hold(table_, job.use);
        if (hold != Hold::none) {
            return hold == Hold::queue ? Step::next_queue : Step::next_job;
        }
        if (reservation_) {
            return backfill(job);
        }
        if (start(job)) {
            return Step::started;
        }
        // A job that fits by number but not by its components lets nobody overtake.
        if (table_.backfilling == QueueBackfilling::off || job.use.size <= free()) {
            return Step::end;
        }
        reservation_ = {job.use, running_.forecast(job.use.size, free(), now_)};
        return Step::next_job;
    }

    Step backfill(const Waiting& job) {
        PlannedEnds::Forecast& forecast = reservation_->forecast;
        const bool ends_in_time =
            now_ < forecast.shadow_time && planned_end(now_, job.request) <= forecast.shadow_time;
        if (!ends_in_time && (job.use.size > forecast.extra_processors || !leaves_room(job))) {
            return Step::next_job;
        }
        if (!start(job)) {
            return Step::next_job;
        }
        forecast.extra_processors -= ends_in_time ? 0 : std::int64_t{job.use.size};
        return Step::started;
    }

    /// Whether the limits allow the job with the reservation to run beside this one.
    bool leaves_room(const Waiting& job) {
        usage_.add(job.use);
        const Hold hold = usage_.hold(table_, reservation_->use);
        usage_.remove(job.use);
        return hold == Hold::none;
    }

    bool start(const Waiting& waiting) {
        if (waiting.use.size > free()) {
            return false;
        }
        const JobId id = waiting.id;
        const auto shares = placer_.place(actions_->job(id), actions_->machine().free_by_cluster());
        if (shares.empty()) {
            return false;
        }
        started_.resize(std::max(started_.size(), id.value + std::size_t{1}));
        started_[id.value] = waiting.use;
        usage_.add(waiting.use);
        running_.add(id, planned_end(now_, waiting.request), waiting.use.size);
        actions_->start(id, shares);
        return true;
    }

    MultipleQueuesSettings table_;
    Placer placer_;
    QueueUsage usage_;
    PlannedEnds running_;
    std::vector<std::deque<Waiting>> queues_;   // as listed; each in order of arrival
    std::vector<QueueUsage::Request> started_;  // by slot of the job
    std::optional<Reservation> reservation_;    // of this pass

    // Of the batch being taken.
    Actions* actions_ = nullptr;
    double now_ = 0;
    std::uint32_t pending_ = 0;  // processors of finishes yet to be taken that came early
};

std::vector<ParameterDescription> multiple_queues_parameters() {
    std::vector<ParameterDescription> all = queue_table_parameters("as listed");
    const ParameterDescription backfilling{
        .name = "backfilling",
        .meaning =
            "off: the first job that lacks processors blocks all behind it and all queues "
            "of less priority; easy: the others may overtake if they do not delay it",
        .type = ParameterType::text,
        .default_value = "off",
        .words = {"off", "easy"}};
    all.insert(all.begin() + 1, {backfilling, simultaneous_parameter()});
    all.push_back(placement_parameter());
    return all;
}

}  // namespace

MultipleQueuesSettings multiple_queues_settings(const Parameters& parameters) {
    return {
        queue_table(parameters, "multiple_queues"),
        parameters.text("backfilling") == "easy" ? QueueBackfilling::easy : QueueBackfilling::off,
        simultaneous(parameters),
        placement_rule(parameters)};
}

PolicyDescription describe_multiple_queues() {
    PolicyDescription description;
    description.alternative = {
        .name = "multiple_queues",
        .summary =
            "Queues with priorities and limits, first come, first served within each, with "
            "or without EASY backfilling across them.",
        .parameters = multiple_queues_parameters(),
        .check = queue_table_problems,
        .source =
            "as in batch systems: Henderson 1995, Job scheduling under the Portable Batch System; "
            "EASY: Lifka "
            "1995"};
    description.check_workload =
        [](const Parameters& parameters, const SystemDescription&, const WorkloadTraits& workload) {
            const std::vector<SizeRange> sizes = multiple_queues_settings(parameters).sizes();
            return largest_job_problems(sizes, workload, "queue", "largest_size");
        };
    description.make = [](const Parameters& parameters, const PolicyContext&) {
        return std::make_unique<MultipleQueues>(multiple_queues_settings(parameters));
    };
    description.make_verifier = [](const Parameters& parameters, const PolicyContext&) {
        return make_queue_limits_verifier(multiple_queues_settings(parameters));
    };
    return description;
}

}  // namespace schedfarm::policies
