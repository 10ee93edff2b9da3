// Random order: each job draws its place in the queue when it arrives, a number that depends on the
// replication and the job's index alone, and keeps it.
#include "engine/random/stream.hpp"

#include "policies/queueing/sorted_queue.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_random_order() {
    engine::PolicyDescription description = describe_sorted_queue(
        "random_order",
        "Whatever fits starts, in an order drawn at random, once per job.",
        [](const engine::Parameters&, const engine::PolicyContext& context) {
            return [random = context.random](const engine::Job& job, double) {
                return engine::unit_interval(random.draw(job.index));
            };
        },
        engine::any_number_of_jumps
    );
    description.traits = [](const engine::Parameters& /*given*/) {
        return engine::PolicyTraits{.draws = true, .takes_withdrawals = true};
    };
    return description;
}

}  // namespace schedfarm::policies
