// Backfilling with reservations for the first k jobs of the queue: k = 1 is EASY backfilling, k
// beyond the longest queue is conservative backfilling.
#include "policies/backfilling/reservations.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_k_reservations() {
    std::vector<engine::ParameterDescription> parameters = reservation_parameters();
    parameters.push_back(
        {.name = "reservations",
         .meaning = "jobs with a reservation at a time; 1: EASY; 1000000000 is as good as all: "
                    "conservative",
         .unit = "jobs",
         .type = engine::ParameterType::integer,
         .default_value = 4,
         .range = {.low = 0, .high = 1e15}}
    );
    return describe_reservation_policy(
        {.name = "k_reservations",
         .summary = "Backfilling: jobs overtake if they do not delay the first k of the queue.",
         .parameters = parameters,
         .source = "Chiang, Arpaci-Dusseau & Vernon 2002"},
        [](const engine::Parameters& given) {
            const auto most = static_cast<std::uint64_t>(given.integer("reservations"));
            return reservation_settings(given, {.most = most});
        }
    );
}

}  // namespace schedfarm::policies
