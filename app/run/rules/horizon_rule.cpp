#include "app/run/rules/horizon_rule.hpp"

#include <algorithm>

#include "app/run/rules/lengthening_rule.hpp"

namespace schedfarm::app {

namespace {

bool waits_for_the_group(const CellProgress* cell) {
    return !cell->decision().is_open() || cell->wanted_level();
}

}  // namespace

void HorizonRule::advance() {
    std::uint32_t level = 1;
    while (level > 0 && std::all_of(cells().begin(), cells().end(), waits_for_the_group)) {
        level = 0;
        for (const CellProgress* cell : cells()) {
            level = std::max(level, cell->wanted_level().value_or(0));
        }
        lengthen_together(cells(), level);
    }
}

}  // namespace schedfarm::app
