#include "app/run/journal/opened_journal.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/farm/transport/serialization.hpp"
#include "engine/foundation/message_text.hpp"
#include "engine/foundation/new_file.hpp"

#include "app/run/campaign_progress.hpp"
#include "app/run/journal/campaign_journal.hpp"
#include "app/run/journal/outcome_codec.hpp"
#include "app/run/version.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

std::string as_text(const engine::Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The replication keys of all cells, 32 bytes each, in the order of the cells: with them another
/// plan finds what it can use.
std::string cell_keys(const Plan& plan) {
    std::string bytes;
    bytes.reserve(plan.cells.size() * 32);
    for (const Cell& cell : plan.cells) {
        const std::string& hex = cell.replication_key;
        for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
            unsigned byte = 0;
            std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
            bytes += static_cast<char>(byte);
        }
    }
    return bytes;
}

engine::JournalHeader header_of(const Plan& plan) {
    engine::JournalHeader header;
    header.program_version = program_version;
    header.campaign_name = plan.name;
    header.plan_hash = plan.plan_hash;
    CampaignSource source = plan.source;
    if (source.folder.empty()) {
        std::error_code error;
        source.folder = fs::current_path(error).string();
    }
    header.campaign = as_text(source.serialize());
    header.cell_keys = cell_keys(plan);
    return header;
}

/// The texts of a campaign, whatever its files were called from the folder that it was run in.
std::multiset<std::string> texts_of(const CampaignSource& source) {
    std::multiset<std::string> texts;
    for (const auto& [name, text] : source.files) {
        texts.insert(text);
    }
    return texts;
}

/// Whether the journal was begun by this program for the campaign as it is now, and yet for
/// another plan.
bool has_other_logs(const engine::JournalHeader& found, const Plan& plan) {
    if (found.plan_hash == plan.plan_hash || found.program_version != program_version) {
        return false;
    }
    try {
        return texts_of(source_in(found)) == texts_of(plan.source);
    } catch (const engine::SerializationError&) {
        return false;
    }
}

[[noreturn]] void refuse_logs(
    const fs::path& path,
    const engine::JournalHeader& found,
    const Plan& plan,
    const char* suggestion
) {
    throw engine::JournalError(fmt::format(
        "{}: this journal was begun with other contents of a log that the campaign names, or by "
        "another build of schedfarm (plan {:.12} against {:.12}). Put the old one back, {}",
        path.string(),
        found.plan_hash,
        plan.plan_hash,
        suggestion
    ));
}

/// What to do about a journal of another plan.
struct WaysOut {
    const char* of_other_logs;  ///< goes on "Put the old one back, "
    const char* of_other_campaign;
    const char* of_nothing_in_common;
};

constexpr WaysOut of_runs{
    "choose another --output, or begin anew with --fresh",
    "Keep what both have in common with --extend, choose another --output, or begin anew with "
    "--fresh",
    "They have no replication in common (another seed, workload, policy, horizon or program). "
    "Choose another --output, or begin anew with --fresh"};
constexpr WaysOut of_replays{
    "or name another --output",
    "Name a run of this one, or leave --output out",
    "Name a run of this one, or leave --output out"};

/// The plan of a journal; absent where it cannot be made.
std::optional<Plan> plan_of(const fs::path& path) {
    try {
        return read_campaign_journal(path).plan;
    } catch (const engine::JournalError&) {
        return std::nullopt;
    }
}

bool has_cell(const Plan& plan, const Cell& wanted) {
    return std::any_of(plan.cells.begin(), plan.cells.end(), [&](const Cell& cell) {
        return cell.replication_key == wanted.replication_key;
    });
}

bool has_common_cell(const fs::path& path, const Plan& plan) {
    const auto old = plan_of(path);
    return old && std::any_of(plan.cells.begin(), plan.cells.end(), [&](const Cell& cell) {
               return has_cell(*old, cell);
           });
}

/// Whether a run had the cell, over the same logs, whatever else its campaign was.
bool has_run_cell(const fs::path& path, const Cell& cell) {
    const auto old = plan_of(path);
    return old && has_cell(*old, cell);
}

