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

std::string state_text(const CellProgress& progress) {
    if (progress.waits_for_load()) {
        return "waits for its load";
    }
    const bool is_open = progress.decision().is_open() && !progress.has_hole();
    const std::string word(is_open ? "open" : summarize(progress).status);
    return progress.failed() == 0 ? word : fmt::format("{}, {} failed", word, progress.failed());
}

/// What there is to say of a cell.
struct StatusRow {
    const CellProgress* cell;
    std::string state;
    std::optional<Judged> estimate;
};

std::vector<StatusRow> rows_of(const CampaignProgress& progress) {
    std::vector<StatusRow> rows;
    for (const auto& cell : progress.cells()) {
        if (progress.is_ours(cell->cell())) {
            rows.push_back({cell.get(), state_text(*cell), judged(progress, *cell)});
        }
    }
    return rows;
}

TextTable table_of(const std::vector<StatusRow>& rows) {
    TextTable table;
    table.columns = {
        {"cell"},
        {"levels", Alignment::left},
        {"done of"},
        {"state", Alignment::left},
        {"estimate", Alignment::left, Overflow::wrap}};
    table.label_columns = 2;
    for (const StatusRow& row : rows) {
        table.rows.push_back(
            {std::to_string(row.cell->cell().index),
             label_text(row.cell->cell()),
             done_text(*row.cell),
             row.state,
             judged_text(row.estimate)}
        );
    }
    return table;
}

Json json_of(const std::vector<StatusRow>& rows) {
    Json list = Json::array();
    for (const StatusRow& row : rows) {
        Json json{{"cell", row.cell->cell().index}};
        for (const FactorLevel& level : row.cell->cell().levels) {
            json["levels"].push_back(level.label);
        }
        json["computed"] = row.cell->computed() - row.cell->failed();
        json["failed"] = row.cell->failed();
        json["state"] = row.state;
        if (row.estimate) {
            const engine::Estimate& estimate = row.estimate->estimate;
            json["estimate"] = {
                {"metric", row.estimate->name},
                {"mean", json_number(estimate.mean)},
                {"lower", json_number(estimate.interval.lower)},
                {"upper", json_number(estimate.interval.upper)}};
        }
        list.push_back(std::move(json));
    }
    return list;
}

bool has_open_estimate(const std::vector<StatusRow>& rows) {
    return std::any_of(rows.begin(), rows.end(), [](const StatusRow& row) {
        return row.cell->decision().is_open() && row.estimate;
    });
}

void warn_of_damage(const fs::path& journal, const engine::JournalContent& content) {
    const std::string damage = damage_text(journal, content, BehindDamage::waits_for_the_resume);
    if (!damage.empty()) {
        spdlog::warn("{}", damage);
    }
}

std::string status_text(const fs::path& journal, const std::string& format) {
    const auto [content, plan] = read_campaign_journal(journal);
    warn_of_damage(journal, content);
    CampaignProgress progress(plan, share_in(content));
    Gathering gathering(plan, progress);
    gathering.add(journal, content);
    gathering.take_failures();
    const std::vector<StatusRow> rows = rows_of(progress);
    if (format == "json") {
        Json json = status_json(journal, content, progress);
        json["table"] = json_of(rows);
        return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
    TextTable table = table_of(rows);
    table.title = plan.name;
    table.notes = status_notes(journal, content, progress);
    if (has_open_estimate(rows)) {
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
        const engine::JournalContent content = engine::read_journal(journal);  // needs no plan
        warn_of_damage(journal, content);
        answer.results += content.results.size();
    } else {
        answer.text += status_text(journal, options.format);
    }
}

/// The parts of a run; one that cannot be read hides none of the others.
Answer answer_of_parts(const std::vector<fs::path>& journals, const StatusCommand& options) {
    Answer answer;
    for (const fs::path& journal : journals) {
        const bool is_text = options.format == "text";
        if (is_text) {
            answer.text += (answer.text.empty() ? "" : "\n") + journal.stem().string() + "\n\n";
        }
        try {
            add_status_run(journal, options, answer);
        } catch (const std::exception&) {
            explain_current_exception();
            answer.text +=
                is_text ? "cannot be read; the message on standard error says why\n" : "";
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
