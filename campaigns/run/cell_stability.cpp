#include "campaigns/run/cell_stability.hpp"

#include <vector>

#include "campaigns/run/cell_progress.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr const char* growth_column = "backlog_growth";
constexpr const char* first_half_column = "queueing_time.first_half";
constexpr const char* second_half_column = "queueing_time.second_half";

/// Fewer measured jobs say nothing about growth.
constexpr std::uint64_t fewest_jobs = 20;

double warm_up_fraction(const engine::Horizon& horizon) {
    return static_cast<double>(horizon.warm_up_jobs) / static_cast<double>(horizon.jobs);
}

}  // namespace

bool observes_stability(const CellProgress& cell) {
    const Cell& description = cell.cell();
    const engine::Horizon& horizon = description.experiment.horizon;
    return horizon.start_backlog == 0 && horizon.jobs >= horizon.warm_up_jobs + fewest_jobs
           && !description.load_search && column_index(description, growth_column)
           && column_index(description, second_half_column);
}

CellStability stability_of(const CellProgress& cell, std::uint64_t n) {
    CellStability stability;
    stability.overflow_replication = cell.overflow(n);
    if (stability.overflow_replication) {
        stability.overflow =
            cell.outcomes()[*stability.overflow_replication]->observations->overflow;
        n = *stability.overflow_replication;
    }
    if (observes_stability(cell)) {
        const auto values = [&](const char* name) {
            return cell.column(*column_index(cell.cell(), name), n);
        };
        const std::vector<double> first = values(first_half_column);
        const std::vector<double> second = values(second_half_column);
        const std::vector<double> growth = values(growth_column);
        stability.growth = engine::judge_stability(
            {first, second, growth, warm_up_fraction(cell.cell().experiment.horizon)},
            stability_confidence
        );
        stability.verdict = stability.growth.verdict;
    }
    if (stability.overflow) {
        stability.verdict = engine::StabilityVerdict::unstable;
    }
    return stability;
}

}  // namespace schedfarm::campaigns
