#include <fmt/format.h>

#include "results_schema/loaded_file.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/validation.hpp"

namespace schedfarm::results_schema {

namespace {

void check_table_meanings(const ResultFile& results, std::vector<std::string>& problems) {
    for (const TableSchema& schema : schema_tables()) {
        const Table* table = results.find(schema.name);
        if (table != nullptr && table->meaning != schema.meaning) {
            problems.push_back(fmt::format("{}: meaning is '{}'", table->name, table->meaning));
        }
    }
}

void check_payload_hash(const ResultFile& results, std::vector<std::string>& problems) {
    const Attribute* stored = results.attribute("payload_hash");
    const auto* text = stored == nullptr ? nullptr : std::get_if<std::string>(&stored->value);
    const std::string computed = payload_hash(results);
    if (text == nullptr) {
        problems.emplace_back("attribute 'payload_hash' is missing");
    } else if (*text != computed) {
        problems.push_back(
            fmt::format("payload_hash is {}, but the payload's is {}", *text, computed)
        );
    }
}

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

std::vector<std::string> check_results(const std::filesystem::path& path) {
    const LoadedFile loaded = load_results(path);
    if (loaded.version.minor > schema_minor) {
        return {fmt::format(
            "schema version {}.{} is later than this program's {}.{}: what it adds cannot be "
            "checked. "
            "Check the file with the program that wrote it",
            loaded.version.major,
            loaded.version.minor,
            schema_major,
            schema_minor
        )};
    }
    std::vector<std::string> problems = loaded.remarks;
    const std::vector<std::string> structure = structural_problems(loaded.results);
    problems.insert(problems.end(), structure.begin(), structure.end());
    check_table_meanings(loaded.results, problems);
    check_payload_hash(loaded.results, problems);
    if (structure.empty()) {
        const std::vector<std::string> consistency = consistency_problems(loaded.results);
        problems.insert(problems.end(), consistency.begin(), consistency.end());
        check_job_logs(path, loaded, problems);
    }
    return problems;
}

}  // namespace schedfarm::results_schema
