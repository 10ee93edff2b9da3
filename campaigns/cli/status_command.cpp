#include <cstdio>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "campaigns/cli/commands.hpp"
#include "campaigns/cli/standing.hpp"
#include "campaigns/cli/status_notes.hpp"
#include "campaigns/cli/terminal.hpp"
#include "campaigns/report/text_table.hpp"
#include "campaigns/run/campaign_journal.hpp"
#include "campaigns/run/campaign_progress.hpp"
#include "campaigns/run/cell_summary.hpp"

namespace schedfarm::campaigns {

namespace {

std::string judged_text(const CellProgress& progress, const CellSummary& summary) {
    const std::string metric = judged_metric(progress);
    for (const MetricEstimate& candidate : summary.estimates) {
        if (candidate.metric == metric) {
            return estimate_text(candidate);
        }
    }
    return "";
}

std::string state_text(const CellProgress& progress, const CellSummary& summary) {
    if (progress.waits_for_load()) {
        return "waits for its load";
    }
    const bool is_open = progress.decision().is_open() && !progress.has_hole();
    const std::string word = is_open ? "open" : std::string(status_word(summary.status));
    return progress.failed() == 0 ? word : fmt::format("{}, {} failed", word, progress.failed());
}

TextTable cells_table(const CampaignProgress& progress) {
    TextTable table;
    table.columns = {
        {"cell"},
        {"levels", Alignment::left},
        {"done of"},
        {"state", Alignment::left},
        {"estimate", Alignment::left, Overflow::wrap}};
    table.label_columns = 2;
    for (const auto& cell : progress.cells()) {
        const CellSummary summary = summarize(*cell);
        table.rows.push_back(
            {std::to_string(cell->cell().index),
             label_text(cell->cell()),
             done_text(*cell),
             state_text(*cell, summary),
             judged_text(*cell, summary)}
        );
    }
    return table;
}

}  // namespace

ExitCode status_command(const StatusCommand& options) {
    const std::filesystem::path journal = journal_meant(options.path);
    const auto [content, plan] = read_campaign_journal(journal);
    const std::string damage = damage_text(journal, content, BehindDamage::waits_for_the_resume);
    if (!damage.empty()) {
        spdlog::warn("{}", damage);
    }
    if (options.format == "count") {
        std::fputs(fmt::format("{}\n", content.results.size()).c_str(), stdout);
        return ExitCode::done;
    }
    CampaignProgress progress(plan);
    for (const engine::TaskResult& result : content.results) {
        progress.take(result);
    }
    TextTable table = cells_table(progress);
    table.title = plan.name;
    table.notes = status_notes(journal, content, plan, progress);
    std::fputs(render(table, ReportFormat::text, text_width()).c_str(), stdout);
    return ExitCode::done;
}

}  // namespace schedfarm::campaigns
