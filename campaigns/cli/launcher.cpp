#include "campaigns/cli/launcher.hpp"

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <sched.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

namespace schedfarm::campaigns {

namespace {

/// Above this, starting ranks on this machine is a slip of the finger.
constexpr std::uint32_t most_workers_per_core = 8;

}  // namespace

std::uint32_t available_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return 1;
    }
    return static_cast<std::uint32_t>(CPU_COUNT(&set));
}

void exec_mpirun(std::uint32_t ranks, int argc, char** argv) {
    // NOLINTBEGIN(concurrency-mt-unsafe): before any thread
    if (geteuid() == 0) {  // containers and test machines run as root; Open MPI asks for both
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
    // The master sleeps, so one rank more than there are cores is no oversubscription in fact.
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
    setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 0);
    // NOLINTEND(concurrency-mt-unsafe)
    std::array<char, 4096> self{};
    const ssize_t length = readlink("/proc/self/exe", self.data(), self.size() - 1);
    std::vector<std::string> words{"mpirun", "-n", std::to_string(ranks), "--"};
    words.emplace_back(
        length > 0 ? std::string(self.data(), static_cast<std::size_t>(length)) : argv[0]
    );
    words.insert(words.end(), argv + 1, argv + argc);
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    execvp("mpirun", pointers.data());
}

std::optional<ExitCode> start_workers(std::optional<std::uint32_t> workers, int argc, char** argv) {
    const std::uint32_t wanted = workers.value_or(available_cores());
    if (wanted > most_workers_per_core * available_cores()) {
        spdlog::error(
            "{} workers on {} cores would only slow each other down. Leave --workers out for one "
            "per core, or start the program under mpirun or srun",
            wanted,
            available_cores()
        );
        return ExitCode::usage;
    }
    if (wanted > 0) {
        exec_mpirun(wanted + 1, argc, argv);
        spdlog::warn("mpirun cannot be started; computing in this process");
    }
    return std::nullopt;
}

}  // namespace schedfarm::campaigns