/// A journal of another campaign or another version of it is never appended to.
void expect_same_campaign(
    const fs::path& path,
    const engine::JournalHeader& found,
    const Plan& plan,
    const WaysOut& ways_out = of_runs
) {
    if (found.plan_hash == plan.plan_hash) {
        return;
    }
    if (has_other_logs(found, plan)) {
        refuse_logs(path, found, plan, ways_out.of_other_logs);
    }
    const std::string what =
        found.campaign_name == plan.name
            ? fmt::format("an earlier version of campaign '{}'", plan.name)
            : fmt::format("campaign '{}', not of '{}'", found.campaign_name, plan.name);
    throw engine::JournalError(fmt::format(
        "{}: this is the journal of {} (plan {:.12} against {:.12}). {}",
        path.string(),
        what,
        found.plan_hash,
        plan.plan_hash,
        has_common_cell(path, plan) ? ways_out.of_other_campaign : ways_out.of_nothing_in_common
    ));
}

/// For every cell of `plan`, the cell of `old` whose replications it can use.
std::map<std::uint32_t, std::vector<std::uint32_t>> cells_by_old_cell(
    const Plan& old, const Plan& plan
) {
    std::map<std::string, std::uint32_t> old_cell;
    for (const Cell& cell : old.cells) {
        old_cell.emplace(cell.replication_key, cell.index);
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> cells;
    for (const Cell& cell : plan.cells) {
        const auto found = old_cell.find(cell.replication_key);
        if (found != old_cell.end()) {
            cells[found->second].push_back(cell.index);
        }
    }
    return cells;
}

/// The header of a journal; absent where it cannot be read.
std::optional<engine::JournalHeader> header_in(const fs::path& path) {
    try {
        return engine::read_journal(path).header;
    } catch (const engine::JournalError&) {
        return std::nullopt;
    }
}

/// What a run of the same campaign has left; absent where its journal cannot be read.
struct EarlierRun {
    bool is_complete = false;     ///< nothing is left to go on with
    bool has_other_text = false;  ///< that of the campaign, in what changes no replication
};

std::optional<EarlierRun> earlier_run(const fs::path& path, const Plan& plan) {
    try {
        const auto [content, old] = read_campaign_journal(path);
        CampaignProgress progress(old);
        for (const engine::TaskResult& result : content.results) {
            progress.take(result);
        }
        const auto& cells = progress.cells();
        const bool is_complete = std::none_of(cells.begin(), cells.end(), [](const auto& cell) {
            return cell->decision().is_open();
        });
        return EarlierRun{is_complete, texts_of(old.source) != texts_of(plan.source)};
    } catch (const engine::JournalError&) {
        return std::nullopt;
    }
}

/// Says of what is there how to go on: what cannot be resumed is refused as a resume refuses it.
[[noreturn]] void refuse_to_overwrite(const fs::path& path, const Plan& plan) {
    if (const auto header = header_in(path)) {
        expect_same_campaign(path, *header, plan);
    }
    fs::path results = path;
    results.replace_extension();
    const auto earlier = earlier_run(path, plan);
    if (!earlier || !earlier->is_complete) {
        throw engine::JournalError(fmt::format(
            "{}: a journal is already there (it would be lost). Go on from it with `resume` in "
            "place of `run`, begin anew with --fresh, or choose another --output",
            path.string()
        ));
    }
    throw engine::JournalError(fmt::format(
        "{}: this campaign has been run and is complete (its results would be lost). See `{}`, "
        "{}begin "
        "anew with --fresh, or choose another --output",
        path.string(),
        engine::program_command({"report", results}),
        earlier->has_other_text ? "take over with `resume` what its text says otherwise now, " : ""
    ));
}

/// Calls work(result) with every result that the plan can use, under the task ids of the plan;
/// returns how many there are without use.
template <typename Work>
std::uint64_t for_each_of_use(
    const engine::JournalResults& results,
    const std::map<std::uint32_t, std::vector<std::uint32_t>>& cells,
    Work&& work
) {
    std::uint64_t left_out = 0;
    for (engine::TaskResult result : results) {
        const ReplicationId id = ReplicationId::of(result.id);
        const auto found = cells.find(id.cell);
        if (found == cells.end() || result.status != engine::TaskStatus::done) {
            ++left_out;
            continue;
        }
        for (const std::uint32_t cell : found->second) {
            result.id = ReplicationId{cell, id.replication}.task_id();
            work(result);
        }
    }
    return left_out;
}

OpenedJournal carry_over(const fs::path& path, const Plan& plan) {
    const auto [content, old] = read_campaign_journal(path);
    const auto cells = cells_by_old_cell(old, plan);
    OpenedJournal opened;
    std::uint64_t used = 0;
    opened.left_out = for_each_of_use(content.results, cells, [&](const auto&) { ++used; });
    if (used == 0 && !content.results.empty()) {
        throw engine::JournalError(fmt::format(
            "{}: none of its {} replications belongs to a cell of this campaign (another seed, "
            "workload, policy, horizon or program). Choose another --output, or begin anew with "
            "--fresh",
            path.string(),
            content.results.size()
        ));
    }
    const auto former = engine::Journal::reopen(path, content);  // nobody else is writing it
    opened.warning = damage_text(path, content, BehindDamage::is_computed_again);
    opened.share = share_in(content);
    const engine::FilePlace place(path);
    const fs::path beside = place.path().parent_path() / place.temporary_name();
    {
        const auto anew = engine::Journal::create(beside, header_of(plan));
        anew->append_share(content.share);
        for_each_of_use(content.results, cells, [&](const engine::TaskResult& result) {
            anew->append_result(result);
        });
        anew->sync();
        try {
            place.take(beside.filename());
        } catch (const std::system_error& error) {
            throw engine::JournalError(fmt::format(
                "{}: cannot be put in place of {} ({})",
                beside.string(),
                path.string(),
                error.code().message()
            ));
        }
    }
    const engine::JournalContent carried = engine::read_journal(path);
    opened.journal = engine::Journal::reopen(path, carried);
    opened.results = carried.results;
    return opened;
}

}  // namespace

