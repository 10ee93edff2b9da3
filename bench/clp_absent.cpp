#include <stdexcept>

#include "bench/clp_reference.hpp"

namespace schedfarm::bench {

bool clp_is_present() {
    return false;
}

double clp_least_cost(const engine::NestedAssignment& /*problem*/) {
    throw std::runtime_error(
        "there is no CLP to compare with (the build did not find it). "
        "Install coinor-libclp-dev and configure again?"
    );
}

}  // namespace schedfarm::bench
