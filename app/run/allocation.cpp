#include "app/run/allocation.hpp"

#include <algorithm>

namespace schedfarm::app {

Allocation::Allocation(double start_s, double whole_s)
    : start_s_(start_s), whole_s_(whole_s), reserve_s_(std::min(10.0, whole_s / 10)) {}

AllocationVerdict Allocation::judge(double now_s, const std::vector<double>& predicted_s) const {
    const double left_s = usable_s() - (now_s - start_s_);
    const bool never_fits =
        !predicted_s.empty()
        && std::all_of(predicted_s.begin(), predicted_s.end(), [&](double predicted) {
               return predicted > usable_s();
           });
    if (never_fits) {
        return AllocationVerdict::never;
    }
    const bool is_too_long =
        std::any_of(predicted_s.begin(), predicted_s.end(), [&](double predicted) {
            return predicted <= usable_s() && predicted > left_s;
        });
    return is_too_long || left_s <= 0 ? AllocationVerdict::drain : AllocationVerdict::go_on;
}

std::vector<double> predicted_seconds(const CampaignProgress& progress) {
    std::vector<double> seconds;
    for (const auto& cell : progress.cells()) {
        if (cell->decision().is_open() && cell->ready() > 0 && progress.is_ours(cell->cell())) {
            seconds.push_back(cell->mean_seconds());
        }
    }
    return seconds;
}

}  // namespace schedfarm::app
