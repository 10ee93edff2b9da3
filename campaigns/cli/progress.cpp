#include "campaigns/cli/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/statistics/estimate.hpp"

namespace schedfarm::campaigns {

namespace {

struct Totals {
    std::uint64_t computed = 0;
    std::uint64_t predicted = 0;
    std::uint64_t under_way = 0;
    std::size_t cells_finished = 0;
    double core_hours_left = 0;
};

Totals totals_of(const CampaignProgress& progress) {
    Totals totals;
    for (const auto& cell : progress.cells()) {
        totals.computed += std::min(cell->computed(), cell->predicted());
        totals.predicted += cell->predicted();
        totals.under_way += cell->in_flight();
        totals.cells_finished += cell->finished() ? 1U : 0U;
        const std::uint64_t left =
            cell->predicted() - std::min(cell->computed(), cell->predicted());
        totals.core_hours_left += static_cast<double>(left) * cell->mean_seconds() / 3600;
    }
    return totals;
}

/// The undecided cell that is expected to need most replications still.
const CellProgress* slowest_cell(const CampaignProgress& progress) {
    const CellProgress* slowest = nullptr;
    std::uint64_t most = 0;
    for (const auto& cell : progress.cells()) {
        const std::uint64_t left = cell->predicted() - std::min(cell->prefix(), cell->predicted());
        if (cell->decision().is_open() && left > most) {
            most = left;
            slowest = cell.get();
        }
    }
    return slowest;
}

/// How precise a cell is by now, by an interval that may be looked at as often as one likes; empty
/// where there is no target or too little to say.
std::string precision_text(const CellProgress& cell) {
    const std::vector<MetricTarget>& targets = cell.cell().replications.targets;
    if (targets.empty() || cell.prefix() < 8) {
        return "";
    }
    const MetricTarget* target = &targets.front();
    for (const MetricTarget& candidate : targets) {
        target = candidate.metric == cell.decision().most_demanding ? &candidate : target;
    }
    const MetricSample sample = cell.metric_sample(target->metric, cell.prefix());
    const auto method = engine::IntervalMethod::confidence_sequence;
    const double confidence = target->target.confidence;
    const auto estimate =
        sample.denominators.empty()
            ? engine::estimate_mean(sample.values, confidence, method)
            : engine::estimate_ratio(sample.values, sample.denominators, confidence, method);
    if (!estimate || !std::isfinite(estimate->longer_side())) {
        return "";
    }
    const auto& relative = target->target.relative;
    return fmt::format(
        "cell {}: {} {:.4g} +- {:.2g}{}",
        cell.cell().index,
        target->metric,
        estimate->mean,
        estimate->longer_side(),
        relative ? fmt::format(
            " ({:.1f} % of at most {:.1f} %)",
            100 * estimate->longer_side() / std::abs(estimate->mean),
            100 * *relative
        )
                 : ""
    );
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
        std::fputs("\r\033[K\n\033[K\033[1A", stderr);
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
    if (totals.core_hours_left >= 0.1) {
        text += fmt::format(" ({:.1f} core-hours)", totals.core_hours_left);
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
    const CellProgress* slowest = slowest_cell(progress);
    const std::string detail = slowest != nullptr ? precision_text(*slowest) : "";
    if (style_ == ProgressStyle::bar) {
        // Two lines; the cursor stays on the first.
        std::fprintf(stderr, "\r\033[K%s\n\033[K%.78s\033[1A", text.c_str(), detail.c_str());
    } else {
        std::fprintf(stderr, "%s%s%s\n", text.c_str(), detail.empty() ? "" : "; ", detail.c_str());
    }
    std::fflush(stderr);
}

}  // namespace schedfarm::campaigns
