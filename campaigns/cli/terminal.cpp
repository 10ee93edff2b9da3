#include "campaigns/cli/terminal.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "engine/foundation/utf8.hpp"

#include "campaigns/report/wrapped_text.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr const char* width_variable = "SCHEDFARM_RANKS_TEXT_WIDTH";

/// As the pattern says, then broken. The pattern's colours lie before the first break, which
/// replaces a blank: their places stay.
class BreakingFormatter final : public spdlog::formatter {
  public:
    explicit BreakingFormatter(std::function<std::optional<std::size_t>()> columns)
        : columns_(std::move(columns))
        , pattern_(std::make_unique<spdlog::pattern_formatter>("schedfarm: %^%l%$: %v")) {}

    void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& line) override {
        // What a foreign file says must not command the terminal.
        const std::string safe = engine::without_controls(
            {message.payload.data(), message.payload.size()}, engine::LineBreaks::keep
        );
        spdlog::details::log_msg shown = message;
        shown.payload = safe;
        pattern_->format(shown, line);
        message.color_range_start = shown.color_range_start;
        message.color_range_end = shown.color_range_end;
        if (const auto columns = columns_()) {
            const std::string text = broken_between_words(
                {line.data(), line.size()}, std::max<std::size_t>(*columns, 1)
            );
            std::copy(text.begin(), text.end(), line.data());
        }
    }

    std::unique_ptr<spdlog::formatter> clone() const override {
        return std::make_unique<BreakingFormatter>(columns_);
    }

  private:
    std::function<std::optional<std::size_t>()> columns_;
    std::unique_ptr<spdlog::formatter> pattern_;
};

bool ends_word(const std::string& text, std::size_t at) {
    return at >= text.size() || std::string_view(" \n.,;:!?)").find(text[at]) != std::string::npos;
}

/// The end of what begins with the backtick at `begin`; absent where that stands in a name, such
/// as that of a file. Backticks in the quotes of a shell are part of a command.
std::optional<std::size_t> end_of_command(const std::string& text, std::size_t begin) {
    if (begin > 0 && std::string_view(" \n(").find(text[begin - 1]) == std::string::npos) {
        return std::nullopt;
    }
    bool is_quoted = false;
    bool has_escapes = true;
    for (std::size_t i = begin + 1; i < text.size() && text[i] != '\n'; ++i) {
        if (has_escapes && text[i] == '\\') {
            ++i;
        } else if (text[i] == '\'') {
            has_escapes = is_quoted || text[i - 1] == '$';
            is_quoted = !is_quoted;
        } else if (!is_quoted && text[i] == '`') {
            const bool is_end = text[i - 1] != ' ' && ends_word(text, i + 1);
            return is_end ? std::optional(i) : std::nullopt;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::size_t> columns_of(int file) {
    struct winsize size {};
    if (ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return std::nullopt;
    }
    return size.ws_col;
}

std::size_t message_columns() {
    if (const auto columns = columns_of(STDERR_FILENO)) {
        return *columns;
    }
    const int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0) {
        return terminal_width;
    }
    const auto columns = columns_of(terminal);
    close(terminal);
    return columns.value_or(terminal_width);
}

std::size_t text_width() {
    constexpr std::size_t narrowest = 60;
    std::size_t width = columns_of(STDOUT_FILENO).value_or(terminal_width);
    // NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread
    if (const char* const told = std::getenv(width_variable)) {
        std::from_chars(told, told + std::strlen(told), width);
    }
    return std::clamp(width, narrowest, terminal_width);
}

void tell_ranks_text_width() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread
    setenv(width_variable, std::to_string(text_width()).c_str(), 1);
}

std::string broken_between_words(const std::string& message, std::size_t width) {
    std::string text = message;
    std::size_t line = 0;   // where it begins
    std::size_t blank = 0;  // the last one where it may be broken
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const bool is_end = i == text.size() || text[i] == '\n';
        if (is_end || text[i] == ' ') {
            const bool is_too_long = display_width(text.substr(line, i - line)) > width;
            if (is_too_long && blank > line) {
                text[blank] = '\n';
                line = blank + 1;
            }
            blank = i;
        }
        if (is_end) {
            line = i + 1;
        } else if (text[i] == '`') {
            i = end_of_command(text, i).value_or(i);
        }
    }
    return text;
}

void break_messages(std::function<std::optional<std::size_t>()> columns) {
    spdlog::set_formatter(std::make_unique<BreakingFormatter>(std::move(columns)));
}

}  // namespace schedfarm::campaigns
