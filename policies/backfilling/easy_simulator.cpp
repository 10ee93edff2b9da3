// EASY backfilling in its textbook form (all options as they are by default) for total requests:
// the passes of policies/backfilling/easy.cpp without an event queue and without objects for jobs.
// Tested bit for bit against that policy on the general kernel.
//
// What makes it fast, and why the result is the same:
//   - While nobody waits, ends of jobs need no pass of their own.
//   - While nothing finishes, a waiting job that was found not to start need not be looked at again
//     before the shadow time: free and extra processors only become fewer, time goes on, and jobs
//     that overtake leave the shadow time as it is. So an arrival is judged alone.
//   - The forecast for the head outlives most finishes (Simulation::end).
//   - After a finish, older jobs are judged before those that arrive at the same instant, so that
//     these may be judged one by one too. If the smallest job but the head does not fit, none does.
//   - The scan of the queue reads two arrays, sizes and requests
//   (policies/backfilling/easy_columns.hpp).
// Cost: O(running + waiting jobs) per event, with the constant of vector instructions.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "engine/foundation/special_values.hpp"
#include "engine/planning/profile/availability_profile.hpp"
#include "engine/simulation/measurement/recorder.hpp"

#include "policies/backfilling/easy.hpp"
#include "policies/backfilling/easy_columns.hpp"
#include "policies/job_columns.hpp"
#include "policies/specialised_simulators.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class Simulation {
  public:
    Simulation(
        const Experiment& experiment, std::uint32_t processors, JobColumns& jobs, Recorder& recorder
    )
        : counted_(experiment.horizon.jobs)
        , jobs_(jobs)
        , arriving_(jobs, RunEnd(experiment, Overtaking::possible))
        , recorder_(recorder)
        , running_(processors)
        , queue_(processors) {
        limits_.free = processors;
    }

    /// Present when the queue grew beyond the limit.
    [[gnu::flatten]] std::optional<QueueOverflow> run() {
        while (!recorder_.has_all()) {
            const double end = queue_.empty() ? infinity : running_.next_finish();
            const double next = std::min(arriving_.next_submit(), end);
            if (next > limits_.now && arriving_.are_too_many(queue_.size())) {
                return QueueOverflow{.time = limits_.now, .jobs_submitted = arriving_.joined()};
            }
            advance_to(next);
            for (; arriving_.next_submit() <= limits_.now; arriving_.join()) {
                arrive();
            }
        }
        return {};
    }

  private:
    void advance_to(double time) {
        limits_.now = time;
        const double free_before = limits_.free;
        while (running_.next_finish() <= time) {
            end(running_.finish_next());
        }
        if (limits_.free > free_before || time >= limits_.shadow) {
            forecast_is_known_ &= time < limits_.shadow && limits_.extra < at_shadow_;
            pass(free_before);
        }
    }

    /// Of the forecast only the extra processors change, as long as they are fewer than those that
    /// are given back at the shadow time: without these the head would not fit.
    void end(const RunningJob& job) {
        limits_.free += job.size;
        limits_.extra += job.planned_end > limits_.shadow ? job.size : 0;
        at_shadow_ -= job.planned_end == limits_.shadow ? job.size : 0;
    }

    void pass(double free_before) {
        bool has_new_head = false;
        for (; !queue_.empty() && queue_.job_size(queue_.head()) <= limits_.free;
             has_new_head = true) {
            start_waiting(queue_.head());
            forecast_is_known_ = false;
        }
        if (queue_.empty() || (!forecast_is_known_ && !has_others(1, limits_.free))) {
            return;
        }
        know_forecast();
        if (has_new_head || has_others(free_before + 1, limits_.free)
            || has_others(1, std::min(limits_.extra, limits_.free))) {
            queue_.for_each_to_start(limits_, [this](std::size_t place) {
                use_extra(queue_.job_size(place), queue_.request(place));
                start_waiting(place);
            });
        }
    }

    bool has_others(double low, double high) const {
        return queue_.others().has_any(
            static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high)
        );
    }

    void arrive() {
        const std::size_t place = arriving_.place();
        const std::uint32_t size = jobs_.size(place);
        const double request = jobs_.estimate(place);
        JobRecord job = jobs_.record(place);
        job.submit_time = arriving_.next_submit();
        if (may_start(size, request)) {
            start(job, request);
        } else {
            queue_.add(job, request);
        }
    }

    /// Of a job that arrives; one that overtakes on extra processors has used them up then.
    bool may_start(double size, double request) {
        if (size > limits_.free || queue_.empty()) {
            return size <= limits_.free;
        }
        know_forecast();
        if (!ends_in_time(request) && size > limits_.extra) {
            return false;
        }
        use_extra(size, request);
        return true;
    }

    void start_waiting(std::size_t place) {
        start(queue_.job(place), queue_.request(place));
        queue_.remove(place);
    }

    void start(JobRecord& job, double request) {
        job.start_time = limits_.now;
        job.finish_time = limits_.now + job.service_time;
        limits_.free -= job.size;
        running_.add(
            {.finish = job.finish_time,
             .planned_end = planned_end(limits_.now, request),
             .size = static_cast<double>(job.size)}
        );
        if (job.index < counted_) {
            recorder_.add(job);
        }
    }

    bool ends_in_time(double request) const { return limits_.now + request <= limits_.shadow; }

    void use_extra(double size, double request) {
        limits_.extra -= ends_in_time(request) ? 0 : size;
    }

    void know_forecast() {
        if (!forecast_is_known_) {
            const double needed = queue_.job_size(queue_.head());
            const auto forecast = running_.forecast(needed, limits_.free, limits_.now);
            limits_.extra = forecast.extra;
            at_shadow_ = forecast.at_once;
            limits_.shadow = forecast.shadow > limits_.now ? forecast.shadow : -infinity;
            forecast_is_known_ = true;
        }
    }

    std::uint64_t counted_;  // jobs with smaller numbers are
    JobColumns& jobs_;
    ArrivingJobs arriving_;
    Recorder& recorder_;

    RunningColumns running_;
    WaitingColumns queue_;
    WaitingColumns::Limits limits_;   // now; where the forecast is known, all of them
    double at_shadow_ = 0;            // processors given back at the shadow time, or fewer
    bool forecast_is_known_ = false;  // that of the head
};

bool is_textbook(const EasySettings& settings) {
    return settings.simultaneous == Simultaneous::batch
           && settings.candidate_time == RunTime::requested
           && settings.running_time == RunTime::requested && settings.extra_rule == ExtraRule::on
           && settings.shadow == ShadowRule::recomputed && settings.order == QueueOrder::fcfs;
}

}  // namespace

std::optional<Observations> simulate_easy(
    const EasySettings& settings, const SimulationSetup& setup, WorkloadModel& workload
) {
    constexpr std::uint32_t most_processors = 16384;  // for the cost of a start
    const WorkloadTraits& traits = workload.traits();
    if (!is_textbook(settings) || !setup.experiment.kind.has_arrivals()
        || traits.structure != RequestStructure::total
        || !is_plain(setup.system, workload, most_processors)) {
        return std::nullopt;
    }
    const std::uint32_t processors = setup.system.processors();
    Recorder recorder(setup.experiment, setup.probes, setup.system, traits.job_classes);
    JobColumns jobs(workload, processors);
    const auto overflow = Simulation(setup.experiment, processors, jobs, recorder).run();
    return overflow ? recorder.finish_early(*overflow) : recorder.finish();
}

}  // namespace schedfarm::policies
