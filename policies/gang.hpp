// What the gang scheduling policies share: their parameters, the jobs that they refuse and the rows
// of the timeplexing cycle (Wang, Papaefthymiou & Squillante 1997; the trees are those of
// engine/planning/buddy_trees.hpp).
//
// A cycle has a row for each class, the largest first. In row r a tree whose largest class is h
// serves class r mod (h + 1); the root class, if there is one, has a row of its own. With 320
// processors: 9, (8 | 1), (7 | 0), 6, 5, 4, 3, 2, 1, 0.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/policy.hpp"

namespace schedfarm::policies {

/// How the cycle is divided among its rows.
enum class QuantaRule : std::uint8_t { uniform, utilization };

struct GangSettings {
    double cycle_s = 1000;
    double switch_cost_s = 1;
    QuantaRule rule = QuantaRule::uniform;
    std::vector<double> quanta_s = {};  ///< by row; empty: by the rule
    double smallest_quantum_s = 20;     ///< of QuantaRule::utilization
};

std::vector<engine::ParameterDescription> gang_parameters();
std::vector<engine::ParameterProblem> gang_problems(const engine::Parameters& given);
/// Quanta must be longer than a switch; processors must not leave the machine.
std::vector<engine::ParameterProblem> gang_system_problems(
    const engine::Parameters& given, const engine::SystemDescription& system
);
GangSettings gang_settings(const engine::Parameters& given);

/// The class that a tree serves in the row of class `row`.
inline std::uint32_t served_class(const engine::BuddyTrees::Tree& tree, std::uint32_t row) {
    return row % (tree.top + 1);
}

/// The class of a job. Throws std::runtime_error for one that gang scheduling cannot serve: larger
/// than the machine, with components, or without an end.
std::uint32_t gang_class(const engine::Job& job, const engine::BuddyTrees& trees);

/// A cycle cut into equal quanta; of a whole number of seconds each is whole too, and the first
/// rows get one second more.
std::vector<double> uniform_quanta(double cycle_s, std::uint32_t rows);

/// Quanta of `smallest_s` each and a share of the rest in proportion to the weights, in whole
/// seconds by largest remainder, ties to the first row; uniform where all weights are 0.
std::vector<double> weighted_quanta(
    double cycle_s, double smallest_s, const std::vector<double>& weights
);

/// The quanta of a cycle, by row. With QuantaRule::utilization they follow the work (service ×
/// processors of the node) of each class that arrived on the day before: section 7.2.
class GangQuanta {
  public:
    GangQuanta(const GangSettings& settings, const engine::BuddyTrees& trees);

    void arrive(double submit_time, double service_time, std::uint32_t job_class);
    /// Of a cycle that starts at `time`. Valid until the next call.
    const std::vector<double>& of_cycle(double time);

  private:
    GangSettings settings_;
    engine::BuddyTrees trees_;
    std::vector<double> quanta_;
    double day_ = 0;                              // that quanta_ are for
    std::map<double, std::vector<double>> work_;  // by day, by row
};

}  // namespace schedfarm::policies
