#include "engine/planning/promise_verifier.hpp"
#include "engine/planning/queue_policy.hpp"

#include "policies/backfilling/reservations.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

std::vector<ParameterDescription> reservation_parameters() {
    return {
        simultaneous_parameter(),
        run_time_parameter("run_time", "run time by which plans are made"),
        placement_parameter(),
        {.name = "compress",
         .meaning = "after which finishes jobs move ahead to where they fit by now: every_finish; "
                    "early_finish: only one before its planned end",
         .type = ParameterType::text,
         .default_value = "every_finish",
         .words = {"every_finish", "early_finish"}}};
}

ReservationSettings reservation_settings(
    const Parameters& parameters, const Entitlement& entitlement
) {
    return {
        .simultaneous = simultaneous(parameters),
        .run_time = run_time(parameters, "run_time"),
        .placement = placement_rule(parameters),
        .entitlement = entitlement,
        .compress = parameters.text("compress") == "early_finish" ? CompressRule::early_finish
                                                                  : CompressRule::every_finish};
}

PolicyDescription describe_reservation_policy(
    const Alternative& alternative,
    const std::function<ReservationSettings(const Parameters&)>& settings_of
) {
    PolicyDescription description;
    description.alternative = alternative;
    description.traits = [](const Parameters&) {
        return PolicyTraits{
            .keeps_fixed_starts = true, .takes_withdrawals = true, .answers_earliest_start = true};
    };
    description.make = [settings_of](const Parameters& parameters, const PolicyContext& context) {
        return make_reservation_policy(settings_of(parameters), context.system);
    };
    description.make_verifier = [](const Parameters& parameters, const PolicyContext& context) {
        return make_promise_verifier(run_time(parameters, "run_time"), context.system);
    };
    return description;
}

}  // namespace schedfarm::policies
