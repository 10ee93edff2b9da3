// A table of advance reservations beside a table of tasks: CSV with the header
// `reservation,start,end,processors` and a line for each, its name, when it begins and ends and how
// many processors it holds meanwhile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace schedfarm::app {

struct Reservation {
    std::string name;
    double start = 0;
    double end = 0;  ///< processors are free from then on
    std::uint32_t processors = 1;

    /// How long it lasts, for a clock that rounds start + time: at most until `end`.
    double time() const;
};

/// At least one; each begins at 0 or later and ends after it began, and never are more than
/// `processors` reserved at once. Throws ConfigErrors with one problem, the first.
std::vector<Reservation> read_reservations(
    const std::string& file, const std::string& content, std::uint32_t processors
);

/// The same of a file.
std::vector<Reservation> open_reservations(const std::string& file, std::uint32_t processors);

}  // namespace schedfarm::app
