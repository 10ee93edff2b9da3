#include "app/campaign/plan/twins.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "models/work_variation.hpp"

#include "app/campaign/plan/steady_state.hpp"

namespace schedfarm::app {

namespace {

constexpr std::string_view twin_column = "twin_wait_";

/// Parts of the room 1 − utilization of the whole machine.
constexpr std::array<double, 4> rooms{1, 0.5, 0.25, 0.125};

std::vector<double> loads_of(const Cell& cell) {
    if (cell.placed_load) {
        return {cell.placed_load->fraction};
    }
    std::vector<double> loads;
    for (const double room : rooms) {
        loads.push_back(1 - room * (1 - *cell.utilization));
    }
    return loads;
}

bool is_twin(const ControlMean& control) {
    return control.column.starts_with(twin_column);
}

/// Whether a twin at every load is below its saturation.
bool has_room(const Cell& cell) {
    const auto load = cell.placed_load ? cell.placed_load->fraction : cell.utilization;
    return load && *load > 0 && *load < 1;
}

}  // namespace

std::vector<ControlMean> twins_of(const Cell& cell) {
    std::vector<ControlMean> twins;
    std::ranges::copy_if(cell.controls, std::back_inserter(twins), is_twin);
    return twins;
}

std::vector<ControlMean> own_controls_of(const Cell& cell) {
    std::vector<ControlMean> controls;
    std::ranges::remove_copy_if(cell.controls, std::back_inserter(controls), is_twin);
    return controls;
}

std::vector<double> twin_loads(const Cell& cell) {
    return std::ranges::any_of(cell.controls, is_twin) ? loads_of(cell) : std::vector<double>();
}

void add_twins(Cell& cell) {
    if (!asks_for_steady_state(cell) || cell.load_search || !has_room(cell)) {
        return;
    }
    const auto variation = models::squared_variation_of_work(*cell.workload, cell.system);
    if (!variation) {
        return;
    }
    CellMeasures measures = *cell.measures;
    std::size_t number = 0;
    for (const double load : loads_of(cell)) {
        const std::string name = fmt::format("{}{}", twin_column, ++number);
        cell.controls.push_back({name, load / (1 - load) * (1 + *variation) / 2});
        measures.columns.push_back(
            {.name = name,
             .unit = "1",
             .meaning = fmt::format(
                 "mean wait of the measured jobs in a queue of one server under the same random "
                 "numbers, in its mean service times: twin {}, a control variate",
                 number
             ),
             .is_diagnostic = true}
        );
    }
    cell.measures = std::make_shared<const CellMeasures>(std::move(measures));
}

}  // namespace schedfarm::app
