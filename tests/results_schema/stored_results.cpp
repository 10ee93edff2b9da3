#include "tests/results_schema/stored_results.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include "results_schema/checks/validation.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/tables/hdf5_handle.hpp"
#include "results_schema/tables/table_reading.hpp"

namespace schedfarm::tests {

using namespace results_schema;  // NOLINT(google-build-using-namespace)

namespace {

Handle opened(const std::filesystem::path& path) {
    return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open"};
}

}  // namespace

std::vector<std::string> problems_of_file(const std::filesystem::path& path) {
    const ResultFile results = read_results(path);
    std::vector<std::string> problems = structural_problems(results);
    for (const std::string& problem : payload_problems(results)) {
        problems.push_back(problem);
    }
    return problems;
}

std::string logs_in(const std::filesystem::path& path) {
    const Handle file = opened(path);
    std::string text;
    if (H5Lexists(file.id(), "jobs", H5P_DEFAULT) > 0) {
        const Handle jobs(H5Gopen2(file.id(), "jobs", H5P_DEFAULT), H5Gclose, "jobs");
        for (const std::string& cell : link_names(jobs.id())) {
            const Handle logs(H5Gopen2(jobs.id(), cell.c_str(), H5P_DEFAULT), H5Gclose, cell);
            for (const std::string& replication : link_names(logs.id())) {
                text += fmt::format("{}{}/{}", text.empty() ? "" : " ", cell, replication);
            }
        }
    }
    return text;
}

StoredJobLog stored_log(const std::filesystem::path& path, const JobLogId& id) {
    const Handle file = opened(path);
    StoredJobLog log = make_job_log(id);
    for (Table* const table : {&log.jobs, &log.processors, &log.pieces}) {
        const std::string kind = table->name.substr(0, table->name.find('/'));
        if (H5Lexists(file.id(), kind.c_str(), H5P_DEFAULT) > 0
            && H5Lexists(file.id(), fmt::format("{}/{}", kind, id.cell).c_str(), H5P_DEFAULT) > 0
            && H5Lexists(file.id(), table->name.c_str(), H5P_DEFAULT) > 0) {
            *table = read_table(file.id(), table->name);
        }
    }
    return log;
}

}  // namespace schedfarm::tests
