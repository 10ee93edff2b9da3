#include "app/cli/messages.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/spdlog.h>

#include "engine/foundation/utf8.hpp"

namespace schedfarm::app {

namespace {

class SafeText final : public spdlog::custom_flag_formatter {
  public:
    void format(
        const spdlog::details::log_msg& message, const std::tm& /*time*/, spdlog::memory_buf_t& line
    ) override {
        const std::string text = engine::without_controls(
            {message.payload.data(), message.payload.size()}, engine::LineBreaks::keep
        );
        line.append(text.data(), text.data() + text.size());
    }

    std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
        return std::make_unique<SafeText>();
    }
};

}  // namespace

void format_messages(const std::string& before) {
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<SafeText>('*').set_pattern(before + "schedfarm: %^%l%$: %*");
    spdlog::set_formatter(std::move(formatter));
}

std::string duration_text(double seconds) {
    const long whole = std::lround(seconds);
    if (whole < 60) {
        return fmt::format("{} s", whole);
    }
    if (whole < 3600) {
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    }
    const long hours = whole / 3600;
    return hours < 3 * 24 ? fmt::format("{} h {:02} min", hours, whole / 60 % 60)
                          : fmt::format("{} d {:02} h", hours / 24, hours % 24);
}

std::string measured_text(double seconds) {
    return seconds < 9.5 ? fmt::format("{:.2g} s", std::max(seconds, 0.01))
                         : duration_text(seconds);
}

}  // namespace schedfarm::app
