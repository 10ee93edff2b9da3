#include "app/report/schedule/named_logs.hpp"

#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "app/report/result_view.hpp"

namespace schedfarm::app {

namespace {

constexpr std::string_view before_file = "{trace: {file: ";
}  // namespace

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

}  // namespace schedfarm::app
