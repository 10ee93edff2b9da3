#include "app/run/journal/campaign_journal.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/farm/transport/serialization.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/foundation/message_text.hpp"
#include "engine/statistics/log_sketch.hpp"

#include "app/campaign/plan/lengthening.hpp"
#include "app/campaign/yaml/config_error.hpp"
#include "app/run/campaign_progress.hpp"
#include "app/run/journal/outcome_codec.hpp"
#include "app/run/rules/load_search_rule.hpp"
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

/// Replications are given out in order of index: an index far beyond the number of records was
/// never reached, and would only cost memory. Failed ones that an extension left out make holes.
std::uint64_t index_limit(const engine::JournalContent& content) {
    constexpr std::uint64_t most_holes = 1U << 16U;
    return 2 * (content.results.size() + content.in_flight.size()) + most_holes;
}

/// Checks ids and observations; every problem is a short text, empty where there is none.
class RecordCheck {
  public:
    RecordCheck(const engine::JournalContent& content, const Plan& plan)
        : plan_(plan), index_limit_(index_limit(content)) {}

    std::string problem(engine::TaskId id) const {
        const ReplicationId replication = ReplicationId::of(id);
        if (replication.cell >= plan_.cells.size()) {
            return fmt::format("of cell {}, and the plan has no such cell", replication.cell);
        }
        const Cell& cell = plan_.cells[replication.cell];
        if (position_in_level(cell, replication.replication) >= index_limit_
            || level_of(cell, replication.replication) > last_level) {
            return fmt::format("of replication {}, which no run reached", replication.replication);
        }
        return "";
    }

    std::string problem(const engine::TaskResult& result) const {
        std::string wrong_id = problem(result.id);
        if (!wrong_id.empty() || result.status != engine::TaskStatus::done) {
            return wrong_id;
        }
        try {
            const Cell& cell = plan_.cells[ReplicationId::of(result.id).cell];
            return observations_problem(cell, decode_observations(result.payload));
        } catch (const engine::SerializationError& error) {
            return fmt::format("without observations ({})", error.what());
        }
    }

  private:
    static std::string observations_problem(
        const Cell& cell, const engine::Observations& observations
    ) {
        if (observations.values.size() != cell.columns.size()) {
            return fmt::format(
                "with {} observations, and cell {} has {}",
                observations.values.size(),
                cell.index,
                cell.columns.size()
            );
        }
        const std::size_t parts = observations.series.size();
        const std::size_t sketches = observations.sketches.size();
        const bool is_cut_short = observations.overflow.has_value();
        if (is_cut_short ? parts + sketches > 0
                         : sketches != cell.sketches.size()
                               || (parts != 0 && parts != cell.experiment.series_bins)) {
            return fmt::format("with {} parts and {} sketches", parts, sketches);
        }
        try {
            for (const engine::SketchBuckets& sketch : observations.sketches) {
                engine::LogSketch().merge(sketch);
            }
        } catch (const engine::ContractViolation&) {
            return "with a sketch of what are no numbers";
        }
        return "";
    }

    const Plan& plan_;
    std::uint64_t index_limit_;
};

/// Throws ContractViolation where the plan's rules do not take the results.
void rehearse(const Plan& plan, const engine::JournalResults& results) {
    CampaignProgress rehearsal(plan);
    for (const engine::TaskResult& result : results) {
        rehearsal.take(result);
    }
    for (const engine::TaskResult& result : results) {
        const ReplicationId id = ReplicationId::of(result.id);
        if (const LoadSearchRule* search = rehearsal.search(id.cell)) {
            search->utilization(id.replication);  // that of its round, which must have begun
        }
    }
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

void expect_results_of(
    const fs::path& path, const engine::JournalContent& content, const Plan& plan
) {
    const RecordCheck check(content, plan);
    const auto expect_no = [&](const std::string& problem) {
        if (!problem.empty()) {
            refuse(path, "there is a record in it " + problem);
        }
    };
    for (const engine::TaskId id : content.in_flight) {
        expect_no(check.problem(id));
    }
    for (const engine::Suspect& suspect : content.suspects) {
        expect_no(check.problem(suspect.id));
    }
    for (const engine::TaskResult& result : content.results) {
        expect_no(check.problem(result));
    }
    try {
        rehearse(plan, content.results);
    } catch (const engine::ContractViolation& violation) {
        refuse(path, fmt::format("its results contradict its campaign ({})", violation.what()));
    }
}

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
    expect_results_of(path, content, plan);
    return {std::move(content), std::move(plan)};
}

}  // namespace schedfarm::app
