#include <fmt/format.h>

#include "results_schema/checks/validation.hpp"
#include "results_schema/loaded_file.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"

namespace schedfarm::results_schema {

namespace {

void check_job_logs(
    const std::filesystem::path& path, const LoadedFile& loaded, std::vector<std::string>& problems
) {
    for (const JobLogId& id : loaded.job_logs) {
        const StoredJobLog log = load_job_log(path, id, problems);
        const std::vector<std::string> found = job_log_problems(log, loaded.results);
        problems.insert(problems.end(), found.begin(), found.end());
    }
}

}  // namespace

std::vector<std::string> payload_problems(const ResultFile& results) {
    const Attribute* stored = results.attribute("payload_hash");
    const auto* text = stored == nullptr ? nullptr : std::get_if<std::string>(&stored->value);
    const std::string computed = payload_hash(results);
    if (text == nullptr) {
        return {"attribute 'payload_hash' is missing"};
    }
    return *text == computed
               ? std::vector<std::string>()
               : std::vector{
                   fmt::format("payload_hash is {}, but the payload's is {}", *text, computed)};
}

std::vector<std::string> check_results(const std::filesystem::path& path) {
    return problems_in(path, load_results_with_logs(path));
}

std::vector<std::string> problems_in(const std::filesystem::path& path, const LoadedFile& loaded) {
    if (loaded.version.minor > schema_minor) {
        return {fmt::format(
            "schema version {}.{} is later than this program's {}.{}: what it adds cannot be "
            "checked. Check the file with the program that wrote it",
            loaded.version.major,
            loaded.version.minor,
            schema_major,
            schema_minor
        )};
    }
    std::vector<std::string> problems = loaded.remarks;
    const std::vector<std::string> structure = structural_problems(loaded.results);
    problems.insert(problems.end(), structure.begin(), structure.end());
    const std::vector<std::string> payload = payload_problems(loaded.results);
    problems.insert(problems.end(), payload.begin(), payload.end());
    if (structure.empty()) {
        const std::vector<std::string> consistency = consistency_problems(loaded.results);
        problems.insert(problems.end(), consistency.begin(), consistency.end());
        check_job_logs(path, loaded, problems);
    }
    return problems;
}

}  // namespace schedfarm::results_schema
