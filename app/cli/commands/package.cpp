#include "app/cli/commands/package.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <spawn.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/foundation/utf8.hpp"

#include "app/campaign/plan/analyses/package_plan.hpp"
#include "app/cli/explain.hpp"

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

[[noreturn]] void throw_of_temporary_file() {
    throw std::system_error(
        errno, std::generic_category(), "a file in the folder for temporary files"
    );
}

/// From now on, reading standard input gives this text.
void become_input(const std::string& text) {
    if (::dup2(::fileno(file_with(text)), STDIN_FILENO) < 0) {
        throw_of_temporary_file();
    }
}

/// Python with the package and these words, as execvp() wants them: they end with null and live as
/// long as `all`.
std::vector<char*> arguments_of(Words& all, const Words& words) {
    const char* const wish = std::getenv("SCHEDFARM_PYTHON");  // NOLINT(concurrency-mt-unsafe)
    all = {wish == nullptr || *wish == '\0' ? "python3" : wish, package().string()};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    return arguments;
}

struct PackageAnswer {
    std::string text;
    std::string problem;  ///< why there is none; empty: there is one
};

std::string content_of(std::FILE* file) {
    std::string text;
    std::rewind(file);
    std::array<char, 1 << 16> part{};
    for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), file)) > 0;) {
        text.append(part.data(), n);
    }
    std::fclose(file);
    return text;
}

/// What the package says, run with these words and with `input` as its standard input.
PackageAnswer answer_of_package(const Words& words, const std::string& input) {
    if (std::string problem = package_problem(); !problem.empty()) {
        return {"", std::move(problem)};
    }
    Words all;
    const std::vector<char*> arguments = arguments_of(all, words);
    std::FILE* const question = file_with(input);
    std::FILE* const answer = file_with("");
    std::FILE* const messages = file_with("");
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ::fileno(question), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, ::fileno(answer), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, ::fileno(messages), STDERR_FILENO);
    pid_t child = 0;
    const int error =
        ::posix_spawnp(&child, arguments.front(), &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    int status = error == 0 ? 0 : 1;
    while (error == 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    std::fclose(question);
    PackageAnswer found{content_of(answer), ""};
    const std::string said = content_of(messages);
    if (error != 0) {
        found.problem = fmt::format(
            "{} cannot be started: {}",
            all.front(),
            std::strerror(error)  // NOLINT(concurrency-mt-unsafe)
        );
    } else if (status != 0) {
        const std::string text = said.substr(0, said.find_last_not_of('\n') + 1);
        found.problem = fmt::format(
            "{}: {}", all.front(), engine::without_controls(text.substr(text.rfind('\n') + 1))
        );
    }
    return found;
}

}  // namespace

fs::path shared_file(const std::string& name) {
    return own_folder().parent_path() / "share/schedfarm" / name;
}

std::FILE* file_with(const std::string& text) {
    std::FILE* const file = std::tmpfile();
    const bool is_written = file != nullptr
                            && std::fwrite(text.data(), 1, text.size(), file) == text.size()
                            && std::fflush(file) == 0;
    if (!is_written || ::lseek(::fileno(file), 0, SEEK_SET) != 0) {
        throw_of_temporary_file();
    }
    return file;
}

std::vector<fs::path> header_folders() {
    if (is_build()) {
        return {SCHEDFARM_SOURCE, fs::path(SCHEDFARM_BUILD) / "generated"};
    }
    const fs::path headers = own_folder().parent_path() / "include/schedfarm";
    if (!fs::exists(headers / "policies/external/interface.hpp")) {
        throw UsageError(fmt::format(
            "the headers that a policy includes are not installed (there is no {}). Install "
            "schedfarm-dev",
            headers.string()
        ));
    }
    return {headers};
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
    Words all;
    const std::vector<char*> arguments = arguments_of(all, words);
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

void plan_in_package(Plan& plan) {
    const std::string question = package_question(plan);
    if (question.empty()) {
        return;
    }
    const PackageAnswer answer = answer_of_package({"planning"}, question);
    if (answer.problem.empty()) {
        take_package_answer(answer.text, plan);
        return;
    }
    spdlog::warn(
        "claims, certificates, figures and values of a paper are not checked yet ({}). Install "
        "python3, then "
        "`schedfarm rebuild` adds them to results",
        answer.problem
    );
}

}  // namespace schedfarm::app
