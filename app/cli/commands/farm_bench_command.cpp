#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/utsname.h>

#include "engine/farm/farm.hpp"
#include "engine/foundation/message_text.hpp"

#include "app/bench/farm_bench.hpp"
#include "app/bench/farm_page.hpp"
#include "app/cli/commands/commands.hpp"
#include "app/cli/explain.hpp"
#include "app/cli/launcher.hpp"
#include "app/run/tables/provenance.hpp"
#include "app/simulate/output_file.hpp"

namespace schedfarm::app {

namespace {

/// The command line that runs a part, with or without mpirun.
std::string command_of(const FarmPart& part) {
    const std::string variable = std::string(farm_part_variable) + "=" + to_text(part);
    std::vector<std::string> words = mpirun_words(part.ranks, {"bench"}, variable);
    if (part.ranks == 1) {
        words = {"env", variable, own_program().string(), "bench"};
    }
    std::string command;
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

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) {
            return line.substr(line.find(": ") + 2);
        }
    }
    return "unknown processor";
}

FarmPageOrigin origin_of(const BenchCommand& options) {
    utsname system{};
    uname(&system);
    return {
        engine::program_command(
            {"bench",
             "--farm",
             "--seconds",
             fmt::format("{}", options.seconds),
             "--repeats",
             std::to_string(options.repeats),
             "--output",
             options.output}
        ),
        utc_now(),
        program_text(),
        fmt::format(
            "{} cores, {}, {} {}, {}",
            available_cores(),
            processor_name(),
            system.sysname,
            system.release,
            engine::mpi_version()
        )};
}

}  // namespace

ExitCode farm_bench_command(const BenchCommand& options) {
    if (engine::started_by_mpi()) {
        spdlog::error("bench --farm starts mpirun itself; start it without");
        return ExitCode::usage;
    }
    const FarmFigures figures =
        measure_farm({options.seconds, options.repeats}, run_parts, [](const std::string& what) {
            spdlog::info("measuring {}", what);
        });
    print_and_write(farm_text(figures), options.output, farm_markdown(origin_of(options), figures));
    return ExitCode::done;
}

ExitCode farm_part_command(const std::string& part) {
    const engine::World world;
    try {
        const FarmPartResult result = run_farm_part(world, farm_part_of(part));
        if (world.is_master()) {
            fmt::print("{}\n", to_text(result));
        }
        return ExitCode::done;
    } catch (...) {
        world.abort(static_cast<int>(explain_current_exception()));
    }
}

}  // namespace schedfarm::app
