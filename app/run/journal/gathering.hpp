// Taking results from journals: a plan uses what was computed for a cell with the replication key
// of one of its own, whichever run, share of the cells or version of the campaign it was computed
// in. Resuming, extending, rebuilding, merging and looking at a run are this one thing.
//
// A checksum says only that a record is what some program wrote. A journal of another version of
// the program, or one that was tampered with, is found out here, before anything is made of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "engine/farm/journal/journal.hpp"

#include "app/campaign/plan/plan.hpp"
#include "app/run/campaign_progress.hpp"

namespace schedfarm::app {

/// The replication keys of all cells, 32 bytes each, in the order of the cells.
std::string cell_keys(const Plan& plan);

/// Whether a cell of the plan, or this one, is one that the journal has results for.
bool has_cell_of(const engine::JournalHeader& header, const Plan& plan);
bool has_cell(const engine::JournalHeader& header, const Cell& cell);

class Gathering {
  public:
    using OnResult = std::function<void(const engine::TaskResult&)>;

    /// Takes into `progress`, which is that of the plan. Both outlive it.
    Gathering(const Plan& plan, CampaignProgress& progress) : plan_(plan), progress_(progress) {}

    /// Takes a journal's observations, and calls keep(result) with each that is new, under its task
    /// id in the plan. Of another plan's journal failures are left out: they are tried again.
    /// Throws JournalError where a record can stem from no run of the plan: its cell exists, its
    /// index is one that was reached, its observations are those of the cell and of another journal
    /// with the same replication, and the plan's rules take it. `path` is for messages.
    void add(
        const std::filesystem::path& path,
        const engine::JournalContent& content,
        const OnResult& keep = nullptr
    );

    /// The last failure of each replication that has no observations. They are not taken yet.
    const std::map<engine::TaskId, engine::TaskResult>& failures() const { return failures_; }
    void take_failures();

    std::uint64_t taken() const { return taken_; }
    /// Results that the plan has no use for.
    std::uint64_t left_out() const { return left_out_; }

  private:
    const Plan& plan_;
    CampaignProgress& progress_;
    std::map<engine::TaskId, engine::TaskResult> failures_;
    std::uint64_t taken_ = 0;
    std::uint64_t left_out_ = 0;
};

}  // namespace schedfarm::app
