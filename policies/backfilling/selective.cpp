// Selective backfilling: a job gets a reservation once its expansion factor, (wait + run time) /
// run time, has reached a threshold; the others overtake freely what is not reserved. Whether the
// threshold is reached is looked at when something happens.
#include "policies/backfilling/reservations.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_selective() {
    std::vector<engine::ParameterDescription> parameters = reservation_parameters();
    parameters.push_back(
        {.name = "expansion_factor",
         .meaning =
             "(wait + run time) / run time from which on a job has a reservation; 1: at once",
         .type = engine::ParameterType::real,
         .default_value = 2.0,
         .range = {.low = 1, .high = 1e15}}
    );
    return describe_reservation_policy(
        {.name = "selective",
         .summary = "Selective backfilling: only jobs that have waited long for what they ask have "
                    "a reservation.",
         .parameters = parameters,
         .source = "Srinivasan, Kettimuthu, Subramani & Sadayappan 2002"},
        [](const engine::Parameters& given) {
            return reservation_settings(
                given, {.expansion_factor = given.real("expansion_factor")}
            );
        }
    );
}

}  // namespace schedfarm::policies
