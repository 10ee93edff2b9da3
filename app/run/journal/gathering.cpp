#include "app/run/journal/gathering.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/farm/transport/serialization.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/statistics/log_sketch.hpp"

#include "app/campaign/plan/lengthening.hpp"
#include "app/run/journal/outcome_codec.hpp"
#include "app/run/rules/load_search_rule.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t key_bytes = 32;

std::string key_of(const Cell& cell) {
    const std::string& hex = cell.replication_key;
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        unsigned byte = 0;
        std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
        bytes += static_cast<char>(byte);
    }
    return bytes;
}

std::vector<std::string_view> keys_in(const engine::JournalHeader& header) {
    std::vector<std::string_view> keys;
    for (std::string_view rest = header.cell_keys; rest.size() >= key_bytes;
         rest.remove_prefix(key_bytes)) {
        keys.push_back(rest.substr(0, key_bytes));
    }
    return keys;
}

/// For every cell of a journal, the cells of the plan that can use its replications.
class CellsOfPlan {
  public:
    CellsOfPlan(const engine::JournalHeader& header, const Plan& plan)
        : is_same_plan_(header.plan_hash == plan.plan_hash) {
        if (is_same_plan_) {
            for (const Cell& cell : plan.cells) {
                same_.push_back(cell.index);
            }
            return;
        }
        std::map<std::string, std::vector<std::uint32_t>> by_key;
        for (const Cell& cell : plan.cells) {
            by_key[key_of(cell)].push_back(cell.index);
        }
        std::set<std::string_view> seen;  // cells with equal keys have equal replications
        for (const std::string_view key : keys_in(header)) {
            const auto found = by_key.find(std::string(key));
            others_.push_back(
                found != by_key.end() && seen.insert(key).second ? found->second
                                                                 : std::vector<std::uint32_t>()
            );
        }
    }

    bool is_same_plan() const { return is_same_plan_; }
    bool has(std::uint32_t cell) const {
        return cell < (is_same_plan_ ? same_.size() : others_.size());
    }
    /// REQUIRES: has(cell).
    std::span<const std::uint32_t> operator[](std::uint32_t cell) const {
        return is_same_plan_ ? std::span(same_).subspan(cell, 1) : std::span(others_[cell]);
    }

  private:
    bool is_same_plan_;
    std::vector<std::uint32_t> same_;
    std::vector<std::vector<std::uint32_t>> others_;
};

[[noreturn]] void refuse_journal(const fs::path& path, const std::string& problem) {
    throw engine::JournalError(fmt::format(
        "{}: {}. Use the version of schedfarm that wrote it, or begin anew with --fresh",
        path.string(),
        problem
    ));
}

[[noreturn]] void refuse_record(const fs::path& path, const std::string& problem) {
    refuse_journal(path, "there is a record in it " + problem);
}

/// Replications are given out in order of index: an index far beyond the number of records was
/// never reached, and would only cost memory. Failed ones that an extension left out make holes.
std::uint64_t index_limit(const engine::JournalContent& content) {
    constexpr std::uint64_t most_holes = 1U << 16U;
    return 2 * (content.results.size() + content.in_flight.size()) + most_holes;
}

void expect_reached(
    const fs::path& path, const Cell& cell, std::uint32_t replication, std::uint64_t limit
) {
    if (position_in_level(cell, replication) >= limit || level_of(cell, replication) > last_level) {
        refuse_record(path, fmt::format("of replication {}, which no run reached", replication));
    }
}

