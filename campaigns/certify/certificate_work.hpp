// The macro-runs of a certificate as work for the farm, in blocks of a row. What comes out is kept
// by row and number, so that it does not depend on the order in which workers finish.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/farm/task.hpp"

#include "campaigns/certify/certificate_row.hpp"
#include "campaigns/certify/judgement.hpp"
#include "campaigns/certify/macro_run.hpp"

namespace schedfarm::campaigns {

/// Macro-runs of one task.
inline constexpr std::uint32_t block_of_macro_runs = 10;

/// Executes a block on a worker. The rows outlive the function.
engine::TaskFunction macro_run_function(const std::vector<CertificateRow>& rows);

class CertificateWork final : public engine::WorkSource {
  public:
    /// REQUIRES: at least two macro-runs. The rows outlive the work.
    CertificateWork(const std::vector<CertificateRow>& rows, std::uint32_t macro_runs);

    /// Block 0 of every row, then block 1 …: rows of any length end at about the same time.
    std::optional<engine::Task> next_task() override;
    void accept(const engine::TaskResult& result) override;
    bool finished() const override { return next_ == blocks(); }
    std::optional<std::uint64_t> tasks_ready() const override { return blocks() - next_; }

    std::uint64_t macro_runs_wanted() const { return rows_.size() * macro_runs_; }
    std::uint64_t macro_runs_done() const { return done_; }
    /// One result per row. REQUIRES: every task's result has been accepted.
    std::vector<RowResult> results() const;

  private:
    struct Measured {
        std::vector<MacroRun> runs;
        std::map<std::uint32_t, std::string> failures;  ///< by first number of the block
        double seconds = 0;
        std::uint32_t done = 0;
    };

    std::uint64_t blocks() const;

    const std::vector<CertificateRow>& rows_;
    std::uint32_t macro_runs_;
    std::vector<Measured> measured_;
    std::uint64_t next_ = 0;
    std::uint64_t done_ = 0;
};

}  // namespace schedfarm::campaigns
