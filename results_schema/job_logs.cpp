#include "results_schema/job_logs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "results_schema/job_pauses.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/typed_columns.hpp"

namespace schedfarm::results_schema {

StoredJobLog make_job_log(const JobLogId& id) {
    const auto table = [&id](const char* kind) {
        return make_table(fmt::format("{}/{}/{}", kind, id.cell, id.replication));
    };
    return {id, table("jobs"), table("processors"), table("pieces")};
}

bool has_pauses(const Table& jobs) {
    constexpr double rounding = 1e-12;
    const auto& start = column_of<Reals>(jobs, "start");
    const auto& finish = column_of<Reals>(jobs, "finish");
    const auto& service = column_of<Reals>(jobs, "service");
    for (std::size_t row = 0; row < jobs.rows(); ++row) {
        const double slack = rounding * std::max(std::abs(finish[row]), service[row]);
        if (finish[row] - start[row] > service[row] + slack) {
            return true;
        }
    }
    return false;
}

}  // namespace schedfarm::results_schema
