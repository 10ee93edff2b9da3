#include "app/report/schedule/named_logs.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

#include "app/report/result_view.hpp"

namespace schedfarm::app {

namespace {

constexpr std::string_view before_file = "{trace: {file: ";
constexpr std::string_view before_checksum = ", sha256: ";

/// Where the scalar ends that begins at `at`.
std::size_t end_of_scalar(std::string_view text, std::size_t at) {
    if (at >= text.size() || text[at] != '"') {
        return std::min(text.find_first_of(",}", at), text.size());
    }
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != '"') {
        end += text[end] == '\\' ? 2U : 1U;
    }
    return std::min(end + 1, text.size());
}

std::string unquoted(std::string_view scalar) {
    const bool is_quoted = scalar.size() >= 2 && scalar.front() == '"';
    return std::string(is_quoted ? scalar.substr(1, scalar.size() - 2) : scalar);
}

}  // namespace

WorkloadText without_checksums(const std::string& workload) {
    const std::string_view text = workload;
    WorkloadText result;
    std::size_t done = 0;
    for (std::size_t at = text.find(before_file); at != std::string_view::npos;
         at = text.find(before_file, done)) {
        const std::size_t file = at + before_file.size();
        const std::size_t file_end = end_of_scalar(text, file);
        result.text += text.substr(done, file_end - done);
        done = file_end;
        if (!text.substr(file_end).starts_with(before_checksum)) {
            continue;
        }
        const std::size_t checksum = file_end + before_checksum.size();
        done = end_of_scalar(text, checksum);
        result.logs.push_back(
            {unquoted(text.substr(file, file_end - file)),
             unquoted(text.substr(checksum, done - checksum))}
        );
    }
    result.text += text.substr(done);
    return result;
}

bool names_log(const std::string& workload) {
    return workload.find(before_file) != std::string::npos;
}

std::string of_logs_like_it(const results_schema::ResultFile& results) {
    std::map<std::string, std::set<std::uint64_t>> counts;  // by unit
    for (const Row& cell : rows_of(table_of(results, "cells"))) {
        if (cell.count("log_blocks") > 0) {
            counts[cell.text("log_block_unit")].insert(cell.count("log_blocks"));
        }
    }
    std::vector<std::string> blocks;
    for (const auto& [unit, of_unit] : counts) {
        const std::uint64_t fewest = *of_unit.begin();
        const std::uint64_t most = *of_unit.rbegin();
        blocks.push_back(
            fewest == most ? fmt::format("{} {}", fewest, unit)
                           : fmt::format("{} to {} {}", fewest, most, unit)
        );
    }
    return blocks.empty()
               ? ""
               : fmt::format(
                   "Of a resampled log, intervals and what is concluded from them hold for "
                   "logs like it, of which this one shows {}; more replications do not make "
                   "them shorter. The file has those of the log's own draws as given_log.",
                   fmt::join(blocks, " or ")
               );
}

void add_logs(
    const std::string& workload_a, const std::string& workload_b, std::vector<LogPair>& logs
) {
    const std::vector<NamedLog> of_a = without_checksums(workload_a).logs;
    const std::vector<NamedLog> of_b = without_checksums(workload_b).logs;
    SCHEDFARM_EXPECT(of_a.size() == of_b.size(), "workloads of one text name the same logs");
    for (std::size_t i = 0; i < of_a.size(); ++i) {
        const auto known = std::find_if(logs.begin(), logs.end(), [&](const LogPair& log) {
            return log.file == of_a[i].file && log.sha256_a == of_a[i].sha256
                   && log.sha256_b == of_b[i].sha256;
        });
        if (known == logs.end()) {
            logs.push_back({of_a[i].file, of_a[i].sha256, of_b[i].sha256, 1});
        } else {
            ++known->cells;
        }
    }
}

}  // namespace schedfarm::app
