#include "app/run/journal/merge.hpp"

#include <map>
#include <system_error>

#include <fmt/format.h>

#include "engine/farm/journal/journal.hpp"

#include "app/run/journal/campaign_journal.hpp"
#include "app/run/journal/outcome_codec.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

struct Part {
    fs::path path;
    engine::JournalContent content;
};

std::vector<Part> read_parts(const std::vector<fs::path>& paths) {
    std::vector<Part> parts;
    for (const fs::path& given : paths) {
        const fs::path path = journal_of(given);
        parts.push_back({path, engine::read_journal(path)});
    }
    if (parts.empty()) {
        throw engine::JournalError("nothing to merge. Name the result files of the parts");
    }
    return parts;
}

void expect_same_plan(const Part& first, const Part& other) {
    const engine::JournalHeader& a = first.content.header;
    const engine::JournalHeader& b = other.content.header;
    if (a.plan_hash == b.plan_hash && a.campaign_name == b.campaign_name) {
        return;
    }
    throw engine::JournalError(fmt::format(
        "{} and {} do not belong together: {} (plan {:.12} against {:.12}). Merge parts of one "
        "campaign file only",
        first.path.string(),
        other.path.string(),
        a.campaign_name == b.campaign_name
            ? fmt::format("two versions of campaign '{}', or of a log of it", a.campaign_name)
            : fmt::format("campaigns '{}' and '{}'", a.campaign_name, b.campaign_name),
        a.plan_hash,
        b.plan_hash
    ));
}

/// A replication computed twice must have come out the same; one that failed may have succeeded
/// elsewhere.
void expect_same_result(
    const engine::TaskResult& a, const engine::TaskResult& b, const Part& part
) {
    if (a.payload == b.payload) {
        return;
    }
    const ReplicationId id = ReplicationId::of(a.id);
    throw engine::JournalError(fmt::format(
        "{}: replication {} of cell {} differs from that of another part. Were they computed by "
        "different programs? `schedfarm replay` tells which is right",
        part.path.string(),
        id.replication,
        id.cell
    ));
}

std::map<std::uint64_t, engine::TaskResult> joined_results(const std::vector<Part>& parts) {
    std::map<std::uint64_t, engine::TaskResult> joined;
    for (const Part& part : parts) {
        for (const engine::TaskResult& result : part.content.results) {
            const auto [found, is_new] = joined.emplace(result.id.value, result);
            if (is_new || result.status != engine::TaskStatus::done) {
                continue;
            }
            if (found->second.status == engine::TaskStatus::done) {
                expect_same_result(found->second, result, part);
            } else {
                found->second = result;
            }
        }
    }
    return joined;
}

std::vector<std::string> damage_of(const std::vector<Part>& parts) {
    std::vector<std::string> texts;
    for (const Part& part : parts) {
        if (part.content.is_damaged) {
            texts.push_back(damage_text(part.path, part.content, BehindDamage::is_missing));
        }
    }
    return texts;
}

}  // namespace

RunSummary merge(const std::vector<fs::path>& paths, const fs::path& output) {
    const std::vector<Part> parts = read_parts(paths);
    const Plan plan = read_campaign_journal(parts.front().path).plan;
    for (const Part& part : parts) {
        expect_same_plan(parts.front(), part);
        expect_results_of(part.path, part.content, plan);
    }
    const auto joined = joined_results(parts);
    const fs::path target = journal_of(output);
    auto journal = engine::Journal::create(target, parts.front().content.header);
    try {
        for (const auto& [id, result] : joined) {
            journal->append_result(result);
        }
        journal->sync();
        journal.reset();
        RunSummary summary = rebuild(target, output);
        summary.warnings = damage_of(parts);
        return summary;
    } catch (...) {
        std::error_code ignored;
        fs::remove(target, ignored);
        throw;
    }
}

}  // namespace schedfarm::app
