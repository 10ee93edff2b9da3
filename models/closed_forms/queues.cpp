#include "models/closed_forms/queues.hpp"

#include "engine/foundation/expect.hpp"

namespace schedfarm::models::closed_forms {

double erlang_c(std::uint32_t servers, double load) {
    SCHEDFARM_EXPECT(load >= 0 && load < servers, "the queue is not stable");
    double blocking = 1;  // Erlang's B formula by its recursion in the number of servers
    for (std::uint32_t k = 1; k <= servers; ++k) {
        blocking = load * blocking / (k + load * blocking);
    }
    const double utilization = load / servers;
    return blocking / (1 - utilization * (1 - blocking));
}

double mmc_wait(std::uint32_t servers, double arrival_rate, double mean_service) {
    const double load = arrival_rate * mean_service;
    return erlang_c(servers, load) * mean_service / (servers - load);
}

double mg1_wait(double arrival_rate, double mean_service, double squared_variation) {
    const double load = arrival_rate * mean_service;
    SCHEDFARM_EXPECT(load >= 0 && load < 1, "the queue is not stable");
    return load * mean_service * (1 + squared_variation) / (2 * (1 - load));
}

}  // namespace schedfarm::models::closed_forms
