#include "engine/farm/processes/children.hpp"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace schedfarm::engine {

std::vector<pid_t> children_of(pid_t process) {
    std::vector<pid_t> children;
    std::error_code gone;
    for (const auto& thread :
         std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process), gone)) {
        std::ifstream list(thread.path() / "children");
        for (pid_t child = 0; list >> child;) {
            children.push_back(child);
        }
    }
    return children;
}

void end_children() {
    while (true) {
        for (const pid_t child : children_of(::getpid())) {
            ::kill(child, SIGKILL);
        }
        if (::waitpid(-1, nullptr, 0) < 0 && errno == ECHILD) {
            return;
        }
    }
}

}  // namespace schedfarm::engine
