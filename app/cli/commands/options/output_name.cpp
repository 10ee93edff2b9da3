#include "app/cli/commands/options/output_name.hpp"

#include <system_error>

#include <fmt/format.h>

#include "engine/foundation/new_file.hpp"

#include "results_schema/result_io.hpp"

#include "app/cli/explain.hpp"
#include "app/run/run_campaign.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

/// Why results cannot, or must not, be written at a place; empty: nothing is in the way.
std::string obstacle_at(const fs::path& output, Damaged damaged) {
    try {
        engine::FilePlace(output).expect_replaceable();
    } catch (const std::system_error& error) {
        if (error.code()
            != std::errc::no_such_file_or_directory) {  // the journal's words are better
            return error.code().message();
        }
    }
    if (output.extension() == ".journal") {
        return "journals are called so";
    }
    std::error_code error;
    if (!fs::exists(output, error) || fs::file_size(output, error) == 0) {
        return "";
    }
    switch (results_schema::kind_of(output)) {
        case results_schema::FileKind::results:
            return "";
        case results_schema::FileKind::unreadable:
            // With a journal beside they were results, which are made anew from it.
            return damaged == Damaged::is_replaced || fs::exists(journal_path(output), error)
                       ? ""
                       : "it is an HDF5 file that cannot be opened, maybe of something else, which "
                         "would be lost";
        case results_schema::FileKind::other:
            break;
    }
    return "it is a file of something else, which would be lost";
}

}  // namespace

void expect_can_be_written(const fs::path& output, Damaged damaged) {
    if (const std::string obstacle = obstacle_at(output, damaged); !obstacle.empty()) {
        throw UsageError(fmt::format(
            "{}: results cannot be written there ({}). Name another file", output.string(), obstacle
        ));
    }
}

}  // namespace schedfarm::app
