#include "models/trace/summary/bands.hpp"

#include <array>
#include <cstdint>
#include <limits>

#include "engine/foundation/message_text.hpp"

namespace schedfarm::models::trace {

std::vector<Band> size_bands(const JobList& jobs) {
    std::vector<Band> bands;
    if (jobs.size() == 0) {
        return bands;
    }
    const std::uint32_t largest = *std::max_element(jobs.processors.begin(), jobs.processors.end());
    std::uint64_t least = 1;
    for (std::uint64_t most = 1; least <= largest; most *= 2) {
        bands.push_back(
            {static_cast<double>(least),
             static_cast<double>(most + 1),
             engine::counted_range(least, most, "processor")}
        );
        least = most + 1;
    }
    return bands;
}

std::vector<Band> run_time_bands() {
    struct Bound {
        double seconds;
        const char* name;
    };
    constexpr std::array<Bound, 8> bounds{
        {{0, "0"},
         {10, "10 s"},
         {60, "1 min"},
         {600, "10 min"},
         {3600, "1 h"},
         {4 * 3600, "4 h"},
         {12 * 3600, "12 h"},
         {24 * 3600, "1 d"}}};
    std::vector<Band> bands;
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
        const std::string above = bounds[i + 1].name;
        bands.push_back(
            {bounds[i].seconds,
             bounds[i + 1].seconds,
             i == 0 ? "below " + above : bounds[i].name + (" to " + above)}
        );
    }
    bands.push_back({bounds.back().seconds, std::numeric_limits<double>::infinity(), "from 1 d"});
    return bands;
}

}  // namespace schedfarm::models::trace
