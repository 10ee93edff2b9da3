// Stationary means of classical queues, first-come first-served, Poisson arrivals. Pure functions.
// Every function REQUIRES a stable queue: arrival_rate · mean_service < servers.
#pragma once

#include <cstdint>

namespace schedfarm::models::closed_forms {

/// P(an arrival must wait) in M/M/c, Erlang's C formula; `load` = arrival rate · mean service.
double erlang_c(std::uint32_t servers, double load);

/// M/M/c: E[wait] = C(c, a) / (c/E[S] − λ).
double mmc_wait(std::uint32_t servers, double arrival_rate, double mean_service);

/// M/G/1: E[wait] = ρ E[S] (1 + c²) / (2 (1 − ρ)) (Pollaczek and Khinchine), c² the
/// squared coefficient of variation of the service time.
double mg1_wait(double arrival_rate, double mean_service, double squared_variation);

}  // namespace schedfarm::models::closed_forms
