// The Python package, which shows results and asks what if: this process becomes a python that runs
// it. Python is $SCHEDFARM_PYTHON, or python3 in PATH; the package lies in share/schedfarm of an
// installation, or in the sources.
#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/campaign/plan/plan.hpp"
#include "app/cli/exit_code.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the name that CLI11 has
class App;
}

namespace schedfarm::app {

using Words = std::vector<std::string>;

/// A file of an installed program in share/schedfarm, which may be absent; of a build tree it is.
std::filesystem::path shared_file(const std::string& name);

/// Where a compiler finds the headers of the program; of an installation those of schedfarm-dev.
/// Throws UsageError where they are not installed.
std::vector<std::filesystem::path> header_folders();

/// A file without a name that is read from its beginning; closed, it is gone. Throws
/// std::system_error.
std::FILE* file_with(const std::string& text);

/// Why the package cannot be run, before it is tried; empty: it is there.
std::string package_problem();

/// The folder from which python imports the package; empty where it cannot be run.
std::string package_folder();

/// Becomes a python that runs the package with these words, and with `input` as standard input
/// where there is some. Returns only where it cannot, with a message.
ExitCode run_package(const Words& words, const std::string& input = "");

/// Has the package plan what it plans of a campaign (app/campaign/plan/analyses/package_plan.hpp);
/// this process goes on. Throws ConfigErrors with what it finds wrong. Where it cannot be asked one
/// warning says so.
void plan_in_package(Plan& plan);

/// The options of a command as they were given and found right, by their long names, then its
/// files.
Words package_words(const CLI::App& command);

/// Declares `whatif`, which is the package's own; `selected` becomes what runs it.
void add_whatif(CLI::App& app, std::function<ExitCode()>& selected);

}  // namespace schedfarm::app
