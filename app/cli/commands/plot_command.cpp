#include "app/cli/commands/plot_command.hpp"

#include "results_schema/result_io.hpp"

#include "app/cli/commands/options/output_guard.hpp"
#include "app/cli/commands/options/results_guard.hpp"

namespace schedfarm::app {

ExitCode draw(
    const std::filesystem::path& results, const std::filesystem::path& output, const Words& words
) {
    expect_results(results);
    expect_other_file(output, results);
    // Python's HDF5 would crash on some damaged files, and know less of what is wrong with others.
    results_schema::read_results(results);
    return run_package(words);
}

}  // namespace schedfarm::app
