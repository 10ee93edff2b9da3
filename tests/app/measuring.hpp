// What a cell that is made up observes.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::tests {

inline std::shared_ptr<const app::CellMeasures> measuring(
    std::vector<engine::ObservationColumn> columns
) {
    return std::make_shared<const app::CellMeasures>(app::CellMeasures{std::move(columns)});
}

}  // namespace schedfarm::tests
