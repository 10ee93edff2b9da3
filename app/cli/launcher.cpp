#include "app/cli/launcher.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include "engine/farm/farm.hpp"

#include "app/cli/explain.hpp"

namespace schedfarm::app {

namespace {

/// Above this, workers on this machine are a slip of the finger.
constexpr std::uint32_t most_workers_per_core = 8;

/// A number that Slurm tells the processes of its jobs; absent outside a job.
std::optional<std::uint32_t> number_of_slurm_job(const char* name) {
    // NOLINTBEGIN(concurrency-mt-unsafe): before any thread
    const char* const value = std::getenv(name);
    if (value == nullptr || std::getenv("SLURM_JOB_ID") == nullptr) {
        return std::nullopt;
    }
    // NOLINTEND(concurrency-mt-unsafe)
    const std::string_view text = value;
    std::uint32_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
    return is_whole ? std::optional(number) : std::nullopt;
}

/// Whether a program of this name would be found.
bool is_in_path(const std::string& program) {
    const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::filesystem::path folder = rest.substr(0, end);
        if (::access((folder / program).c_str(), X_OK) == 0) {
            return true;
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

}  // namespace

std::string word_of(Launcher launcher) {
    constexpr std::array words{"auto", "local", "mpirun", "mpiexec", "srun"};
    return words.at(static_cast<std::size_t>(launcher));
}

std::uint32_t available_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return 1;
    }
    return static_cast<std::uint32_t>(CPU_COUNT(&set));
}

std::filesystem::path own_program() {
    std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
    if (self.filename() == farm_program) {
        self.replace_filename("schedfarm");
    }
    return self;
}

Launcher launcher_wanted(Launcher launcher) {
    if (launcher == Launcher::automatic) {
        if (number_of_slurm_job("SLURM_JOB_NUM_NODES").value_or(1) == 1) {
            return Launcher::local;
        }
        launcher = is_in_path("mpirun") ? Launcher::mpirun : Launcher::srun;
    }
    if (launcher != Launcher::local && !is_in_path(word_of(launcher))) {
        throw UsageError(fmt::format(
            "--launcher {0}: there is no {0} in the path. Write --launcher local for workers on "
            "this machine alone",
            word_of(launcher)
        ));
    }
    return launcher;
}

std::uint32_t workers_wanted(std::optional<std::uint32_t> workers, Launcher launcher) {
    const auto allocated = number_of_slurm_job("SLURM_NTASKS");
    const std::uint32_t wanted = workers.value_or(allocated.value_or(available_cores()));
    if (launcher != Launcher::local) {
        if (wanted == 0) {
            throw UsageError("--workers 0 computes in this process, without a launcher");
        }
        return wanted;
    }
    if (!allocated && wanted > most_workers_per_core * available_cores()) {
        throw UsageError(fmt::format(
            "{} workers on {} cores would only slow each other down. Leave --workers out for one "
            "per core, or start the program under mpirun or srun",
            wanted,
            available_cores()
        ));
    }
    return wanted;
}

std::vector<std::string> launcher_words(
    Launcher launcher, std::uint32_t ranks, const std::vector<std::string>& arguments
) {
    // NOLINTBEGIN(concurrency-mt-unsafe): before any thread
    if (geteuid() == 0) {  // containers and test machines run as root; Open MPI asks for both
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
    // Master and ranks sleep while their children compute, so that more of them than there are
    // cores are no oversubscription in fact.
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
    setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 0);
    // NOLINTEND(concurrency-mt-unsafe)
    std::vector<std::string> words{word_of(launcher)};
    if (launcher == Launcher::srun) {
        words.insert(words.end(), {engine::srun_word(), "--overcommit"});
    }
    words.insert(words.end(), {"-n", std::to_string(ranks), own_program().string()});
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

}  // namespace schedfarm::app
