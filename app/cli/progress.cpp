#include "app/cli/progress.hpp"

#include <algorithm>
#include <cstdio>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "app/cli/messages.hpp"
#include "app/cli/progress_text.hpp"

namespace schedfarm::app {

namespace {

/// The undecided cell that is expected to need most replications still, and can go on.
const CellProgress* slowest_cell(const CampaignProgress& progress) {
    const CellProgress* slowest = nullptr;
    std::uint64_t most = 0;
    for (const auto& cell : progress.cells()) {
        const std::uint64_t left = cell->predicted() - std::min(cell->prefix(), cell->predicted());
        if (cell->decision().is_open() && !cell->has_hole() && left > most) {
            most = left;
            slowest = cell.get();
        }
    }
    return slowest;
}

/// The replication under way that was given out first: cells take turns, replications in order.
std::optional<ReplicationId> first_under_way(const CampaignProgress& progress) {
    std::optional<ReplicationId> first;
    for (const auto& cell : progress.cells()) {
        if (cell->in_flight() == 0) {
            continue;
        }
        std::uint64_t missing = cell->prefix();
        while (cell->outcomes().has_outcome(missing)) {
            ++missing;
        }
        const std::uint32_t replication = cell->index_of(missing);
        if (!first || replication < first->replication) {
            first = {cell->cell().index, replication};
        }
    }
    return first;
}

/// Says that nothing comes in any more, where that is long for this campaign; else empty.
std::string quiet_text(const CampaignProgress& progress, double quiet_s) {
    double longest_s = 0;
    std::uint64_t under_way = 0;
    for (const auto& cell : progress.cells()) {
        longest_s = std::max(longest_s, cell->mean_seconds());
        under_way += cell->in_flight();
    }
    const auto first = first_under_way(progress);
    return first && quiet_s > patience_s(longest_s) ? quiet_text(quiet_s, *first, under_way) : "";
}

std::string slowest_text(const CampaignProgress& progress) {
    const CellProgress* slowest = slowest_cell(progress);
    return slowest == nullptr ? "" : cell_text(progress, *slowest);
}

}  // namespace

ProgressStyle progress_style(const std::string& word) {
    if (word == "none") {
        return ProgressStyle::none;
    }
    if (word == "json") {
        return ProgressStyle::json;
    }
    if (word == "bar" || (word == "auto" && isatty(STDERR_FILENO) == 1)) {
        return ProgressStyle::bar;
    }
    return ProgressStyle::lines;
}

std::optional<double> TimeLeft::seconds(const RunTotals& totals, double elapsed_s) {
    if (!start_) {
        start_ = Start{elapsed_s, totals.core_hours_spent};
    }
    return seconds_left(
        totals, totals.core_hours_spent - start_->core_hours, elapsed_s - start_->elapsed_s
    );
}

ProgressDisplay::ProgressDisplay(ProgressStyle style) : style_(style) {
    if (style_ == ProgressStyle::bar) {
        format_messages(std::string(line_erasure));
    }
}

ProgressDisplay::~ProgressDisplay() {
    if (style_ != ProgressStyle::bar) {
        return;
    }
    format_messages();
    if (is_drawn_) {
        std::fwrite(line_erasure.data(), 1, line_erasure.size(), stderr);
        if (isatty(STDERR_FILENO) != 1) {
            // mpirun passes standard output on by a shorter way than this: do not let it overtake.
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    }
}

void ProgressDisplay::show(const CampaignProgress& progress) {
    if (style_ == ProgressStyle::none) {
        return;
    }
    // A look costs O(cells), and results come by the thousand: a twentieth of the time at most.
    constexpr double shortest_look_apart_s = 0.1;
    constexpr double most_looking = 0.05;
    if (since_looked_
        && since_looked_->seconds() < std::max(shortest_look_apart_s, look_s_ / most_looking)) {
        return;
    }
    const engine::Stopwatch looking;
    const double interval_s =
        style_ == ProgressStyle::bar ? 0.2 : (style_ == ProgressStyle::json ? 1 : 10);
    const RunTotals totals = totals_of(progress);
    look_s_ = looking.seconds();
    since_looked_.emplace();
    auto left = time_left_.seconds(totals, since_start_.seconds());
    if (outcomes_ != totals.computed + totals.failed) {
        outcomes_ = totals.computed + totals.failed;
        since_outcome_ = {};
    }
    if (since_shown_.seconds() < interval_s) {
        return;
    }
    since_shown_ = {};
    is_drawn_ = true;
    if (style_ == ProgressStyle::json) {
        std::fputs((progress_json(totals, left).dump() + "\n").c_str(), stderr);
        std::fflush(stderr);
        return;
    }
    const std::string quiet = quiet_text(progress, since_outcome_.seconds());
    if (!quiet.empty()) {
        left.reset();
    }
    const std::string detail = quiet.empty() ? slowest_text(progress) : quiet;
    std::string text = plain_text(totals, left) + (detail.empty() ? "" : "; ") + detail;
    text = style_ == ProgressStyle::bar
               ? fmt::format("{}\033[?7l{}{}{}", line_erasure, bar_text(totals), text, line_end)
               : text + "\n";
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace schedfarm::app
