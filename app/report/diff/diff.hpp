// What distinguishes two result files, in one of three senses: to the bit (was the same computed?),
// by interval (do the estimates contradict one another?), by pairs (did a change of the program
// change a mean, under common random numbers?). Pure functions of the two files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results_schema/tables/table.hpp"

#include "app/report/text_table.hpp"

namespace schedfarm::app {

enum class DiffMode : std::uint8_t {
    bitwise,  ///< payloads, value by value
    overlap,  ///< confidence intervals as the files hold them
    paired,   ///< replications of equal index, Holm-adjusted
};

struct DiffSettings {
    DiffMode mode = DiffMode::bitwise;
    double confidence = 0.95;  ///< paired: of the family of all differences
    std::string metric;        ///< overlap and paired; empty: all that both files have
};

/// A result file under the name by which it is shown.
struct DiffSide {
    std::string name;
    const results_schema::ResultFile* results = nullptr;
};

enum class DiffOutcome : std::uint8_t { same, different };

struct DiffReport {
    DiffOutcome outcome = DiffOutcome::same;
    std::vector<std::string> lines;  ///< a paragraph each
    std::vector<TextTable> tables;   ///< below them
};

/// Throws ResultError where the files cannot be compared in this mode: no cell or no metric in
/// common, or (paired) different seeds. REQUIRES: 0 < confidence < 1.
DiffReport diff(const DiffSide& a, const DiffSide& b, const DiffSettings& settings);

/// The report as a text of `width` columns.
std::string diff_text(const DiffReport& report, std::size_t width = terminal_width);

DiffReport diff_bitwise(const DiffSide& a, const DiffSide& b);
DiffReport diff_overlap(const DiffSide& a, const DiffSide& b, const DiffSettings& settings);
DiffReport diff_paired(const DiffSide& a, const DiffSide& b, const DiffSettings& settings);

/// What distinguishes the job logs of two result files, job by job.
struct JobLogDiff {
    std::size_t logs = 0;            ///< of the same cell and replication in both files
    std::vector<std::string> lines;  ///< one per log or list of processors that differs
};

/// Logs that only one of the files has are passed over: they are no results. Throws ResultError.
JobLogDiff diff_job_logs(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace schedfarm::app
