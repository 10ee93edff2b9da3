// Runs a certificate on the farm: the rows of several campaigns, every one repeated in many
// macro-runs. The results do not depend on the number of ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/farm/farm.hpp"

#include "app/certify/certificate_row.hpp"
#include "app/certify/certificate_work.hpp"
#include "app/certify/judgement.hpp"
#include "app/plan/plan.hpp"

namespace schedfarm::app {

/// The rows of all plans, which outlive them. Throws ConfigErrors.
std::vector<CertificateRow> certificate_rows(const std::vector<Plan>& plans);

struct CertifyProgress {
    std::uint64_t done = 0;  ///< macro-runs
    std::uint64_t wanted = 0;
};

/// Master side. `on_progress` is called a few times per second.
std::vector<RowResult> certify(
    const engine::World& world,
    const std::vector<CertificateRow>& rows,
    const Repetition& repetition,
    const std::function<void(const CertifyProgress&)>& on_progress
);

/// Whether every row is as it should be.
bool is_passed(const std::vector<RowResult>& results);

}  // namespace schedfarm::app
