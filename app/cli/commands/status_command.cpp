#include <algorithm>
#include <cstdio>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "engine/foundation/utf8.hpp"

#include "app/cli/commands/commands.hpp"
#include "app/cli/commands/options/journals_named.hpp"
#include "app/cli/commands/run_totals.hpp"
#include "app/cli/commands/status_notes.hpp"
#include "app/cli/explain.hpp"
#include "app/report/text_table.hpp"
#include "app/run/campaign_progress.hpp"
#include "app/run/journal/campaign_journal.hpp"
#include "app/run/journal/gathering.hpp"
#include "app/run/tables/cell_summary.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

std::string state_text(const CellProgress& progress, const CellSummary& summary) {
    if (progress.waits_for_load()) {
        return "waits for its load";
    }
    const bool is_open = progress.decision().is_open() && !progress.has_hole();
    const std::string word = is_open ? "open" : std::string(summary.status);
    return progress.failed() == 0 ? word : fmt::format("{}, {} failed", word, progress.failed());
}

TextTable cell_status_table(const CampaignProgress& progress) {
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
             judged_text(judged(progress, *cell))}
        );
    }
    return table;
}

bool has_open_estimate(const CampaignProgress& progress) {
    const auto& cells = progress.cells();
    return std::any_of(cells.begin(), cells.end(), [&](const auto& cell) {
        return progress.is_ours(cell->cell()) && cell->decision().is_open()
               && judged(progress, *cell);
    });
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
    CampaignProgress progress(plan, share_in(content));
    Gathering gathering(plan, progress);
    gathering.add(journal, content);
    gathering.take_failures();
    TextTable table = cell_status_table(progress);
    table.title = plan.name;
    table.notes = status_notes(journal, content, progress);
    if (has_open_estimate(progress)) {
        table.notes.insert(
            table.notes.begin(), "± of open cells: a bound that holds however often one looks."
        );
    }
    return render(table, ReportFormat::text);
}

/// What is to be told of runs, one after another.
struct Answer {
    std::size_t results = 0;
    std::string text;
    std::size_t unreadable = 0;
};

void add_status_run(const fs::path& journal, const StatusCommand& options, Answer& answer) {
    if (options.format == "count") {
        answer.results += opened(journal).content.results.size();
    } else {
        answer.text += status_text(journal);
    }
}

/// The parts of a run; one that cannot be read hides none of the others.
Answer answer_of_parts(const std::vector<fs::path>& journals, const StatusCommand& options) {
    Answer answer;
    for (const fs::path& journal : journals) {
        answer.text += (answer.text.empty() ? "" : "\n") + journal.stem().string() + "\n\n";
        try {
            add_status_run(journal, options, answer);
        } catch (const std::exception&) {
            explain_current_exception();
            answer.text += "cannot be read; the message on standard error says why\n";
            ++answer.unreadable;
        }
    }
    return answer;
}

}  // namespace

ExitCode status_command(const StatusCommand& options) {
    const std::vector<fs::path> journals = journals_named(options.path);
    Answer answer;
    if (journals.size() == 1) {
        add_status_run(journals.front(), options, answer);
    } else {
        answer = answer_of_parts(journals, options);
    }
    if (answer.unreadable == journals.size()) {
        return ExitCode::usage;
    }
    if (options.format == "count") {
        answer.text = fmt::format("{}\n", answer.results);
    }
    std::fputs(engine::without_controls(answer.text, engine::LineBreaks::keep).c_str(), stdout);
    return answer.unreadable == 0 ? ExitCode::done : ExitCode::finished_short;
}

}  // namespace schedfarm::app
