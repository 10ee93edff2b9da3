#include "app/campaign/plan/pilots.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/campaign/plan/identity/keys.hpp"
#include "app/campaign/yaml/numbers.hpp"

namespace schedfarm::app {

namespace {

bool is_equal_cell(const FactorLevel& a, const FactorLevel& b) {
    return a.factor == b.factor && a.label == b.label;
}

void keep_common(std::vector<FactorLevel>& levels, const std::vector<FactorLevel>& others) {
    const auto differs = [&](const FactorLevel& level) {
        return std::none_of(others.begin(), others.end(), [&](const FactorLevel& other) {
            return is_equal_cell(level, other);
        });
    };
    levels.erase(std::remove_if(levels.begin(), levels.end(), differs), levels.end());
}

/// The levels of a cell but for its own load, which is no property of the pilot.
std::vector<FactorLevel> without_load(std::vector<FactorLevel> levels) {
    const auto is_load = [](const FactorLevel& level) {
        return level.factor == "load.utilization";
    };
    levels.erase(std::remove_if(levels.begin(), levels.end(), is_load), levels.end());
    return levels;
}

}  // namespace

CellSettings pilot_settings(const CellSettings& settings) {
    CellSettings pilot = settings;
    pilot.experiment = engine::ExperimentKind::saturated;
    pilot.utilization.reset();
    pilot.load_search.reset();
    pilot.saturation_fraction.reset();
    pilot.horizon = std::make_shared<const HorizonSettings>(HorizonSettings{
        .horizon = settings.pilot->horizon});
    pilot.probes = std::make_shared<const CellProbes>();
    ReplicationPlan plan;
    plan.limits = {settings.pilot->replications, settings.pilot->replications};
    plan.method = engine::IntervalMethod::student_t;
    pilot.replications = std::make_shared<const ReplicationPlan>(std::move(plan));
    return pilot;
}

bool check_pilot(const CheckedCell& cell, const EstimatedLoad& load, Problems& problems) {
    const engine::WorkloadModelDescription& model = *cell.settings.workload->description;
    if (!model.serves(engine::ExperimentKind::saturated)) {
        problems.add_once(
            "no saturated",
            {load.at,
             "load.utilization",
             fmt::format(
                 "no load can be placed{} (the maximal utilization is not known, and workload "
                 "model '{}' does not serve experiment 'saturated', which would estimate it)",
                 cell.where,
                 model.alternative.name
             ),
             "Give a list of loads, such as [0.5, 0.6, 0.7]."}
        );
        return false;
    }
    if (load.fraction >= 1 && cell.settings.allow_unstable == false) {
        problems.add_once(
            "unstable",
            {load.at,
             "load.utilization",
             fmt::format(
                 "{} of the saturation point{} (the queue would grow without bound)",
                 number_text(load.fraction),
                 cell.where
             ),
             "Lower it, or set 'allow_unstable: true'."}
        );
        return false;
    }
    return true;
}

const Cell& Pilots::add(Cell pilot, const std::vector<FactorLevel>& served) {
    auto key = std::pair(pilot.replication_key, replications_bytes(pilot.replications));
    const auto [found, is_new] = known_.try_emplace(std::move(key), cells_.size());
    if (!is_new) {
        Cell& known = cells_[found->second];
        keep_common(known.levels, served);
        return known;
    }
    pilot.index = first_ + static_cast<std::uint32_t>(cells_.size());
    pilot.is_pilot = true;
    pilot.levels = without_load(served);
    cells_.push_back(std::move(pilot));
    return cells_.back();
}

}  // namespace schedfarm::app
