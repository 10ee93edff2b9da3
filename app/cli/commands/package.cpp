#include "app/cli/commands/package.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

fs::path own_folder() {
    std::error_code unknown;
    return fs::read_symlink("/proc/self/exe", unknown).parent_path();
}

/// A build tree, which knows its source, whatever lies beside it.
bool is_build() {
    std::error_code absent;
    return fs::equivalent(own_folder(), SCHEDFARM_BUILD, absent);
}

/// From the folder above all of it to the file that python runs.
std::vector<fs::path> package_path() {
    std::error_code absent;
    fs::path place = own_folder().parent_path();
    const bool is_installed = !is_build() && fs::exists(place / "share/schedfarm", absent);
    const fs::path below = is_installed ? "share/schedfarm/python" : "python/src";
    std::vector<fs::path> path{is_installed ? place : fs::path(SCHEDFARM_SOURCE)};
    for (const fs::path& name : below / "schedfarm/__main__.py") {
        path.push_back(path.back() / name);
    }
    return path;
}

fs::path package() {
    return package_path().back();
}

/// What others could have put there: neither the program's owner's nor root's, or writable for all
/// (a group's may be, as sites install modules). Empty: nothing.
fs::path foreign_part() {
    struct stat program {};
    if (is_build() || ::stat("/proc/self/exe", &program) != 0) {
        return {};
    }
    std::vector<fs::path> path = package_path();
    path.push_back(own_folder());
    const auto foreign = std::ranges::find_if(path, [&](const fs::path& part) {
        struct stat own {};
        return ::stat(part.c_str(), &own) == 0
               && ((own.st_uid != 0 && own.st_uid != program.st_uid) || (own.st_mode & S_IWOTH) != 0
               );
    });
    return foreign == path.end() ? fs::path() : *foreign;
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

fs::path shared_file(const std::string& name) {
    return own_folder().parent_path() / "share/schedfarm" / name;
}

std::string package_problem() {
    if (const fs::path part = foreign_part(); !part.empty()) {
        return fmt::format(
            "{} may be code of others (it is writable for all, or neither {}'s owner nor root owns "
            "it). Run `chmod o-w` on it, or install schedfarm where you or a group alone may write",
            part.string(),
            (own_folder() / "schedfarm").string()
        );
    }
    return fs::exists(package())
               ? ""
               : fmt::format(
                   "results are shown by the Python package schedfarm (there is no {}). Install "
                   "python3-schedfarm",
                   package().lexically_normal().string()
               );
}

std::string package_folder() {
    return package_problem().empty() ? package().parent_path().parent_path().string() : "";
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
