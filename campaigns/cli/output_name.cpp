#include "campaigns/cli/output_name.hpp"

#include <system_error>

#include <fmt/format.h>

#include "results_schema/whole_file.hpp"

#include "campaigns/cli/explain.hpp"

namespace schedfarm::campaigns {

namespace {

namespace fs = std::filesystem;

/// Why results cannot, or must not, be written at a place; empty: nothing is in the way.
std::string obstacle_at(const fs::path& output) {
    std::error_code error;
    const fs::file_status status = fs::status(output, error);
    if (!fs::status_known(status)) {
        return error.message();
    }
    if (fs::is_directory(status)) {
        return "it is a folder";
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        return "it is no regular file";
    }
    if (output.extension() == ".journal") {
        return "journals are called so";
    }
    const bool is_other = fs::is_regular_file(status) && fs::file_size(output, error) > 0
                          && !results_schema::is_hdf5_file(output);
    return is_other ? "it is a file of something else, which would be lost" : "";
}

}  // namespace

void expect_can_be_written(const fs::path& output) {
    if (const std::string obstacle = obstacle_at(output); !obstacle.empty()) {
        throw UsageError(fmt::format(
            "{}: results cannot be written there ({}). Name another file", output.string(), obstacle
        ));
    }
}

}  // namespace schedfarm::campaigns
