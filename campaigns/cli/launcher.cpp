#include "campaigns/cli/launcher.hpp"

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <sched.h>
#include <unistd.h>

namespace schedfarm::campaigns {

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

}  // namespace schedfarm::campaigns
