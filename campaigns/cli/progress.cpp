#include "campaigns/cli/progress.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace schedfarm::campaigns {

namespace {

struct Totals {
    std::uint64_t computed = 0;
    std::uint64_t predicted = 0;
    std::uint64_t under_way = 0;
    std::size_t cells_finished = 0;
};

Totals totals_of(const CampaignProgress& progress) {
    Totals totals;
    for (const auto& cell : progress.cells()) {
        totals.computed += std::min(cell->computed(), cell->predicted());
        totals.predicted += cell->predicted();
        totals.under_way += cell->in_flight();
        totals.cells_finished += cell->finished() ? 1U : 0U;
    }
    return totals;
}

std::string duration_text(double seconds) {
    const auto whole = static_cast<long>(seconds + 0.5);
    if (whole < 60) {
        return fmt::format("{} s", whole);
    }
    if (whole < 3600) {
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    }
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

ProgressStyle progress_style(const std::string& word) {
    if (word == "none") {
        return ProgressStyle::none;
    }
    if (word == "bar" || (word == "auto" && isatty(STDERR_FILENO) == 1)) {
        return ProgressStyle::bar;
    }
    return ProgressStyle::lines;
}

ProgressDisplay::ProgressDisplay(ProgressStyle style)
    : style_(style), start_(std::chrono::steady_clock::now()), last_(start_) {}

ProgressDisplay::~ProgressDisplay() {
    if (style_ == ProgressStyle::bar && drawn_) {
        std::fputs("\r\033[K", stderr);
    }
}

std::string ProgressDisplay::line(const CampaignProgress& progress) const {
    const Totals totals = totals_of(progress);
    const double share = totals.predicted == 0 ? 1.0
                                               : static_cast<double>(totals.computed)
                                                     / static_cast<double>(totals.predicted);
    const double elapsed =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    std::string text;
    if (style_ == ProgressStyle::bar) {
        constexpr int width = 24;
        const int filled = static_cast<int>(share * width);
        text = fmt::format("[{:#>{}}{:.>{}}] ", "", filled, "", width - filled);
    }
    text += fmt::format(
        "{:3.0f} %  {} of {} replications, {} of {} cells",
        100 * share,
        totals.computed,
        totals.predicted,
        totals.cells_finished,
        progress.cells().size()
    );
    if (share > 0.01 && share < 1) {
        text += fmt::format(", {} left", duration_text(elapsed * (1 - share) / share));
    }
    return text;
}

void ProgressDisplay::show(const CampaignProgress& progress) {
    if (style_ == ProgressStyle::none) {
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    const auto interval = style_ == ProgressStyle::bar ? std::chrono::milliseconds(200)
                                                       : std::chrono::milliseconds(10000);
    if (now - last_ < interval) {
        return;
    }
    last_ = now;
    drawn_ = true;
    const std::string text = line(progress);
    if (style_ == ProgressStyle::bar) {
        std::fprintf(stderr, "\r\033[K%s", text.c_str());
    } else {
        std::fprintf(stderr, "%s\n", text.c_str());
    }
    std::fflush(stderr);
}

}  // namespace schedfarm::campaigns
