#include "app/cli/arrivals_display.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "app/cli/commands/run_totals.hpp"

namespace schedfarm::app {

namespace {

constexpr double interval_at_terminal_s = 0.2;
constexpr double interval_elsewhere_s = 10;
constexpr const char* erasure = "\r\033[K";

void draw(const std::string& text) {
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace

std::string arrivals_text(std::uint64_t jobs, std::uint64_t of, double elapsed_s) {
    return fmt::format(
        "{} of {} jobs have come ({} %), {}",
        jobs,
        of,
        jobs * 100 / std::max<std::uint64_t>(of, 1),
        duration_text(elapsed_s)
    );
}

ArrivalsDisplay::ArrivalsDisplay()
    : is_terminal_(isatty(STDERR_FILENO) == 1)
    , times_(is_terminal_ ? interval_at_terminal_s : interval_elsewhere_s)
    , start_(std::chrono::steady_clock::now()) {}

ArrivalsDisplay::~ArrivalsDisplay() {
    if (is_drawn_) {
        draw(erasure);
    }
}

void ArrivalsDisplay::show(std::uint64_t jobs, std::uint64_t of) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    if (!times_.is_due(elapsed.count())) {
        return;
    }
    const std::string text = arrivals_text(jobs, of, elapsed.count());
    if (is_terminal_) {
        draw(erasure + text);
        is_drawn_ = true;
    } else {
        spdlog::info("{}", text);
    }
}

}  // namespace schedfarm::app
