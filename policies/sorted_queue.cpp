#include "policies/sorted_queue.hpp"

#include <memory>
#include <utility>

#include "policies/fast_ways.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

PolicyDescription describe_sorted_queue(
    std::string name, std::string summary, const MakeQueueKey& make_key
) {
    PolicyDescription description;
    description.alternative = {
        .name = std::move(name),
        .summary = std::move(summary),
        .parameters = queue_parameters(),
        .source = "ageing counters: Bucur & Epema 2000, section 2.3"};
    description.traits = [](const Parameters&) {
        return PolicyTraits{};
    };
    description.make = [make_key](const Parameters& parameters, const PolicyContext& context) {
        return make_queue_policy(queue_settings(parameters), make_key(context));
    };
    // One job is offered at a time, so the order of the queue does not matter.
    description.make_fast_way = [](const Parameters& parameters, const FastWayContext& context) {
        return make_bin_filling_fast_way(placement_rule(parameters), context);
    };
    description.make_verifier = [make_key](
                                    const Parameters& parameters, const PolicyContext& context
                                ) {
        return make_queue_verifier(queue_settings(parameters), make_key(context), context.system);
    };
    return description;
}

double area(const Job& job) {
    return static_cast<double>(job.size) * job.estimate;
}

}  // namespace schedfarm::policies
