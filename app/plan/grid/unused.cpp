#include "app/plan/grid/unused.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/config/theory.hpp"

namespace schedfarm::app {

void UnusedValues::add_cell(const CellSettings& settings) {
    if (!settings.experiment) {
        all_known_ = false;
        return;
    }
    const std::string experiment = settings.experiment->name();
    if (settings.takes_load()) {
        takes_load_ = true;
        return;
    }
    if (settings.is_open()) {
        without_load_ =
            fmt::format("workload '{}' with arrivals of its own", settings.workload->choice.name);
    } else {
        without_load_ = fmt::format("experiment '{}'", experiment);
        other_experiment_ = experiment;
    }
    if (settings.workload) {
        const auto& own = settings.workload->description->alternative.parameters;
        has_load_factor_ =
            has_load_factor_ || std::any_of(own.begin(), own.end(), [](const auto& row) {
                return row.name == "load_factor";
            });
    }
}

void UnusedValues::add_columns(const CellSettings& settings, const Cell& cell) {
    for (const engine::Choice& probe : settings.probe_choices) {
        if (resolve_metric(probe.name, cell.columns)) {
            observed_.insert(probe.name);
        }
    }
}

void UnusedValues::check(const Grid& grid, Problems& problems) const {
    check_load(grid, problems);
    if (problems.empty()) {
        check_pilot(grid, problems);
        check_probes(grid, problems);
    }
}

void UnusedValues::check_load(const Grid& grid, Problems& problems) const {
    if (without_load_.empty() || !all_known_) {
        return;
    }
    for (const Factor& factor : grid.factors()) {
        for (const std::string& path : factor.paths) {
            const bool varies_experiment = factor.paths.size() > 1;
            if (overlap(path, "load") && !varies_experiment) {
                problems.add(
                    factor.at,
                    path,
                    fmt::format(
                        "'{}' is varied but {} does not use it (its cells would be repeated)",
                        path,
                        without_load_
                    ),
                    has_load_factor_            ? "Vary 'workload.load_factor' in its place?"
                    : other_experiment_.empty() ? "Remove it, or zip it with 'workload'?"
                                                : "Remove it, or zip it with 'experiment'?"
                );
            }
        }
    }
    const Node::Entry* load = grid.base().find_entry("load");
    if (load != nullptr && !takes_load_ && load->at.file == grid.base().at.file) {
        problems.add(
            load->at,
            "load",
            fmt::format("'load' is not used by {} (it would be ignored)", without_load_),
            has_load_factor_ ? "Give 'workload.load_factor' in its place?" : "Remove it?"
        );
    }
}

void UnusedValues::check_pilot(const Grid& grid, Problems& problems) {
    const auto& factors = grid.factors();
    const bool is_used = std::any_of(factors.begin(), factors.end(), [](const Factor& factor) {
        return factor.is_placed();
    });
    const Node::Entry* pilot = grid.base().find_entry("pilot");
    if (pilot != nullptr && !is_used && pilot->at.file == grid.base().at.file) {
        problems.add(
            pilot->at,
            "pilot",
            "'pilot' is not used (no factor places loads by the saturation point)",
            "Remove it?"
        );
    }
}

void UnusedValues::check_probes(const Grid& grid, Problems& problems) const {
    const Node* probes = grid.base().find("probes");
    if (probes == nullptr) {
        return;
    }
    for (const Node& item : probes->items) {
        const std::string name = item.is_map() ? item.entries.front().key : item.scalar;
        if (!observed_.contains(name) && item.at.file == grid.base().at.file) {
            problems.add(
                item.at,
                "probes",
                fmt::format(
                    "probe '{}' is not observed in any cell (experiment '{}' has no such metric)",
                    name,
                    other_experiment_
                ),
                "Remove it?"
            );
        }
    }
}

}  // namespace schedfarm::app
