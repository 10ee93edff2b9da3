// Whole logs of the Parallel Workloads Archive, which are not ours to ship: tests that need one run
// where the folder $SCHEDFARM_TRACES holds it and are counted as skipped elsewhere.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "models/trace/reading/reader.hpp"

namespace schedfarm::models::trace::tests {

/// Ends the test program as skipped where there is no such file.
inline std::filesystem::path real_log_file(const std::string& file) {
    const char* const folder = std::getenv("SCHEDFARM_TRACES");  // NOLINT(concurrency-mt-unsafe)
    if (folder != nullptr && std::filesystem::exists(std::filesystem::path(folder) / file)) {
        return std::filesystem::path(folder) / file;
    }
    std::puts(
        "skipped: tests on whole logs (SCHEDFARM_TRACES names no folder with the logs of the "
        "Parallel Workloads Archive)"
    );
    std::fflush(stdout);
    std::_Exit(77);
}

inline Log real_log(const std::string& file) {
    return read_log(real_log_file(file), {.checksum = Checksum::sha256});
}

}  // namespace schedfarm::models::trace::tests
