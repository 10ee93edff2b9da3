#include "app/cli/messages.hpp"

#include <memory>
#include <utility>

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

}  // namespace schedfarm::app
