#include "app/cli/commands/options/output_guard.hpp"

#include <system_error>

#include <fmt/format.h>

#include "app/cli/explain.hpp"

namespace schedfarm::app {

void expect_other_file(const std::filesystem::path& output, const std::filesystem::path& input) {
    std::error_code error;
    const bool is_file = std::filesystem::is_regular_file(output, error);
    if (is_file && std::filesystem::equivalent(output, input, error)) {
        throw UsageError(fmt::format(
            "{}: what is read there would be overwritten. Name another file", output.string()
        ));
    }
}

}  // namespace schedfarm::app
