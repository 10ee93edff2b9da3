// Conservative backfilling: every job gets a reservation when it arrives, and keeps it or an
// earlier one. With run times never longer than planned nobody starts later than first promised.
#include "policies/backfilling/reservations.hpp"

namespace schedfarm::policies {

engine::PolicyDescription describe_conservative() {
    return describe_reservation_policy(
        {.name = "conservative",
         .summary = "Conservative backfilling: jobs overtake if they delay nobody; compression job "
                    "by job.",
         .parameters = reservation_parameters(),
         .source = "Mu'alem & Feitelson 2001, section 2"},
        [](const engine::Parameters& parameters) { return reservation_settings(parameters, {}); }
    );
}

}  // namespace schedfarm::policies
