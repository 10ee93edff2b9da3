// The macro-runs of a certificate as work for the farm, in blocks. Rows of one campaign are
// measured by the same macro-runs. What comes out is kept by row and number, so that it does not
// depend on the order in which workers finish.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/farm/task.hpp"

#include "app/certify/certificate_row.hpp"
#include "app/certify/judgement.hpp"
#include "app/certify/macro_run.hpp"

namespace schedfarm::app {

/// Macro-runs of one task.
inline constexpr std::uint32_t block_of_macro_runs = 10;

/// How often campaigns are repeated.
struct Repetition {
    enum class Form : std::uint8_t { full, brief };
    Form form = Form::full;
    std::optional<std::uint32_t> macro_runs = {};  ///< of all rows, instead of what they ask for

    /// 0: the row is left to the long form.
    std::uint32_t of(const Certificate& certificate) const;
};

/// Executes a block on a worker. The rows outlive the function.
engine::TaskFunction macro_run_function(const std::vector<CertificateRow>& rows);

class CertificateWork final : public engine::WorkSource {
  public:
    /// REQUIRES: no row wants a single macro-run. The rows outlive the work.
    CertificateWork(const std::vector<CertificateRow>& rows, const Repetition& repetition);

    /// Block 0 of every campaign, then block 1 …: campaigns of any length end at about the same
    /// time.
    std::optional<engine::Task> next_task() override;
    void accept(const engine::TaskResult& result) override;
    bool finished() const override { return next_ == blocks_.size(); }
    std::optional<std::uint64_t> tasks_ready() const override { return blocks_.size() - next_; }

    std::uint64_t macro_runs_wanted() const { return wanted_; }
    std::uint64_t macro_runs_done() const { return done_; }
    /// One result per row. REQUIRES: every task's result has been accepted.
    std::vector<RowResult> results() const;

  private:
    /// Rows measured by the same macro-runs.
    struct Unit {
        std::vector<std::size_t> rows;
        std::uint32_t macro_runs = 0;
        std::map<std::uint32_t, std::string> failures;  ///< by first number of the block
        double seconds = 0;
        std::uint32_t done = 0;
    };
    struct Block {
        std::uint32_t unit = 0;
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };

    void add_units(const Repetition& repetition);
    void add_blocks();

    const std::vector<CertificateRow>& rows_;
    std::vector<Unit> units_;
    std::vector<std::vector<MacroRun>> runs_;  // by row
    std::vector<Block> blocks_;                // by task id
    std::size_t next_ = 0;
    std::uint64_t wanted_ = 0;
    std::uint64_t done_ = 0;
};

}  // namespace schedfarm::app
