// The bands of sizes and of run times by which jobs of a log are counted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "models/trace/job_list.hpp"

namespace schedfarm::models::trace {

/// Values with low <= value < high.
struct Band {
    double low = 0;
    double high = 0;
    std::string name;  ///< "3 to 4 processors", "1 min to 10 min"
};

/// 1, 2, 3 to 4, 5 to 8 and so on, to that of the largest job; none without jobs.
std::vector<Band> size_bands(const JobList& jobs);

/// Bounds 0, 10 s, 1 min, 10 min, 1 h, 4 h, 12 h, 1 d.
std::vector<Band> run_time_bands();

/// REQUIRES: bands from their lowest value on; values beyond the last one lie in it.
inline std::size_t band_of(const std::vector<Band>& bands, double value) {
    const auto above =
        std::upper_bound(bands.begin(), bands.end(), value, [](double wanted, const Band& band) {
            return wanted < band.low;
        });
    return static_cast<std::size_t>(above - bands.begin()) - 1;
}

}  // namespace schedfarm::models::trace
