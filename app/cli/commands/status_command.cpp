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

/// A line of the table for every cell of the share.
TextTable table_of(const CampaignProgress& progress) {
    TextTable table;
    table.title = progress.plan().name;
    table.columns = {
        {"cell"},
        {"levels", Alignment::left},
        {"done of"},
        {"state", Alignment::left},
        {"estimate", Alignment::left, Overflow::wrap}};
    table.label_columns = 2;
    bool has_open_estimate = false;
    for (const auto& cell : progress.cells()) {
        if (!progress.is_ours(cell->cell())) {
            continue;
        }
        const std::optional<Judged> estimate = judged(progress, *cell);
        has_open_estimate = has_open_estimate || (estimate && cell->decision().is_open());
        auto& row = table.rows.emplace_back();
        row.reserve(table.columns.size());
        row.push_back(std::to_string(cell->cell().index));
        row.push_back(label_text(cell->cell()));
        row.push_back(done_text(*cell));
        row.push_back(state_text(*cell));
        row.push_back(judged_text(estimate));
    }
    if (has_open_estimate) {
        table.notes = {"± of open cells: a bound that holds however often one looks."};
    }
    return table;
}

Json json_of(const CampaignProgress& progress) {
    Json list = Json::array();
    for (const auto& cell : progress.cells()) {
        if (!progress.is_ours(cell->cell())) {
            continue;
        }
        Json json{{"cell", cell->cell().index}};
        for (const FactorLevel& level : cell->cell().levels) {
            json["levels"].push_back(level.label);
        }
        json["computed"] = cell->computed() - cell->failed();
        json["failed"] = cell->failed();
        json["state"] = state_text(*cell);
        if (const auto judgement = judged(progress, *cell)) {
            const engine::Estimate& estimate = judgement->estimate;
            json["estimate"] = {
                {"metric", judgement->name},
                {"mean", json_number(estimate.mean)},
                {"lower", json_number(estimate.interval.lower)},
                {"upper", json_number(estimate.interval.upper)}};
        }
        list.push_back(std::move(json));
    }
    return list;
}

void warn_of_damage(const fs::path& journal, const engine::JournalContent& content) {
    const std::string damage = damage_text(journal, content, BehindDamage::waits_for_the_resume);
    if (!damage.empty()) {
        spdlog::warn("{}", damage);
    }
}

std::string status_text(const fs::path& journal, const std::string& format) {
    TextTable table;
    {  // of many cells a plan and its results take more memory than all that is said of them
        const auto [content, plan] = read_campaign_journal(journal);
        warn_of_damage(journal, content);
        CampaignProgress progress(plan, share_in(content));
        Gathering gathering(plan, progress);
        gathering.add(journal, content);
        gathering.take_failures();
        if (format == "json") {
            Json json = status_json(journal, content, progress);
            json["table"] = json_of(progress);
            return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
        }
        table = table_of(progress);
        for (std::string& note : status_notes(journal, content, progress)) {
            table.notes.push_back(std::move(note));
        }
    }
    return render(std::move(table));
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
