// What the gang scheduling policies share: their parameters, the jobs that they refuse and the time
// slices of the timeplexing cycle (Wang, Papaefthymiou & Squillante 1997; the trees are those of
// engine/planning/buddy_trees.hpp).
//
// There is a row for each class. In row r a tree whose largest class is h serves class r mod
// (h + 1); the root class, if there is one, has a row of its own. With 320 processors: 9, (8 | 1),
// (7 | 0), 6, 5, 4, 3, 2, 1, 0. A cycle has a time slice for each row, the largest first, or as
// many as are listed, in any order (section 7.2).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/kernel/machine.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/gang/switch_cost.hpp"

namespace schedfarm::policies {

/// How the cycle is divided among its slices.
enum class QuantaRule : std::uint8_t { uniform, utilization };

/// What becomes of processors that are idle within a slice: they stay so, or jobs that the slice's
/// rules allow start on them at the next arrival or completion.
enum class MidSlice : std::uint8_t { idle, refill };

struct GangSettings {
    double cycle_s = 1000;
    SwitchCost switches = {};
    MidSlice mid_slice = MidSlice::refill;
    QuantaRule rule = QuantaRule::uniform;
    std::vector<double> quanta_s = {};               ///< by slice; empty: by the rule
    std::vector<std::uint32_t> quanta_classes = {};  ///< row of each slice; empty: all, once
    double smallest_quantum_s = 20;                  ///< of QuantaRule::utilization
};

/// `mid_slice`: the default of the policy.
std::vector<engine::ParameterDescription> gang_parameters(MidSlice mid_slice);
std::vector<engine::ParameterProblem> gang_problems(const engine::Parameters& given);
/// Every class must have a slice, longer than the switch inside it; processors must not leave the
/// machine.
std::vector<engine::ParameterProblem> gang_system_problems(
    const engine::Parameters& given, const engine::SystemDescription& system
);
GangSettings gang_settings(const engine::Parameters& given);

/// The row of each slice of a cycle.
std::vector<std::uint32_t> rows_of_cycle(
    const GangSettings& settings, const engine::BuddyTrees& trees
);

/// The class that a tree serves in the row of class `row`.
inline std::uint32_t served_class(const engine::BuddyTrees::Tree& tree, std::uint32_t row) {
    return row % (tree.top + 1);
}

/// Nodes of one class that a slice serves.
struct SlicePart {
    std::uint32_t job_class = 0;
    std::vector<engine::NodeRange> nodes;
};

/// What the row of class `row` serves: a part for each class, that of the largest tree first.
std::vector<SlicePart> row_parts(const engine::BuddyTrees& trees, std::uint32_t row);

/// Announces the slice of the row of this class on some processors.
void announce_slice(
    engine::Actions& actions, std::uint32_t row, engine::ProcessorRange processors, double end
);

/// The class of a job. Throws std::runtime_error for one that gang scheduling cannot serve: larger
/// than the machine, with components, or without an end.
std::uint32_t gang_class(const engine::Job& job, const engine::BuddyTrees& trees);

/// A cycle cut into equal quanta; of a whole number of seconds that is enough each is whole too,
/// and the first get one second more.
std::vector<double> uniform_quanta(double cycle_s, std::size_t slices);

/// Quanta of `smallest_s` each and a share of the rest in proportion to the weights, in whole
/// seconds by largest remainder, ties to the first; uniform where all weights are 0.
std::vector<double> weighted_quanta(
    double cycle_s, double smallest_s, const std::vector<double>& weights
);

/// The quanta of a cycle, by slice. With QuantaRule::utilization they follow the work (service ×
/// processors of the node) of each class that arrived on the day before, in equal parts for the
/// slices of the class: section 7.2.
class GangQuanta {
  public:
    GangQuanta(const GangSettings& settings, const engine::BuddyTrees& trees);

    /// Slices of a cycle.
    std::size_t slices() const { return rows_.size(); }
    /// The row of a slice, as its class.
    std::uint32_t row_class(std::size_t slice) const { return rows_[slice]; }

    void arrive(double submit_time, double service_time, std::uint32_t job_class);
    /// Of a cycle that starts at `time`. Valid until the next call.
    const std::vector<double>& of_cycle(double time);

  private:
    std::vector<double> quanta_after(const std::vector<double>& work) const;

    GangSettings settings_;
    engine::BuddyTrees trees_;
    std::vector<std::uint32_t> rows_;
    std::vector<double> quanta_;
    double day_ = 0;                              // that quanta_ are for
    std::map<double, std::vector<double>> work_;  // by day, by class
};

}  // namespace schedfarm::policies
