// The time of day for records that outlive a process. Never goes back within a process, whatever is
// done to the machine's clock.
#pragma once

#include <chrono>

namespace schedfarm::engine {

/// Seconds since 1970, UTC, to about a microsecond.
inline double seconds_since_1970() {
    using std::chrono::duration;
    using std::chrono::steady_clock;
    using std::chrono::system_clock;
    static const duration<double> offset =
        system_clock::now().time_since_epoch()
        - duration<double>(steady_clock::now().time_since_epoch());
    return (offset + duration<double>(steady_clock::now().time_since_epoch())).count();
}

}  // namespace schedfarm::engine
