#include "policies/moldable/moldable_batches.hpp"

#include <algorithm>
#include <utility>

#include "engine/planning/placement.hpp"
#include "engine/planning/promise_verifier.hpp"
#include "engine/simulation/kernel/actions.hpp"

#include "policies/moldable/moldable_bounds.hpp"
#include "policies/moldable/online_bound.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

double longest_time(const Job& job) {
    return job.moldable != nullptr ? job.moldable->times.front() : job.service_time;
}

class MoldableBatches final : public Policy {
  public:
    MoldableBatches(MoldablePlanner planner, BoundSettings bounds, const PolicyContext& context)
        : planner_(std::move(planner))
        , bounds_(std::move(bounds))
        , is_online_(bounds_.bounds == "offline")
        , random_(context.random)
        , placer_(PlacementRule::first_fit) {}

    void react(const EventBatch& events, Actions& actions) override {
        unfinished_ -= events.completions.size();
        if (is_online_ && unfinished_ == 0) {
            online_.end_batch(actions);
        }
        for (const JobId id : events.arrivals) {
            waiting_.push_back(id);
            online_.arrive(actions.job(id), actions);
        }
        if (unfinished_ == 0 && !waiting_.empty()) {
            plan_batch(actions);
        }
        start_due(actions);
    }

  private:
    struct Planned {
        JobId id;
        std::uint32_t processors = 1;
        double start = 0;
    };

    void plan_batch(Actions& actions) {
        plan_.clear();
        next_ = 0;
        unfinished_ = waiting_.size();
        std::vector<JobId> ids;
        std::vector<const Job*> jobs;
        for (const JobId id : waiting_) {
            const Job& job = actions.job(id);
            if (longest_time(job) > 0) {
                ids.push_back(id);
                jobs.push_back(&job);
            } else {
                plan_.push_back({id, job.moldable != nullptr ? 1 : job.size, actions.now()});
            }
        }
        waiting_.clear();
        if (!jobs.empty()) {
            plan_jobs(ids, {actions.machine().processors(), jobs, actions.now()}, actions);
        }
        ++batches_;
    }

    void plan_jobs(
        const std::vector<JobId>& ids, const MoldableProblem& problem, Actions& actions
    ) {
        MoldableCriteria reached;
        for (const PlannedStart& planned :
             planner_(problem, {random_, batches_ * draws_per_batch})) {
            const MoldableInstance& instance = problem.instance();
            const double time = instance.time(planned.task, planned.processors);
            plan_.push_back({ids[planned.task], planned.processors, planned.start});
            actions.announce({engine::Promise{.latest = planned.start}, ids[planned.task]});
            const double finish = planned.start - problem.begin() + time;
            reached.makespan = std::max(reached.makespan, finish);
            reached.weighted_completion += instance.weight(planned.task) * finish;
        }
        publish_bounds(bounds_, problem, reached, actions);
        if (is_online_) {
            online_.begin_batch(problem);
        }
    }

    void start_due(Actions& actions) {
        while (next_ < plan_.size() && plan_[next_].start <= actions.now()
               && start(plan_[next_].id, plan_[next_].processors, actions)) {
            ++next_;
        }
        if (next_ < plan_.size() && plan_[next_].start > actions.now()
            && plan_[next_].start != alarm_) {
            alarm_ = plan_[next_].start;
            actions.set_timer(alarm_, Timer{});
        }
    }

    /// False if it does not fit. A rigid job takes what it asks for.
    bool start(JobId id, std::uint32_t processors, Actions& actions) {
        const Job& job = actions.job(id);
        const Machine& machine = actions.machine();
        if (job.moldable == nullptr) {
            const auto shares = placer_.place(job, machine.free_by_cluster());
            if (!shares.empty()) {
                actions.start(id, shares);
            }
            return !shares.empty();
        }
        if (processors > machine.free_processors()) {
            return false;
        }
        shares_.clear();
        for (std::uint32_t c = 0; processors > 0; ++c) {
            const std::uint32_t taken = std::min(processors, machine.free_processors({c}));
            if (taken > 0) {
                shares_.push_back({{c}, taken});
                processors -= taken;
            }
        }
        actions.start(id, shares_);
        return true;
    }

    MoldablePlanner planner_;
    BoundSettings bounds_;
    bool is_online_;  // online_ publishes
    OnlineBound online_;
    Stream random_;
    Placer placer_;
    std::vector<ClusterShare> shares_;
    std::vector<JobId> waiting_;  // for the next batch

    // The current batch.
    std::vector<Planned> plan_;
    std::size_t next_ = 0;
    std::size_t unfinished_ = 0;
    double alarm_ = -1;  // the last that was set
    std::uint64_t batches_ = 0;
};

}  // namespace

TaskList task_list(const MoldableProblem& problem, const std::vector<std::uint32_t>& processors) {
    const MoldableInstance& instance = problem.instance();
    TaskList list;
    for (std::uint32_t task = 0; task < problem.size(); ++task) {
        const double time = instance.time(task, processors[task]);
        list.add(processors[task], {task, time, instance.weight(task)});
    }
    return list;
}

std::vector<PlannedStart> planned_starts(const TaskList& list, const ListSchedule& schedule) {
    std::vector<PlannedStart> plan;
    plan.reserve(list.tasks.size());
    for (std::size_t i = 0; i < list.entries.size(); ++i) {
        double start = schedule.starts[i];
        for (const ListedTask& task : list.tasks_of(list.entries[i])) {
            plan.push_back({task.task, list.entries[i].processors, start});
            start += task.time;
        }
    }
    std::stable_sort(plan.begin(), plan.end(), [](const PlannedStart& a, const PlannedStart& b) {
        return a.start < b.start;
    });
    return plan;
}

PolicyDescription describe_moldable_policy(const MoldablePolicy& policy) {
    PolicyDescription description;
    description.alternative = policy.alternative;
    for (ParameterDescription& row : bounds_parameters()) {
        description.alternative.parameters.push_back(std::move(row));
    }
    description.traits = [draws = policy.draws](const Parameters& given) {
        return PolicyTraits{.draws = draws && draws(given)};
    };
    description.make = [make_planner = policy.make_planner](
                           const Parameters& given, const PolicyContext& context
                       ) {
        return std::make_unique<MoldableBatches>(
            make_planner(given), bound_settings(given), context
        );
    };
    description.make_verifier = [](const Parameters&, const PolicyContext& context) {
        return make_promise_verifier(RunTime::actual, context.system);
    };
    description.observations = [](const Parameters& given, const SystemDescription&) {
        return bound_columns(given);
    };
    return description;
}

}  // namespace schedfarm::policies
