#include "app/cli/commands/plot_command.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "results_schema/result_io.hpp"

#include "app/cli/commands/options/output_guard.hpp"
#include "app/cli/commands/options/results_guard.hpp"

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

/// Python's HDF5 would crash on some damaged files, and know less of what is wrong with others.
void expect_drawable(const fs::path& results, const fs::path& output) {
    expect_results(results);
    expect_other_file(output, results);
    results_schema::read_results(results);
}

void add(Words& words, const char* option, const std::string& value) {
    if (!value.empty()) {
        words.push_back(fmt::format("{}={}", option, value));
    }
}

void add(Words& words, const char* option, const std::optional<std::uint32_t>& value) {
    if (value) {
        words.push_back(fmt::format("{}={}", option, *value));
    }
}

}  // namespace

ExitCode become_python(const Words& words, const std::string& input) {
    if (!fs::exists(package())) {
        spdlog::error(
            "figures and pages are drawn by the Python package schedfarm (there is no {}). Install "
            "python3-schedfarm",
            package().lexically_normal().string()
        );
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
        "{} cannot be started ({}): figures and pages are drawn by the Python package schedfarm. "
        "Install python3 with h5py, pandas, matplotlib and jinja2, or name a python in "
        "SCHEDFARM_PYTHON",
        all.front(),
        std::strerror(errno)  // NOLINT(concurrency-mt-unsafe)
    );
    return ExitCode::usage;
}

ExitCode plot_command(const PlotCommand& options) {
    expect_drawable(options.results, options.output);
    Words words{"plot"};
    add(words, "--output", options.output.string());
    add(words, "--kind", options.kind);
    add(words, "--x", options.x);
    add(words, "--y", options.y);
    for (const std::string& factor : options.by) {
        add(words, "--by", factor);
    }
    add(words, "--facet", options.facet);
    add(words, "--range", options.range);
    add(words, "--top", options.top ? fmt::format("{}", *options.top) : "");
    for (const std::string& level : options.select) {
        add(words, "--select", level);
    }
    add(words, "--saturation", options.saturation.string());
    add(words, "--cell", options.cell);
    add(words, "--replication", options.replication);
    add(words, "--style", options.style);
    words.insert(words.end(), {"--", options.results.string()});
    return become_python(words);
}

ExitCode html_report(const fs::path& results, const fs::path& output) {
    expect_drawable(results, output);
    Words words{"report"};
    add(words, "--output", output.string());
    words.insert(words.end(), {"--", results.string()});
    return become_python(words);
}

}  // namespace schedfarm::app
