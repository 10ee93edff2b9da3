#include "app/run/journal/opened_journal.hpp"

#include <algorithm>
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
#include "app/run/journal/gathering.hpp"
#include "app/run/version.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

std::string as_text(const engine::Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
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
        "{}: this journal was begun with other contents of a file that the campaign names, or by "
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
        has_cell_of(found, plan) ? ways_out.of_other_campaign : ways_out.of_nothing_in_common
    ));
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
        const engine::JournalContent content = engine::read_journal(path);
        CampaignProgress progress(plan);
        Gathering gathering(plan, progress);
        gathering.add(path, content);
        gathering.take_failures();
        const auto& cells = progress.cells();
        const bool is_complete = std::none_of(cells.begin(), cells.end(), [](const auto& cell) {
            return cell->decision().is_open();
        });
        return EarlierRun{
            is_complete, texts_of(source_in(content.header)) != texts_of(plan.source)};
    } catch (const engine::JournalError&) {
        return std::nullopt;
    } catch (const engine::SerializationError&) {
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

/// A file that is gone at the end, unless it has another name by then.
class Passing {
  public:
    explicit Passing(fs::path path) : path_(std::move(path)) {}
    Passing(const Passing&) = delete;
    Passing& operator=(const Passing&) = delete;
    ~Passing() {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }

    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

/// Goes on under a changed plan: a journal of what it can use is written beside the old one, and
/// put in its place when it is whole.
void carry_over(
    const fs::path& path,
    const engine::JournalContent& content,
    const Plan& plan,
    OpenedJournal& opened,
    Gathering& gathering
) {
    const engine::FilePlace place(path);
    const Passing beside(place.path().parent_path() / place.temporary_name());
    {
        const auto anew = engine::Journal::create(beside.path(), header_of(plan));
        anew->append_share(content.share);
        gathering.add(path, content, [&](const engine::TaskResult& result) {
            anew->append_result(result);
        });
        if (gathering.taken() == 0 && !content.results.empty()) {
            throw engine::JournalError(fmt::format(
                "{}: none of its {} replications belongs to a cell of this campaign (another seed, "
                "workload, policy, horizon or program). Choose another --output, or begin anew "
                "with --fresh",
                path.string(),
                content.results.size()
            ));
        }
        engine::Journal::reopen(path, content);  // nobody else is writing it; damage is kept
        anew->sync();
    }
    try {
        place.take(beside.path().filename());
    } catch (const std::system_error& error) {
        throw engine::JournalError(fmt::format(
            "{}: cannot be put in place of {} ({})",
            beside.path().string(),
            path.string(),
            error.code().message()
        ));
    }
    opened.journal = engine::Journal::reopen(path, engine::read_journal(path));
}

/// Goes on in the same journal.
void go_on(
    const fs::path& path,
    const engine::JournalContent& content,
    OpenedJournal& opened,
    Gathering& gathering
) {
    gathering.add(path, content);
    opened.journal = engine::Journal::reopen(path, content);
    opened.suspects = engine::suspects_of(content);
    if (!content.in_flight.empty()) {
        opened.journal->append_suspects(opened.suspects);
    }
}

/// Goes on from what is there.
OpenedJournal open_former(
    const fs::path& path,
    const Plan& plan,
    ExistingJournal existing,
    const std::optional<CellShare>& share
) {
    const engine::JournalContent content = engine::read_journal(path);
    const bool is_changed = content.header.plan_hash != plan.plan_hash;
    if (existing == ExistingJournal::resume) {
        expect_same_campaign(path, content.header, plan);
    }
    const CellShare former = share_in(content);
    OpenedJournal opened;
    opened.progress = std::make_unique<CampaignProgress>(plan, share.value_or(former));
    Gathering gathering(plan, *opened.progress);
    if (is_changed) {
        carry_over(path, content, plan, opened, gathering);
    } else {
        go_on(path, content, opened, gathering);
    }
    if (share.value_or(former) != former) {
        opened.journal->append_share(text_of(*share));
    }
    opened.warning = damage_text(path, content, BehindDamage::is_computed_again);
    opened.reused = gathering.taken();
    opened.left_out = gathering.left_out();
    opened.failures = gathering.failures();
    return opened;
}

OpenedJournal begun(
    std::unique_ptr<engine::Journal> journal, const Plan& plan, const CellShare& share
) {
    if (!share.is_whole()) {
        journal->append_share(text_of(share));
    }
    return {std::move(journal), std::make_unique<CampaignProgress>(plan, share)};
}

}  // namespace

std::string left_out_text(std::uint64_t replications) {
    return fmt::format(
        "{} found {} of no use to this campaign and {} left out",
        engine::counted(replications, "replication"),
        replications == 1 ? "is" : "are",
        replications == 1 ? "was" : "were"
    );
}

void expect_run_of(const fs::path& path, const Plan& plan, const Cell& cell) {
    const engine::JournalHeader header = engine::read_journal(path).header;
    if (header.plan_hash == plan.plan_hash || has_other_logs(header, plan)
        || !has_cell(header, cell)) {
        expect_same_campaign(path, header, plan, of_replays);
    }
}

bool expect_same_logs(const fs::path& path, const Plan& plan, const Cell& cell) {
    const auto found =
        plan.has_checksummed_inputs && fs::exists(path) ? header_in(path) : std::nullopt;
    if (found && has_other_logs(*found, plan)) {
        refuse_logs(path, *found, plan, of_replays.of_other_logs);
    }
    return !found || found->plan_hash == plan.plan_hash || has_cell(*found, cell);
}

OpenedJournal open_journal(
    const fs::path& path,
    const Plan& plan,
    ExistingJournal existing,
    const std::optional<CellShare>& share
) {
    const bool goes_on = existing == ExistingJournal::resume || existing == ExistingJournal::extend;
    if (fs::exists(path)) {
        if (goes_on) {
            return open_former(path, plan, existing, share);
        }
        if (existing == ExistingJournal::refuse) {
            refuse_to_overwrite(path, plan);
        }
        return begun(
            engine::Journal::replace(path, header_of(plan)), plan, share.value_or(CellShare())
        );
    }
    if (goes_on) {
        throw engine::JournalError(fmt::format(
            "{}: there is no journal to go on from. Check that this is the folder of the run. "
            "`run` in place of `resume` begins a new one",
            path.string()
        ));
    }
    return begun(engine::Journal::create(path, header_of(plan)), plan, share.value_or(CellShare()));
}

}  // namespace schedfarm::app
