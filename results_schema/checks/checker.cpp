#include <utility>

#include <fmt/format.h>

#include "results_schema/checks/validation.hpp"
#include "results_schema/loaded_file.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"

namespace schedfarm::results_schema {

namespace {

void add(std::vector<Defect>& defects, std::vector<std::string> problems, std::int64_t cell = -1) {
    for (std::string& problem : problems) {
        defects.push_back({cell, std::move(problem)});
    }
}

void check_job_logs(
    const std::filesystem::path& path, const LoadedFile& loaded, std::vector<Defect>& defects
) {
    for (const JobLogId& id : loaded.job_logs) {
        std::vector<std::string> remarks;
        const StoredJobLog log = load_job_log(path, id, remarks);
        const auto cell = static_cast<std::int64_t>(id.cell);
        add(defects, std::move(remarks), cell);
        add(defects, job_log_problems(log, loaded.results), cell);
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
    std::vector<std::string> problems;
    for (Defect& defect : problems_in(path, load_results_with_logs(path))) {
        problems.push_back(std::move(defect.problem));
    }
    return problems;
}

std::vector<Defect> problems_in(const std::filesystem::path& path, const LoadedFile& loaded) {
    if (loaded.version.minor > schema_minor) {
        return {
            {-1,
             fmt::format(
                 "schema version {}.{} is later than this program's {}.{}: what it adds cannot be "
                 "checked. Check the file with the program that wrote it",
                 loaded.version.major,
                 loaded.version.minor,
                 schema_major,
                 schema_minor
             )}};
    }
    std::vector<Defect> defects;
    add(defects, loaded.remarks);
    const std::vector<std::string> structure = structural_problems(loaded.results);
    add(defects, structure);
    add(defects, payload_problems(loaded.results));
    if (structure.empty()) {
        add(defects, consistency_problems(loaded.results));
        check_job_logs(path, loaded, defects);
    }
    return defects;
}

}  // namespace schedfarm::results_schema
