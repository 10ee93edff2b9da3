#include "app/run/journal/campaign_journal.hpp"

#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/farm/transport/serialization.hpp"
#include "engine/foundation/message_text.hpp"

#include "app/campaign/yaml/config_error.hpp"
#include "app/run/version.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* other_program =
    "Use the version of schedfarm that wrote it, or begin anew with --fresh";

[[noreturn]] void refuse(
    const fs::path& path, const std::string& problem, const std::string& suggestion = other_program
) {
    throw engine::JournalError(fmt::format("{}: {}. {}", path.string(), problem, suggestion));
}

/// The plan of the journal's campaign is not the one that the journal was written by.
[[noreturn]] void refuse_plan(
    const fs::path& path, const engine::JournalHeader& header, const Plan& plan
) {
    const std::string plans =
        fmt::format("{:.12} against {:.12}", plan.plan_hash, header.plan_hash);
    if (header.program_version == program_version) {
        refuse(
            path,
            fmt::format("its campaign makes another plan now than when it was begun ({})", plans),
            "A log that the campaign names has changed since, or schedfarm has been built anew. "
            "Put "
            "the old one back, or begin anew with --fresh"
        );
    }
    refuse(
        path,
        fmt::format(
            "this program, {}, makes another plan of its campaign than schedfarm {} did ({})",
            program_version,
            header.program_version,
            plans
        )
    );
}

/// What to do about a campaign that this same version had accepted when the journal was begun.
std::string suggestion_for(const std::vector<ConfigProblem>& problems) {
    const bool is_of_file = !problems.empty() && problems.front().key_path.starts_with("workload")
                            && problems.front().key_path.ends_with(".file");
    return is_of_file
               ? "Put a log that it names back where it was. Its path was taken to begin in the "
                 "current folder, in that of the run, and in that of the journal"
               : "It was begun by a program that allowed this: begin anew with --fresh.";
}

[[noreturn]] void refuse_campaign(
    const fs::path& path, const engine::JournalHeader& header, const ConfigErrors& errors
) {
    const std::string first =
        errors.problems().empty() ? "" : " (" + errors.problems().front().text() + ")";
    refuse(
        path,
        "the campaign in it cannot be read" + first,
        header.program_version == program_version ? suggestion_for(errors.problems())
                                                  : other_program
    );
}

bool is_plan_of(const engine::JournalHeader& header, const Plan& plan) {
    return plan.plan_hash == header.plan_hash && plan.name == header.campaign_name;
}

/// From where the names of logs may begin: the current folder, as in a run; that of the run; and
/// that of the journal, which may have been moved with its campaign.
std::vector<std::string> folders_to_begin_in(const fs::path& path, const CampaignSource& source) {
    std::vector<std::string> folders{""};
    std::error_code error;
    for (const std::string& folder :
         {source.folder, fs::absolute(path, error).parent_path().string()}) {
        if (!folder.empty() && folder != fs::current_path(error)) {
            folders.push_back(folder);
        }
    }
    return folders;
}

/// The plan that the journal was written by, from whichever folder names that plan's logs.
Plan plan_in(const fs::path& path, const engine::JournalHeader& header) {
    std::optional<ConfigErrors> errors;
    std::optional<Plan> other;
    try {
        CampaignSource source = source_in(header);
        for (const std::string& folder : folders_to_begin_in(path, source)) {
            source.folder = folder;
            try {
                Plan plan = make_plan(source);
                if (is_plan_of(header, plan)) {
                    return plan;
                }
                if (!plan.has_checksummed_inputs) {
                    refuse_plan(path, header, plan);  // from any folder
                }
                other = other ? std::move(other) : std::move(plan);
            } catch (const ConfigErrors& found) {
                errors = errors ? errors : found;
            }
        }
    } catch (const engine::SerializationError& error) {
        refuse(path, fmt::format("there is no campaign in it ({})", error.what()));
    }
    if (other) {
        refuse_plan(path, header, *other);
    }
    refuse_campaign(path, header, *errors);
}

std::string fate_text(const fs::path& path, BehindDamage rest) {
    const std::string beside = engine::damaged_path(path).string();
    switch (rest) {
        case BehindDamage::is_computed_again:
            return fmt::format(" (kept as {}) and computed again", beside);
        case BehindDamage::waits_for_the_resume:
            return fmt::format(" when the run goes on (and kept as {})", beside);
        case BehindDamage::is_missing:
            return " here. The journal stays as it is; `schedfarm resume` mends it and computes "
                   "again what is missing";
    }
    return "";
}

}  // namespace

CampaignSource source_in(const engine::JournalHeader& header) {
    const auto* first = reinterpret_cast<const std::byte*>(header.campaign.data());
    return CampaignSource::deserialize({first, first + header.campaign.size()});
}

std::string damage_text(
    const fs::path& path, const engine::JournalContent& content, BehindDamage rest
) {
    if (!content.is_damaged) {
        return "";
    }
    return fmt::format(
        "{}: damaged at byte {}: {} before it {} kept, {} behind it {} dropped{}",
        path.string(),
        content.valid_bytes,
        engine::counted(content.results.size(), "result"),
        content.results.size() == 1 ? "is" : "are",
        engine::counted(content.torn_bytes, "byte"),
        content.torn_bytes == 1 ? "is" : "are",
        fate_text(path, rest)
    );
}

CampaignJournal read_campaign_journal(const fs::path& path) {
    engine::JournalContent content = engine::read_journal(path);
    Plan plan = plan_in(path, content.header);
    return {std::move(content), std::move(plan)};
}

}  // namespace schedfarm::app
