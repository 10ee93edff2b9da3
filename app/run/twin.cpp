#include "app/run/twin.hpp"

#include <cstddef>
#include <utility>

#include "app/campaign/plan/steady_state.hpp"
#include "app/campaign/plan/twins.hpp"
#include "app/run/cell_progress.hpp"

namespace schedfarm::app {

std::optional<engine::ControlledEstimate> estimate_by_twin(
    const CellProgress& cell, const std::string& metric, std::uint64_t n
) {
    const std::vector<ControlMean> twins = twins_of(cell.cell());
    const std::size_t column = *column_index(cell.cell(), metric);
    std::optional<engine::ControlledEstimate> best;
    if (twins.empty() || !depends_on_queue(cell.cell(), metric)
        || quantile_source(cell.cell(), metric)
        || !cell.cell().measures->columns[column].counted_by.empty()) {
        return best;
    }
    const std::vector<double> values = cell.column(column, n);
    for (const ControlMean& twin : twins) {
        const auto waits = cell.column(*column_index(cell.cell(), twin.column), n);
        const std::vector<engine::Control> controls{{waits, twin.mean}};
        auto found =
            engine::estimate_with_controls(values, controls, cell.cell().replications.confidence);
        const double least = best ? best->variance_reduction : least_twin_gain;
        if (found && found->variance_reduction > least_gain_of_itself) {
            return std::nullopt;
        }
        if (found && found->variance_reduction > least) {
            best = std::move(found);
        }
    }
    return best;
}

}  // namespace schedfarm::app
