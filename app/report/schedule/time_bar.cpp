#include "app/report/schedule/time_bar.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace schedfarm::app {

std::string time_bar(const std::vector<double>& shares) {
    static constexpr std::array<const char*, 9> blocks = {
        " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    std::string bar;
    for (const double share : shares) {
        const double height = std::clamp(share, 0.0, 1.0) * 8;
        bar += blocks.at(static_cast<std::size_t>(std::lround(height)));
    }
    return bar;
}

std::string time_bar_axis(const std::string& begin, const std::string& end, std::size_t width) {
    const std::size_t room = width > begin.size() ? width - begin.size() : 0;
    return fmt::format("{:>10}{}{:>{}}\n", "", begin, end, room);
}

}  // namespace schedfarm::app
