// First come, first served: jobs start in the order of their arrival, and the head of the queue
// blocks until it fits. Cost: O(1) per job beside the placement.
#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <ranges>

#include "engine/planning/placement.hpp"
#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/kernel/actions.hpp"

#include "policies/specialised_simulators.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class Fcfs final : public Policy {
  public:
    explicit Fcfs(PlacementRule rule) : placer_(rule) {}

    void react(const EventBatch& events, Actions& actions) override {
        for (const JobId id : std::views::reverse(events.withdrawals)) {
            queue_.erase(std::next(std::find(queue_.rbegin(), queue_.rend(), id)).base());
        }
        queue_.insert(queue_.end(), events.arrivals.begin(), events.arrivals.end());
        const Machine& machine = actions.machine();
        while (!queue_.empty()) {
            const JobId head = queue_.front();
            const auto shares = placer_.place(actions.job(head), machine.free_by_cluster());
            if (shares.empty()) {
                return;
            }
            actions.start(head, shares);
            queue_.pop_front();
        }
    }

  private:
    Placer placer_;
    std::deque<JobId> queue_;
};

}  // namespace

PolicyDescription describe_fcfs() {
    PolicyDescription description;
    description.alternative = {
        .name = "fcfs",
        .summary = "First come, first served: the head of the queue blocks until it fits.",
        .parameters = {placement_parameter()},
        .source = "Bucur & Epema 2000, section 2.3"};
    description.traits = [](const Parameters&) {
        return PolicyTraits{.first_come_first_served = true, .takes_withdrawals = true};
    };
    description.make = [](const Parameters& parameters, const PolicyContext&) {
        return std::make_unique<Fcfs>(placement_rule(parameters));
    };
    description.specialised_simulator =
        [](const Parameters& parameters, const SimulationSetup& setup, WorkloadModel& workload) {
            return simulate_fcfs(placement_rule(parameters), setup, workload);
        };
    description.group_simulator = fcfs_group_simulator();
    // Jobs start in submit order, and the head of the queue as soon as it fits.
    return description;
}

}  // namespace schedfarm::policies