std::string left_out_text(std::uint64_t replications) {
    return fmt::format(
        "{} of the earlier run {} of no use to this campaign and {} left out",
        engine::counted(replications, "replication"),
        replications == 1 ? "is" : "are",
        replications == 1 ? "was" : "were"
    );
}

void expect_run_of(const fs::path& path, const Plan& plan, const Cell& cell) {
    const engine::JournalHeader header = engine::read_journal(path).header;
    if (header.plan_hash == plan.plan_hash || has_other_logs(header, plan)
        || !has_run_cell(path, cell)) {
        expect_same_campaign(path, header, plan, of_replays);
    }
}

bool expect_same_logs(const fs::path& path, const Plan& plan, const Cell& cell) {
    const auto found =
        plan.has_checksummed_inputs && fs::exists(path) ? header_in(path) : std::nullopt;
    if (found && has_other_logs(*found, plan)) {
        refuse_logs(path, *found, plan, of_replays.of_other_logs);
    }
    return !found || found->plan_hash == plan.plan_hash || has_run_cell(path, cell);
}

OpenedJournal open_journal(const fs::path& path, const Plan& plan, ExistingJournal existing) {
    if (!fs::exists(path)) {
        if (existing == ExistingJournal::resume || existing == ExistingJournal::extend) {
            throw engine::JournalError(fmt::format(
                "{}: there is no journal to go on from. Check that this is the folder of the run. "
                "`run` in "
                "place of `resume` begins a new one",
                path.string()
            ));
        }
        return {engine::Journal::create(path, header_of(plan)), {}};
    }
    switch (existing) {
        case ExistingJournal::refuse:
            refuse_to_overwrite(path, plan);
        case ExistingJournal::replace:
            return {engine::Journal::replace(path, header_of(plan)), {}};
        case ExistingJournal::resume:
        case ExistingJournal::extend:
            break;
    }
    const engine::JournalContent content = engine::read_journal(path);
    if (existing == ExistingJournal::extend && content.header.plan_hash != plan.plan_hash) {
        return carry_over(path, plan);
    }
    expect_same_campaign(path, content.header, plan);
    expect_results_of(path, content, plan);
    const CellShare share = share_in(content);
    OpenedJournal opened{engine::Journal::reopen(path, content), {}};
    opened.suspects = engine::suspects_of(content);
    opened.warning = damage_text(path, content, BehindDamage::is_computed_again);
    if (!content.in_flight.empty()) {
        opened.journal->append_suspects(opened.suspects);
    }
    opened.results = content.results;
    opened.share = share;
    return opened;
}

}  // namespace schedfarm::app
