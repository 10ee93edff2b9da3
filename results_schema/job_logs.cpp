#include "results_schema/job_logs.hpp"

#include <fmt/format.h>

#include "results_schema/schema.hpp"

namespace schedfarm::results_schema {

StoredJobLog make_job_log(const JobLogId& id) {
    const auto table = [&id](const char* kind) {
        return make_table(fmt::format("{}/{}/{}", kind, id.cell, id.replication));
    };
    return {id, table("jobs"), table("processors"), table("pieces")};
}

}  // namespace schedfarm::results_schema
