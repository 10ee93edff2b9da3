#include <charconv>
#include <cstdio>
#include <map>
#include <vector>

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

namespace fs = std::filesystem;

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
        if (!progress.is_ours(cell->cell())) {
            continue;
        }
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

/// The journals of an array's tasks, in the order of their numbers: of out.h5.journal those of
/// out.part1.h5, out.part2.h5, …
std::vector<fs::path> journals_of_parts(const fs::path& journal) {
    const std::string begin = journal.stem().stem().string() + ".part";
    const std::string end = journal.stem().extension().string() + ".journal";
    std::map<int, fs::path> found;
    std::error_code error;
    const fs::path folder = journal.has_parent_path() ? journal.parent_path() : ".";
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(begin) || !name.ends_with(end)
            || name.size() <= begin.size() + end.size()) {
            continue;
        }
        const char* const last = name.data() + name.size() - end.size();
        int number = 0;
        if (std::from_chars(name.data() + begin.size(), last, number).ptr == last) {
            found.emplace(number, journal.parent_path() / name);
        }
    }
    std::vector<fs::path> journals;
    for (auto& [number, path] : found) {
        journals.push_back(std::move(path));
    }
    return journals;
}

/// The journal that is meant, or those of the parts that will make it.
std::vector<fs::path> journals_meant(const fs::path& given) {
    const fs::path journal = journal_meant(given);
    std::vector<fs::path> parts;
    if (!fs::exists(journal)) {
        parts = journals_of_parts(journal);
    }
    return parts.empty() ? std::vector{journal} : parts;
}

CampaignJournal opened(const fs::path& journal) {
    CampaignJournal result = read_campaign_journal(journal);
    const std::string damage =
        damage_text(journal, result.content, BehindDamage::waits_for_the_resume);
    if (!damage.empty()) {
        spdlog::warn("{}", damage);
    }
    return result;
}

std::string status_text(const fs::path& journal) {
    const auto [content, plan] = opened(journal);
    CampaignProgress progress(plan, share_of(plan, content).value_or(CellShare{}));
    for (const engine::TaskResult& result : content.results) {
        progress.take(result);
    }
    TextTable table = cells_table(progress);
    table.title = plan.name;
    table.notes = status_notes(journal, content, plan, progress);
    return render(table, ReportFormat::text, text_width());
}

}  // namespace

ExitCode status_command(const StatusCommand& options) {
    const std::vector<fs::path> journals = journals_meant(options.path);
    std::size_t count = 0;
    std::string text;
    for (const fs::path& journal : journals) {
        if (options.format == "count") {
            count += opened(journal).content.results.size();
            continue;
        }
        text += text.empty() ? "" : "\n";
        text += journals.size() > 1 ? journal.stem().string() + "\n\n" : "";
        text += status_text(journal);
    }
    if (options.format == "count") {
        text = fmt::format("{}\n", count);
    }
    std::fputs(text.c_str(), stdout);
    return ExitCode::done;
}

}  // namespace schedfarm::campaigns
