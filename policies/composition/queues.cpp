// Queues with priorities and limits, as batch systems have them, over any policy: it sees the jobs
// that no limit holds back, in the order of the queues, and starts them as it would on a machine
// where they arrive in that order. It acts on the machine itself; the queues only decide what it
// sees. At each instant it is asked once, with what is taken back and handed down then.
#include "policies/composition/queues.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/simulation/kernel/actions.hpp"

#include "policies/composition/queue_admission.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class Queues final : public Policy {
  public:
    Queues(QueuesPlan plan, const PolicyContext& context)
        : admission_(std::move(plan.table)), inner_(plan.inner.make(context)) {}

    void react(const EventBatch& events, Actions& actions) override {
        withdrawals_.clear();
        for (const JobId id : events.withdrawals) {
            if (admission_.leave(id)) {
                withdrawals_.push_back(id);
            }
        }
        for (const JobId id : events.completions) {
            admission_.leave(id);
        }
        for (const JobId id : events.arrivals) {
            admission_.submit(id, actions.job(id));
        }
        admission_.hand_down([&actions](JobId id) { return actions.state(id) == JobState::waiting; }
        );
        const auto taken_back = admission_.taken_back();
        withdrawals_.insert(withdrawals_.end(), taken_back.begin(), taken_back.end());
        EventBatch own = events;
        own.withdrawals = withdrawals_;
        own.arrivals = admission_.handed_down();
        inner_->react(own, actions);
    }

  private:
    QueueAdmission admission_;
    std::unique_ptr<Policy> inner_;
    std::vector<JobId> withdrawals_;
};

QueueTable table_of(const Parameters& given) {
    return queue_table(given);
}

bool has_limits(const QueueTable& table) {
    return std::any_of(table.rules.begin(), table.rules.end(), [](const QueueRule& rule) {
        return rule.most_processors != no_limit || rule.most_running != no_limit
               || rule.most_running_per_user != no_limit;
    });
}

/// Whether a job may be handed down ahead of one that was before.
bool takes_jobs_back(const QueueTable& table) {
    const std::vector<QueueRule>& rules = table.rules;
    return (has_limits(table) && rules.size() > 1)
           || std::any_of(rules.begin(), rules.end(), [&rules](const QueueRule& rule) {
                  return rule.priority != rules.front().priority
                         || rule.most_running_per_user != no_limit;
              });
}

std::vector<ParameterProblem> queues_problems(const Parameters& given) {
    for (auto* const check : {queue_table_problems, stands_alone_problems}) {
        if (auto found = check(given); !found.empty()) {
            return found;
        }
    }
    if (inner_count(given) != 1) {
        return {
            {"inner",
             fmt::format("{} policies are named (one serves all queues)", inner_count(given)),
             "Use partitions, which have one policy each."}};
    }
    if (takes_jobs_back(table_of(given)) && !inner_policy(given, 0).traits().takes_withdrawals) {
        return {
            {"inner",
             fmt::format(
                 "'{}' gives no waiting jobs back (with priorities, limits of users or several "
                 "queues with limits a job may come ahead of one that it was handed before)",
                 given.at("inner").as_list().front().as_choice().name
             ),
             "Use another policy, such as easy or conservative."}};
    }
    return {};
}

PolicyTraits queues_traits(const Parameters& given) {
    const QueueTable table = table_of(given);
    PolicyTraits own = inner_policy(given, 0).traits();
    own.first_come_first_served = own.first_come_first_served && !takes_jobs_back(table);
    own.keeps_fixed_starts =
        own.keeps_fixed_starts && !takes_jobs_back(table) && !has_limits(table);
    return own;
}

std::vector<ParameterProblem> queues_workload_problems(
    const Parameters& given, const SystemDescription& system, const WorkloadTraits& workload
) {
    std::vector<ParameterProblem> found =
        largest_job_problems(table_of(given).sizes(), workload, "queue", "largest_size");
    return found.empty()
               ? as_inner_problems(inner_policy(given, 0).workload_problems(system, workload))
               : found;
}

std::vector<ParameterDescription> queues_parameters() {
    std::vector<ParameterDescription> all = queue_table_parameters();
    all.insert(
        all.begin(),
        inner_parameter("the policy that starts the jobs of all queues, any of this list; with "
                        "priorities, limits of users or several queues with limits one that gives "
                        "waiting jobs back: the queueing and backfilling policies, and "
                        "compositions of them")
    );
    return all;
}

}  // namespace

QueuesPlan queues_plan(const Parameters& given) {
    return {table_of(given), inner_policy(given, 0)};
}

PolicyDescription describe_queues() {
    PolicyDescription description;
    description.alternative = {
        .name = "queues",
        .summary = "Queues with priorities and limits over any policy.",
        .parameters = queues_parameters(),
        .check = queues_problems,
        .source =
            "as in batch systems: Henderson 1995, Job scheduling under the Portable Batch System"};
    description.traits = queues_traits;
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<Queues>(queues_plan(given), context);
    };
    description.check_system = [](const Parameters& given, const SystemDescription& system) {
        return as_inner_problems(inner_policy(given, 0).system_problems(system));
    };
    description.check_workload = queues_workload_problems;
    description.observations = [](const Parameters& given, const SystemDescription& system) {
        return inner_policy(given, 0).observations(system);
    };
    return description;
}

}  // namespace schedfarm::policies
