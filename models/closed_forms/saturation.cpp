#include "models/closed_forms/saturation.hpp"

namespace schedfarm::models::closed_forms {

double maximal_utilization(const Fill& fill, double mean_size, std::uint32_t processors) {
    return mean_size / (processors * mean_inverse_jobs(fill));
}

double maximal_utilization(const SizeProbabilities& sizes, std::uint32_t processors) {
    const ComponentProbabilities components{.first_probability = 1, .first = sizes, .second = {}};
    return maximal_utilization(fill_in_order(components, {processors}), mean_of(sizes), processors);
}

}  // namespace schedfarm::models::closed_forms
