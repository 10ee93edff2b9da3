#include "app/cli/commands/package.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

fs::path own_folder() {
    std::error_code unknown;
    return fs::read_symlink("/proc/self/exe", unknown).parent_path();
}

fs::path package() {
    const fs::path share = own_folder() / "../share/schedfarm";
    const fs::path folder =
        fs::exists(share) ? share / "python" : fs::path(SCHEDFARM_SOURCE) / "python/src";
    return folder / "schedfarm/__main__.py";
}

/// From now on, reading standard input gives this text.
void become_input(const std::string& text) {
    std::FILE* const file = std::tmpfile();
    const bool is_written = file != nullptr
                            && std::fwrite(text.data(), 1, text.size(), file) == text.size()
                            && std::fflush(file) == 0;
    if (!is_written || ::lseek(::fileno(file), 0, SEEK_SET) != 0
        || ::dup2(::fileno(file), STDIN_FILENO) < 0) {
        throw std::system_error(
            errno, std::generic_category(), "a file in the folder for temporary files"
        );
    }
}

}  // namespace

std::string package_problem() {
    return fs::exists(package())
               ? ""
               : fmt::format(
                   "results are shown by the Python package schedfarm (there is no {}). Install "
                   "python3-schedfarm",
                   package().lexically_normal().string()
               );
}

ExitCode run_package(const Words& words, const std::string& input) {
    if (const std::string problem = package_problem(); !problem.empty()) {
        spdlog::error("{}", problem);
        return ExitCode::usage;
    }
    if (!input.empty()) {
        become_input(input);
    }
    const char* const wish = std::getenv("SCHEDFARM_PYTHON");  // NOLINT(concurrency-mt-unsafe)
    Words all{wish == nullptr || *wish == '\0' ? "python3" : wish, package().string()};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    // What the package leaves to the program, such as when jobs paused.
    const std::string program = (own_folder() / "schedfarm").string();
    ::setenv("SCHEDFARM_PROGRAM", program.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    ::execvp(arguments.front(), arguments.data());
    spdlog::error(
        "{} cannot be started ({}): results are shown by the Python package schedfarm. Install "
        "python3 with numpy and h5py, for figures and pages with pandas, matplotlib and jinja2, or "
        "name a python in SCHEDFARM_PYTHON",
        all.front(),
        std::strerror(errno)  // NOLINT(concurrency-mt-unsafe)
    );
    return ExitCode::usage;
}

}  // namespace schedfarm::app
