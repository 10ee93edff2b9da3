#include "app/report/schedule/time_bar.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace schedfarm::app {

std::string time_bar(const std::vector<double>& shares) {
    return time_bar(shares, std::vector<double>(shares.size()));
}

std::string time_bar(const std::vector<double>& shares, const std::vector<double>& out_of_order) {
    static constexpr std::array<const char*, 9> blocks = {
        " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    std::string bar;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const double height = std::clamp(shares[i], 0.0, 1.0) * 8;
        bar +=
            out_of_order[i] >= 0.5 ? "×" : blocks.at(static_cast<std::size_t>(std::lround(height)));
    }
    return bar;
}

std::string time_bar_axis(const std::string& begin, const std::string& end, std::size_t width) {
    const std::size_t room = width > begin.size() ? width - begin.size() : 0;
    return fmt::format("{:>10}{}{:>{}}\n", "", begin, end, room);
}

}  // namespace schedfarm::app
