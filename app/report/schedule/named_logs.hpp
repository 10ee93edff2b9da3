// The logs that the workload of a cell names, as the table `cells` of a result file tells them: the
// file, and the SHA-256 of what was in it, which a campaign is held to from its beginning on. Files
// that were written before campaigns were held to their logs do not have it. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results_schema/tables/table.hpp"

namespace schedfarm::app {

struct NamedLog {
    std::string file;
    std::string sha256;  ///< of its uncompressed text; empty: not told
};

struct WorkloadText {
    std::string text;            ///< of the workload, whatever its logs contained
    std::vector<NamedLog> logs;  ///< in the order of the text
};

/// `workload`: as in the column of that name.
WorkloadText without_checksums(const std::string& workload);

bool names_log(const std::string& workload);

/// What intervals are of in cells that resample a log, and its blocks; empty where none does.
std::string of_logs_like_it(const results_schema::ResultFile& results);

/// What an interval is of replications that take the jobs of a log as they are, or shaken.
inline constexpr const char* of_one_log =
    " Of a log that is not resampled, or has one user or week to draw, it is of this one log, over "
    "what is drawn anew (shaking, estimates, "
    "reservations, choices of the policy), and tells nothing of other logs.";

/// A log of cells that two result files have both.
struct LogPair {
    std::string file;
    std::string sha256_a;
    std::string sha256_b;
    std::uint64_t cells = 0;  ///< that read it so in both

    bool differs() const { return !sha256_a.empty() && !sha256_b.empty() && sha256_a != sha256_b; }
};

/// Counts the cells of one text in both files. REQUIRES: the texts without checksums are equal.
void add_logs(
    const std::string& workload_a, const std::string& workload_b, std::vector<LogPair>& logs
);

}  // namespace schedfarm::app
