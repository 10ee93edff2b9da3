// Units of time that a workload gives a meaning.
#pragma once

#include <string>

namespace schedfarm::app {

/// "processor*time" and "s": "processor*s".
inline std::string in_unit(std::string unit, const std::string& time_unit) {
    if (const std::size_t time = unit.find("time"); time != std::string::npos) {
        unit.replace(time, 4, time_unit);
    }
    return unit;
}

}  // namespace schedfarm::app