/// Empty where there is none.
std::string problem_of(const Cell& cell, const engine::Observations& observations) {
    if (observations.values.size() != cell.measures->columns.size()) {
        return fmt::format(
            "with {} observations, and cell {} has {}",
            observations.values.size(),
            cell.index,
            cell.measures->columns.size()
        );
    }
    const std::size_t parts = observations.series.size();
    const std::size_t sketches = observations.sketches.size();
    const bool is_cut_short = observations.overflow.has_value();
    if (is_cut_short ? parts + sketches > 0
                     : sketches != cell.measures->sketches.size()
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

ReplicationOutcome outcome_in(
    const fs::path& path, const engine::TaskResult& result, const Cell& cell
) {
    ReplicationOutcome outcome;
    try {
        outcome = outcome_of(result);
    } catch (const engine::SerializationError& error) {
        refuse_record(path, fmt::format("without observations ({})", error.what()));
    }
    const std::string problem = problem_of(cell, *outcome.observations);
    if (!problem.empty()) {
        refuse_record(path, problem);
    }
    return outcome;
}

[[noreturn]] void refuse_difference(const fs::path& path, const ReplicationId& id) {
    throw engine::JournalError(fmt::format(
        "{}: replication {} of cell {} differs from what was computed of it elsewhere, as two "
        "programs may. Run `schedfarm replay`, which tells which is right.",
        path.string(),
        id.replication,
        id.cell
    ));
}

/// The loads of searches are those of their rounds, which must have begun.
void expect_begun_rounds(const CampaignProgress& progress) {
    for (const auto& cell : progress.cells()) {
        if (const LoadSearchRule* search = progress.search(cell->cell().index)) {
            for (const IndexedOutcome& outcome : cell->all_outcomes()) {
                search->utilization(outcome.replication);
            }
        }
    }
}

}  // namespace

std::string cell_keys(const Plan& plan) {
    std::string bytes;
    bytes.reserve(plan.cells.size() * key_bytes);
    for (const Cell& cell : plan.cells) {
        bytes += key_of(cell);
    }
    return bytes;
}

bool has_cell(const engine::JournalHeader& header, const Cell& cell) {
    const auto keys = keys_in(header);
    return std::find(keys.begin(), keys.end(), key_of(cell)) != keys.end();
}

bool has_cell_of(const engine::JournalHeader& header, const Plan& plan) {
    const auto keys = keys_in(header);
    const std::set<std::string_view> known(keys.begin(), keys.end());
    return std::any_of(plan.cells.begin(), plan.cells.end(), [&](const Cell& cell) {
        return known.contains(key_of(cell));
    });
}

void Gathering::add(
    const fs::path& path, const engine::JournalContent& content, const OnResult& keep
) {
    const CellsOfPlan cells(content.header, plan_);
    const std::uint64_t limit = index_limit(content);
    const auto cells_of = [&](engine::TaskId id) {
        const ReplicationId replication = ReplicationId::of(id);
        if (!cells.has(replication.cell)) {
            refuse_record(
                path, fmt::format("of cell {}, and the plan has no such cell", replication.cell)
            );
        }
        for (const std::uint32_t cell : cells[replication.cell]) {
            expect_reached(path, plan_.cells[cell], replication.replication, limit);
        }
        return cells[replication.cell];
    };
    for (const engine::TaskId id : content.in_flight) {
        cells_of(id);
    }
    for (const engine::Suspect& suspect : content.suspects) {
        cells_of(suspect.id);
    }
    try {
        for (const engine::TaskResult& result : content.results) {
            const auto users = cells_of(result.id);
            const bool is_done = result.status == engine::TaskStatus::done;
            left_out_ += users.empty() || (!is_done && !cells.is_same_plan()) ? 1U : 0U;
            const std::uint32_t replication = ReplicationId::of(result.id).replication;
            for (const std::uint32_t cell : users) {
                const ReplicationId id{cell, replication};
                const auto known = progress_.cells()[cell]->fingerprint(replication);
                if (!is_done) {
                    if (!known && cells.is_same_plan()) {
                        failures_.insert_or_assign(result.id, result);
                    }
                    continue;
                }
                ReplicationOutcome outcome = outcome_in(path, result, plan_.cells[cell]);
                if (known && *known != outcome.observations->fingerprint) {
                    refuse_difference(path, id);
                }
                if (!known) {
                    progress_.take(id, std::move(outcome));
                    failures_.erase(id.task_id());
                    ++taken_;
                    if (keep) {
                        engine::TaskResult kept = result;
                        kept.id = id.task_id();
                        keep(kept);
                    }
                }
            }
        }
        expect_begun_rounds(progress_);
    } catch (const engine::ContractViolation& violation) {
        refuse_journal(
            path, fmt::format("its results contradict its campaign ({})", violation.what())
        );
    }
}

void Gathering::take_failures() {
    for (const auto& [id, failed] : failures_) {
        progress_.take(failed);
    }
}

}  // namespace schedfarm::app
