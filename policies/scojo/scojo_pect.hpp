// The parameters of Scojo-PECT (policies/scojo/scojo_pect.cpp).
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/planning/planning_options.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/scojo/node_choice.hpp"

namespace schedfarm::policies {

/// Who waits keeps a reservation: every job, or the first of its type that cannot start.
enum class Backfilling : std::uint8_t { conservative, easy };

struct ScojoSettings {
    std::vector<double> slices_s;      ///< by type of job, in order of the interval
    std::vector<double> thresholds_s;  ///< a job of type k is shorter than thresholds_s[k]
    engine::RunTime run_time = engine::RunTime::requested;
    Backfilling backfilling = Backfilling::conservative;
    NodeRule nodes;
    double load_rate = 4;   ///< memory per second
    double prefetch_s = 0;  ///< before the end of a slice
    bool relocates = false;

    std::size_t types() const { return slices_s.size(); }
    std::size_t type_of(const engine::Job& job) const;
};

/// The names of what is published of jobs of a type.
struct ScojoColumns {
    std::string overhead;
    std::string reducible;
};
/// Empty: not by type, as there is one.
std::vector<ScojoColumns> scojo_columns(std::size_t types);

ScojoSettings scojo_settings(const engine::Parameters& given);

/// A job was loaded, and charged for having been displaced, for many intervals and got no further.
class LivelockError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace schedfarm::policies
