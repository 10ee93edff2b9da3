#include "models/closed_forms/saturation.hpp"

namespace schedfarm::models::closed_forms {

double maximal_utilization(const Fill& fill, double mean_size, std::uint32_t processors) {
    return mean_size / (processors * mean_inverse_jobs(fill));
}

}  // namespace schedfarm::models::closed_forms
