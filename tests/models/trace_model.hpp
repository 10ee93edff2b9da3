// The workload model `trace` over a small log: its parameters, its jobs and what is wrong with it.
#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "tests/models/settings.hpp"

namespace schedfarm::tests {

inline const engine::WorkloadModelDescription& model() {
    const engine::WorkloadModelDescription* found = models::find_model("trace");
    REQUIRE(found != nullptr);
    return *found;
}

/// A log in a file of its own.
class LogFile {
  public:
    explicit LogFile(const std::string& text)
        : path_(
            std::filesystem::temp_directory_path()
            / ("schedfarm_trace_" + std::to_string(::getpid()) + ".swf")
        ) {
        std::ofstream(path_, std::ios::binary) << text;
    }
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;
    ~LogFile() { std::filesystem::remove(path_); }

    std::string name() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

/// Second 0 is Monday, 2000-01-03, 00:00. Fields: number submit wait run allocated cpu memory
/// requested request memory status user …
inline const std::string small_log =
    "; UnixStartTime: 946857600\n; MaxProcs: 8\n"
    "1  10 0 50 4 -1 -1 4 60 -1 1 3 -1 -1 -1 -1 -1 -1\n"
    "2  20 0 99 2 42 -1 2 60 -1 1 4 -1 -1 -1 -1 -1 -1\n"
    "3 110 0 30 8 -1 -1 8 60 -1 0 3 -1 -1 -1 -1 -1 -1\n";

inline engine::Parameters parameters(
    const std::string& file, const std::vector<std::pair<std::string, engine::Value>>& values
) {
    engine::Parameters given;
    given.set("file", file);
    for (const auto& [name, value] : values) {
        given.set(name, value);
    }
    return with_defaults(model().alternative.parameters, given);
}

/// "submit service estimate size user; " of the first jobs.
inline std::string jobs_of(
    const engine::Parameters& given,
    std::size_t count,
    std::uint32_t replication = 0,
    std::optional<double> utilization = std::nullopt
) {
    auto context = context_of({8}, engine::ExperimentKind::trace, utilization);
    context.replication = replication;
    const auto workload = model().make(given, context);
    std::string text;
    engine::JobBlock block;
    for (std::size_t seen = 0; seen < count;) {
        workload->next(block);
        if (block.count == 0) {
            return text + "end";
        }
        for (std::size_t i = 0; i < block.count && seen < count; ++i, ++seen) {
            const engine::Job job = block.job(i);
            const double values[] = {job.submit_time, job.service_time, job.estimate};
            for (const double value : values) {
                CHECK(value == std::floor(value));
                text += std::to_string(static_cast<long>(value)) + " ";
            }
            text += std::to_string(job.size) + " " + std::to_string(job.user) + "; ";
        }
    }
    return text;
}

inline std::string problem_of(const engine::Parameters& given) {
    const auto found = model().alternative.check(given);
    return found.empty()
               ? ""
               : found[0].parameter + ": " + found[0].reason + " | " + found[0].suggestion;
}

inline bool is_refused(const engine::Parameters& given, const char* reason) {
    return problem_of(given).find(reason) != std::string::npos;
}

}  // namespace schedfarm::tests
