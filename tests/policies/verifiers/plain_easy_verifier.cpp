#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/planning/profile/availability_profile.hpp"

#include "tests/policies/verifiers/plain_verifiers.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

// Relative to the time: two roundings of times within slices (policies/composition/own_time.hpp).
constexpr double tolerance = 1e-12;

bool is_later(double time, double promised) {
    return time > promised + tolerance * (1 + time);
}

class EasyVerifier final : public ScheduleVerifier {
  public:
    EasyVerifier(const EasySettings& settings, const SystemDescription& system)
        : settings_(settings)
        , free_(system.processors())
        , promises_hold_(
              settings.candidate_time == settings.running_time && system.outages.empty()
              && (settings.shadow == ShadowRule::recomputed
                  || settings.simultaneous == Simultaneous::batch)
          )
        , head_must_start_(system.outages.empty()) {}

    void observe(const ScheduleStep& step) override {
        if (step.kind == ScheduleStep::Kind::arrival) {
            const Job& job = *step.job;
            waiting_.push_back({job.index, {job.submit_time, job.estimate, job.size}});
            if (job.structure != RequestStructure::total) {
                promises_hold_ = false;
                head_must_start_ = false;
            }
        } else if (step.kind == ScheduleStep::Kind::start) {
            start(step);
        } else if (step.kind == ScheduleStep::Kind::withdrawal) {
            leave_queue(step.job->index);
            if (promised_to_ == step.job->index) {
                promised_to_.reset();
            }
        } else if (step.kind == ScheduleStep::Kind::completion) {
            free_ += step.job->size;
            std::erase_if(running_, [&step](const Running& job) {
                return job.index == step.job->index;
            });
        }
    }

    void end_of_instant(double time) override {
        if (waiting_.empty()) {
            return;
        }
        const Waiting& head = head_at(time);
        if (head_must_start_ && head.job.size <= free_) {
            throw ScheduleError(text(time, head.index) + " heads the queue, fits and waits");
        }
        if (promises_hold_) {
            promise(head, time);
        }
    }

    void finish() override {}

  private:
    struct Waiting {
        std::uint64_t index;
        OrderedJob job;
    };
    struct Running {
        std::uint64_t index;
        double end;
        std::uint32_t size;
    };

    static std::string text(double time, std::uint64_t index) {
        return "at time " + std::to_string(time) + ": job " + std::to_string(index);
    }

    void start(const ScheduleStep& step) {
        const Job& job = *step.job;
        if (is_ahead_of_promise(job, step.time)) {
            promised_to_.reset();
        }
        if (promises_hold_ && promised_to_ == job.index && is_later(step.time, promised_)) {
            throw ScheduleError(
                text(step.time, job.index) + " headed the queue and was promised to start by "
                + std::to_string(promised_)
            );
        }
        const double duration = planned_duration(job, settings_.running_time);
        promises_hold_ = promises_hold_ && duration >= job.service_time;
        running_.push_back({job.index, planned_end(step.time, duration), job.size});
        free_ -= job.size;
        leave_queue(job.index);
    }

    void leave_queue(std::uint64_t index) {
        std::erase_if(waiting_, [index](const Waiting& other) { return other.index == index; });
    }

    // It became the head itself, by its arrival or with time, and started at once.
    bool is_ahead_of_promise(const Job& job, double time) const {
        const auto promised =
            std::find_if(waiting_.begin(), waiting_.end(), [this](const Waiting& waiting) {
                return waiting.index == promised_to_;
            });
        const OrderedJob started{job.submit_time, job.estimate, job.size};
        return promised != waiting_.end()
               && queue_key(settings_.order, started, time)
                      < queue_key(settings_.order, promised->job, time);
    }

    const Waiting& head_at(double time) const {
        const auto key = [this, time](const Waiting& waiting) {
            return queue_key(settings_.order, waiting.job, time);
        };
        return *std::min_element(
            waiting_.begin(),
            waiting_.end(),
            [&key](const Waiting& a, const Waiting& b) { return key(a) < key(b); }
        );
    }

    void promise(const Waiting& head, double time) {
        std::sort(running_.begin(), running_.end(), [](const Running& a, const Running& b) {
            return a.end < b.end;
        });
        std::uint64_t free = free_;
        double start = time;
        for (std::size_t i = 0; i < running_.size() && free < head.job.size; ++i) {
            free += running_[i].size;
            start = running_[i].end;
        }
        if (promised_to_ != head.index) {
            promised_to_ = head.index;
            promised_ = start;
        }
        if (is_later(start, promised_)) {
            throw ScheduleError(
                text(time, head.index) + " heads the queue and was promised to start by "
                + std::to_string(promised_) + ", but will start at " + std::to_string(start)
            );
        }
        if (settings_.shadow == ShadowRule::recomputed) {
            promised_ = start;
        }
    }

    EasySettings settings_;
    std::uint64_t free_;
    bool promises_hold_;
    bool head_must_start_;
    std::vector<Waiting> waiting_;  // in order of arrival
    std::vector<Running> running_;
    std::optional<std::uint64_t> promised_to_;  // index of a job
    double promised_ = 0;
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_easy_verifier(
    const EasySettings& settings, const SystemDescription& system
) {
    return std::make_unique<EasyVerifier>(settings, system);
}

}  // namespace schedfarm::tests
