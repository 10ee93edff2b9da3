// schedfarm-bench: CPU time of the simulator beside references, or what the farm costs. Built on
// demand (`cmake --build build/release --target schedfarm-bench`) and not installed.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>

#include "engine/farm/farm.hpp"
#include "engine/foundation/message_text.hpp"

#include "app/cli/explain.hpp"
#include "app/cli/launcher.hpp"
#include "app/report/text_table.hpp"
#include "app/run/tables/provenance.hpp"
#include "app/simulate/output_file.hpp"

#include "bench/bench.hpp"
#include "bench/farm_bench.hpp"
#include "bench/farm_page.hpp"

namespace schedfarm::bench {

namespace {

using app::Alignment;
using app::ExitCode;
using app::Overflow;
using app::TextTable;

/// Which part a process of `--farm` measures, as to_text(FarmPart) says it.
constexpr const char* farm_part_variable = "SCHEDFARM_FARM_PART";

struct Options {
    std::vector<std::string> only;  ///< parts of names; empty: all
    bool is_farm = false;
    bool is_json = false;
    double seconds = 1;  ///< CPU time per measurement; of the farm: wall time
    std::uint32_t repeats = 5;
    std::filesystem::path output;  ///< of the farm: Markdown page; empty: none
};

void tell(const std::string& what) {
    fmt::print(stderr, "measuring {}\n", what);
}

/// Millions with two digits behind the point below 10, with one from there on.
std::string rate_text(double rate) {
    const double millions = 1e-6 * rate;
    return fmt::format("{:.{}f} M", millions, millions < 10 ? 2 : 1);
}

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) {
            return line.substr(line.find(": ") + 2);
        }
    }
    return "unknown processor";
}

/// The benchmarks asked for, each with what was found.
std::vector<std::pair<BenchCase, BenchResult>> measured(const Options& options) {
    std::vector<std::string> names;
    std::vector<BenchCase> asked;
    for (BenchCase& bench : bench_cases()) {
        names.push_back(bench.name);
        const bool is_asked = std::any_of(
            options.only.begin(),
            options.only.end(),
            [&bench](const std::string& part) { return bench.name.find(part) != std::string::npos; }
        );
        if (is_asked || options.only.empty()) {
            asked.push_back(std::move(bench));
        }
    }
    if (asked.empty()) {
        throw app::UsageError(fmt::format(
            "no benchmark has '{}' in its name. They are: {}",
            fmt::join(options.only, "' or '"),
            fmt::join(names, "; ")
        ));
    }
    const auto results = measure(asked, {options.seconds, options.repeats}, tell);
    std::vector<std::pair<BenchCase, BenchResult>> rows;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        rows.emplace_back(std::move(asked[i]), results[i]);
    }
    return rows;
}

ExitCode print_table(const Options& options) {
    TextTable table;
    table.title = "CPU time of the simulator beside references, " + instruction_set();
    table.source = fmt::format(
        "median of {} pairs of {} s on one core, single thread", options.repeats, options.seconds
    );
    table.columns = {
        {"benchmark", Alignment::left, Overflow::wrap},
        {"schedfarm", Alignment::right, Overflow::wrap},
        {"reference", Alignment::left, Overflow::wrap},
        {"ratio (range)", Alignment::left, Overflow::wrap}};
    for (const auto& [bench, result] : measured(options)) {
        table.rows.push_back(
            {bench.name,
             rate_text(result.product_rate) + " " + bench.item + "/s",
             fmt::format("{}/s {}", rate_text(result.reference_rate), bench.reference_name),
             fmt::format(
                 "{:.2f} ({:.2f}..{:.2f})",
                 result.ratio(),
                 result.ratios.front(),
                 result.ratios.back()
             )}
        );
    }
    table.notes.push_back(fmt::format("Peak memory of this process: {:.0f} MiB", peak_memory_mib())
    );
    std::fputs(app::render(table).c_str(), stdout);
    return ExitCode::done;
}

