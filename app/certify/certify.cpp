#include "app/certify/certify.hpp"

#include <algorithm>

namespace schedfarm::app {

std::vector<CertificateRow> certificate_rows(const std::vector<Plan>& plans) {
    std::vector<CertificateRow> rows;
    for (const Plan& plan : plans) {
        const std::vector<CertificateRow> own = certificate_rows(plan);
        rows.insert(rows.end(), own.begin(), own.end());
    }
    return rows;
}

std::vector<RowResult> certify(
    const engine::World& world,
    const std::vector<CertificateRow>& rows,
    const Repetition& repetition,
    const std::function<void(const CertifyProgress&)>& on_progress
) {
    CertificateWork work(rows, repetition);
    engine::FarmOptions options;
    options.on_tick = [&] {
        if (on_progress) {
            on_progress({work.macro_runs_done(), work.macro_runs_wanted()});
        }
    };
    engine::run_master(world, work, macro_run_function(rows), options);
    return work.results();
}

bool is_passed(const std::vector<RowResult>& results) {
    return std::all_of(results.begin(), results.end(), [](const RowResult& result) {
        return result.is_as_it_should_be;
    });
}

}  // namespace schedfarm::app
