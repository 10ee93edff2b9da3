#include "app/cli/messages.hpp"

#include <memory>
#include <sstream>

#include <doctest/doctest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

using schedfarm::app::format_messages;

TEST_CASE("messages have no control characters but line breaks and erase the line before them") {
    std::ostringstream text;
    const auto before = spdlog::default_logger();
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_st>(text);
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", sink));
    format_messages();
    spdlog::warn("\033[31mred\nof é");
    format_messages("\r\033[K");
    spdlog::error("while a line is shown");
    spdlog::set_default_logger(before);
    CHECK(
        text.str()
        == "schedfarm: warning: ?[31mred\nof é\n"
           "\r\033[Kschedfarm: error: while a line is shown\n"
    );
}
