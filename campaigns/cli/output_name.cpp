#include "campaigns/cli/output_name.hpp"

#include <system_error>

#include <fmt/format.h>

#include "campaigns/cli/explain.hpp"

namespace schedfarm::campaigns {

void expect_can_be_written(const std::filesystem::path& output) {
    std::error_code ignored;
    const auto status = std::filesystem::status(output, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        throw UsageError(fmt::format(
            "{}: results cannot be written there (it is {}). Name a file",
            output.string(),
            std::filesystem::is_directory(status) ? "a folder" : "no regular file"
        ));
    }
}

}  // namespace schedfarm::campaigns
