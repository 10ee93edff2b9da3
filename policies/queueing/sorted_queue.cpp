#include "policies/queueing/sorted_queue.hpp"

#include <utility>
#include <vector>

#include "engine/planning/planning_options.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

PolicyDescription describe(Alternative alternative, const MakeQueueKey& make_key, KeyTime time) {
    const auto settings_of = [time](const Parameters& parameters) {
        QueueSettings settings = queue_settings(parameters);
        settings.key_time = time;
        settings.simultaneous = simultaneous(parameters);
        return settings;
    };
    PolicyDescription description;
    description.alternative = std::move(alternative);
    description.traits = [](const Parameters& /*given*/) {
        return PolicyTraits{.takes_withdrawals = true};
    };
    description.make = [=](const Parameters& parameters, const PolicyContext& context) {
        return make_queue_policy(settings_of(parameters), make_key(parameters, context));
    };
    return description;
}

Alternative alternative(std::string name, std::string summary, std::int64_t max_jumps) {
    std::vector<ParameterDescription> parameters = queue_parameters(max_jumps);
    parameters.push_back(simultaneous_parameter());
    return {
        .name = std::move(name),
        .summary = std::move(summary),
        .parameters = std::move(parameters),
        .source = "ageing counters: Bucur & Epema 2000, section 2.3"};
}

}  // namespace

PolicyDescription describe_sorted_queue(
    std::string name, std::string summary, const MakeQueueKey& make_key, std::int64_t max_jumps
) {
    return describe(
        alternative(std::move(name), std::move(summary), max_jumps), make_key, KeyTime::arrival
    );
}

PolicyDescription describe_run_time_queue(
    std::string name, std::string summary, RunTimeKey key, KeyTime key_time
) {
    Alternative with_run_time =
        alternative(std::move(name), std::move(summary), any_number_of_jumps);
    with_run_time.parameters.push_back(
        run_time_parameter("run_time", "run time by which the queue is sorted")
    );
    return describe(
        std::move(with_run_time),
        [key](const Parameters& parameters, const PolicyContext&) {
            return [key, source = run_time(parameters, "run_time")](const Job& job, double now) {
                return key(job, planned_duration(job, source), now);
            };
        },
        key_time
    );
}

}  // namespace schedfarm::policies