/// What bench/page.py reads.
ExitCode print_json(const Options& options) {
    auto rows = nlohmann::json::array();
    for (const auto& [bench, result] : measured(options)) {
        rows.push_back(
            {{"name", bench.name},
             {"item", bench.item},
             {"reference", bench.reference_name},
             {"rate", result.product_rate},
             {"reference_rate", result.reference_rate},
             {"ratios", result.ratios}}
        );
    }
    const nlohmann::json report = {
        {"program", app::program_text()},
        {"processor", processor_name()},
        {"instructions", instruction_set()},
        {"seconds", options.seconds},
        {"rows", rows}};
    fmt::print("{}\n", report.dump(1));
    return ExitCode::done;
}

/// The command line that runs a part, with or without mpirun.
std::string command_of(const FarmPart& part) {
    std::vector<std::string> words{app::own_program().string()};
    if (part.ranks > 1) {
        words = app::launcher_words(app::Launcher::mpirun, part.ranks, {});
    }
    std::string command =
        std::string(farm_part_variable) + "=" + engine::shell_word(to_text(part)) + " ";
    for (const std::string& word : words) {
        command += engine::shell_word(word) + " ";
    }
    return command + "< /dev/null";
}

FarmPartResult result_from(FILE* pipe, const FarmPart& part) {
    std::string output;
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
        output.append(buffer.data(), n);
    }
    if (pclose(pipe) != 0) {
        throw std::runtime_error("a part of the farm's benchmark failed (" + to_text(part) + ")");
    }
    return farm_part_result_of(output);
}

std::vector<FarmPartResult> run_parts(const std::vector<FarmPart>& parts) {
    std::vector<FILE*> pipes;
    for (const FarmPart& part : parts) {
        FILE* pipe = popen(command_of(part).c_str(), "r");
        if (pipe == nullptr) {
            throw std::system_error(errno, std::generic_category(), "popen");
        }
        pipes.push_back(pipe);
    }
    std::vector<FarmPartResult> results;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        results.push_back(result_from(pipes[i], parts[i]));
    }
    return results;
}

FarmPageOrigin origin_of(const Options& options) {
    utsname system{};
    uname(&system);
    return {
        fmt::format(
            "schedfarm-bench --farm --seconds {} --repeats {} --output {}",
            options.seconds,
            options.repeats,
            options.output.string()
        ),
        app::utc_now(),
        app::program_text(),
        fmt::format(
            "{} cores, {}, {} {}, {}",
            app::available_cores(),
            processor_name(),
            system.sysname,
            system.release,
            engine::mpi_version()
        )};
}

ExitCode measure_farm(const Options& options) {
    if (engine::look_for_launcher().is_rank) {
        throw app::UsageError("--farm starts mpirun itself; start it without");
    }
    const FarmFigures figures =
        bench::measure_farm({options.seconds, options.repeats}, run_parts, tell);
    app::print_and_write(
        farm_text(figures), options.output, farm_markdown(origin_of(options), figures)
    );
    return ExitCode::done;
}

ExitCode measure_part(const std::string& text) {
    const FarmPartResult result = run_farm_part(farm_part_of(text));
    if (result.tasks_per_second > 0) {  // of the master
        fmt::print("{}\n", to_text(result));
    }
    return ExitCode::done;
}

int run(int argc, char** argv) {
    if (const char* part = std::getenv(farm_part_variable)) {  // NOLINT(concurrency-mt-unsafe)
        return static_cast<int>(measure_part(part));
    }
    Options options;
    CLI::App line("Measure the simulator beside minimal loops, or the farm");
    line.add_option("only", options.only, "Parts of names of benchmarks. Default: all");
    line.add_flag("--farm", options.is_farm, "Measure dispatch, overheads and scaling instead");
    line.add_flag("--json", options.is_json, "Print every pair as JSON")->excludes("--farm");
    line.add_option("--seconds", options.seconds, "Length of each measurement")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    line.add_option("--repeats", options.repeats, "Measurements; the median is printed")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    line.add_option("-o,--output", options.output, "With --farm: write a Markdown page as well");
    CLI11_PARSE(line, argc, argv);
    try {
        if (options.is_farm) {
            return static_cast<int>(measure_farm(options));
        }
        return static_cast<int>(options.is_json ? print_json(options) : print_table(options));
    } catch (...) {
        return static_cast<int>(app::explain_current_exception());
    }
}

}  // namespace

}  // namespace schedfarm::bench

int main(int argc, char** argv) {
    return schedfarm::bench::run(argc, argv);
}
