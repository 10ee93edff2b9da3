// The program that users start. It simulates, looks at logs and says what there is itself; every
// other command needs HDF5 or MPI, which bring 40 libraries, and is given to schedfarm-farm, which
// lies beside this program and knows all commands.
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/cli/commands/list_command.hpp"
#include "app/cli/commands/simulate_command.hpp"
#include "app/cli/commands/trace_command.hpp"
#include "app/cli/launcher.hpp"
#include "app/cli/program.hpp"

namespace schedfarm::app {

namespace {

bool is_about_the_program(std::string_view word) {
    return word == "--help" || word == "-h" || word == "--version";
}

/// Returns only where the program cannot be started.
int become_farm(char** argv) {
    std::error_code unknown;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", unknown);
    const std::string farm = self.parent_path() / farm_program;
    execv(farm.c_str(), argv);
    std::fprintf(
        stderr,
        "schedfarm: critical: %s cannot be started (%s). Install it beside schedfarm.\n",
        farm.c_str(),
        std::strerror(errno)  // NOLINT(concurrency-mt-unsafe)
    );
    return static_cast<int>(ExitCode::internal);
}

/// New pages from the kernel cost more than filling them: what the reading of a log gives back
/// serves the simulation, and the heap grows once, by large pages where the kernel has them. Under
/// a limit on memory it grows as it is needed.
void prepare_heap(int growth) {
    for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
        rlimit limit{};
        if (getrlimit(resource, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) {
            return;
        }
    }
    constexpr int largest_admitted = 32 << 20;
    constexpr std::uintptr_t large_page = 2 << 20;
    // NOLINTBEGIN(concurrency-mt-unsafe)
    mallopt(M_MMAP_THRESHOLD, largest_admitted);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, growth);
    // NOLINTEND(concurrency-mt-unsafe)
    auto* const heap_end = static_cast<char*>(sbrk(0));
    const std::uintptr_t gap = large_page - reinterpret_cast<std::uintptr_t>(heap_end) % large_page;
    static std::vector<char> unused;  // up to the first large page
    unused.reserve(gap);
    madvise(heap_end + gap, static_cast<std::size_t>(growth) - large_page, MADV_HUGEPAGE);
}

int program(int argc, char** argv) {
    const std::string_view command = argc < 2 ? "" : argv[1];
    const bool reads_jobs = command == "simulate" || command == "trace";
    const bool is_about_all = argc == 2 && is_about_the_program(command);
    if (!reads_jobs && !is_about_all && command != "list" && command != "schema"
        && command != "site") {
        return become_farm(argv);
    }
    constexpr int most_of_a_log = 512 << 20;
    constexpr int most_of_catalogues = 8 << 20;  // 300 small pages are filled with them
    if (!is_about_all) {
        prepare_heap(reads_jobs ? most_of_a_log : most_of_catalogues);
    }
    CommandLine line(argc, argv);
    if (is_about_all) {
        add_names_of_commands(line.app);
    } else {
        add_simulate(line.app, line.selected);
        add_trace(line.app, line.selected);
        add_list(line.app, line.selected);
        add_schema(line.app, line.selected);
        add_site_command(line.app, line.selected);
    }
    return run_program(line);
}

}  // namespace

}  // namespace schedfarm::app

int main(int argc, char** argv) {
    return schedfarm::app::program(argc, argv);
}
