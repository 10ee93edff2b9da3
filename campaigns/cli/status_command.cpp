#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "campaigns/cli/commands.hpp"
#include "campaigns/cli/status_notes.hpp"
#include "campaigns/report/text_table.hpp"
#include "campaigns/run/campaign_journal.hpp"
#include "campaigns/run/campaign_progress.hpp"
#include "campaigns/run/cell_summary.hpp"

namespace schedfarm::campaigns {

namespace {

/// What the cell is judged by: the most demanding target, else what it observes first.
std::string judged_metric(const CellProgress& progress) {
    const auto& targets = progress.cell().replications.targets;
    if (!progress.decision().most_demanding.empty()) {
        return progress.decision().most_demanding;
    }
    if (!targets.empty()) {
        return targets.front().metric;
    }
    for (const engine::ObservationColumn& column : progress.cell().columns) {
        if (!column.is_diagnostic) {
            return column.name;
        }
    }
    return "";
}

std::string estimate_text(const CellProgress& progress, const CellSummary& summary) {
    const std::string metric = judged_metric(progress);
    for (const MetricEstimate& candidate : summary.estimates) {
        if (candidate.metric == metric && candidate.estimate
            && std::isfinite(candidate.estimate->mean)) {
            return fmt::format(
                "{} {:.4g} ±{:.2g}",
                candidate.metric,
                candidate.estimate->mean,
                candidate.estimate->longer_side()
            );
        }
    }
    return "";
}

std::string state_text(const CellProgress& progress, const CellSummary& summary) {
    if (progress.waits_for_load()) {
        return "waits for its load";
    }
    const bool is_running = progress.decision().is_open() && !progress.has_hole();
    return is_running ? "running" : std::string(status_word(summary.status));
}

std::string label_text(const Cell& cell) {
    std::string text = cell.is_pilot ? "pilot" : "";
    for (const FactorLevel& level : cell.levels) {
        text += (text.empty() ? "" : ", ") + level.label;
    }
    return text;
}

struct Totals {
    std::uint64_t computed = 0;
    std::uint64_t predicted = 0;
    std::uint64_t failed = 0;
    std::size_t decided = 0;
    double core_hours_left = 0;
};

Totals totals_of(const CampaignProgress& progress) {
    Totals totals;
    for (const auto& cell : progress.cells()) {
        totals.computed += cell->computed();
        totals.predicted += std::max(cell->predicted(), cell->computed());
        totals.decided += cell->decision().is_open() ? 0U : 1U;
        const std::uint64_t done = std::min(cell->computed(), cell->predicted());
        totals.core_hours_left +=
            static_cast<double>(cell->predicted() - done) * cell->mean_seconds() / 3600;
        for (const auto& outcome : cell->outcomes()) {
            totals.failed += outcome && !outcome->observations ? 1U : 0U;
        }
    }
    return totals;
}

TextTable cells_table(const CampaignProgress& progress) {
    TextTable table;
    table.columns = {
        {"cell"},
        {"levels", Alignment::left},
        {"done of"},
        {"state", Alignment::left},
        {"most demanding", Alignment::left, Overflow::wrap}};
    table.label_columns = 2;
    for (const auto& cell : progress.cells()) {
        const CellSummary summary = summarize(*cell);
        table.rows.push_back(
            {std::to_string(cell->cell().index),
             label_text(cell->cell()),
             fmt::format("{}/{}", cell->computed(), cell->predicted()),
             state_text(*cell, summary),
             estimate_text(*cell, summary)}
        );
    }
    return table;
}

}  // namespace

ExitCode status_command(const StatusCommand& options) {
    const std::filesystem::path journal = journal_meant(options.path);
    const auto [content, plan] = read_campaign_journal(journal);
    const std::string damage = damage_text(journal, content);
    if (!damage.empty()) {
        spdlog::warn(
            "{} when the run goes on (and kept as {})",
            damage,
            engine::damaged_path(journal).string()
        );
    }
    if (options.format == "count") {
        std::fputs(fmt::format("{}\n", content.results.size()).c_str(), stdout);
        return ExitCode::done;
    }
    CampaignProgress progress(plan);
    for (const engine::TaskResult& result : content.results) {
        progress.take(result);
    }
    const Totals totals = totals_of(progress);
    TextTable table = cells_table(progress);
    table.title = plan.name;
    table.notes.push_back(fmt::format(
        "{} of {} cells decided; {} replications of about {} expected{}",
        totals.decided,
        plan.cells.size(),
        totals.computed,
        totals.predicted,
        content.in_flight.empty() ? "" : fmt::format(", {} handed out", content.in_flight.size())
    ));
    if (totals.core_hours_left > 0) {
        table.notes.push_back(time_left_text(content, totals.core_hours_left));
    }
    if (totals.failed > 0) {
        table.notes.push_back(fmt::format(
            "{} replications failed; the result file's table 'failures' will say why.",
            totals.failed
        ));
    }
    const std::string next_step =
        next_step_text(journal, plan, totals.decided == plan.cells.size());
    if (!next_step.empty()) {
        table.notes.push_back(next_step);
    }
    std::fputs(render(table, ReportFormat::text).c_str(), stdout);
    return ExitCode::done;
}

}  // namespace schedfarm::campaigns
