#include <utility>

#include "campaigns/config/cell_checks.hpp"
#include "campaigns/config/cell_settings.hpp"
#include "campaigns/config/merge.hpp"
#include "campaigns/config/problems.hpp"
#include "campaigns/config/theory.hpp"
#include "campaigns/plan/effective.hpp"
#include "campaigns/plan/grid.hpp"
#include "campaigns/plan/header.hpp"
#include "campaigns/plan/keys.hpp"
#include "campaigns/plan/plan.hpp"
#include "campaigns/plan/reference.hpp"
#include "campaigns/plan/unused.hpp"

namespace schedfarm::campaigns {

namespace {

bool is_complete(const CellSettings& settings) {
    return settings.experiment && settings.system && settings.workload && settings.policy
           && settings.horizon && settings.probes && settings.replications
           && settings.allow_unstable
           && (settings.utilization || settings.experiment != engine::ExperimentKind::open);
}

/// Reads, checks and lays out the cells of one campaign.
class Planner {
  public:
    Planner(const Node& campaign, const Catalogues& catalogues, Problems& problems)
        : catalogues_(catalogues)
        , problems_(problems)
        , header_(read_header(campaign, problems))
        , grid_(campaign, catalogues, theory_, problems) {}

    const Header& header() const { return header_; }
    const Grid& grid() const { return grid_; }

    /// Cells that have problems are left out.
    std::vector<Cell> cells() {
        std::vector<Cell> cells;
        for (std::size_t i = 0; i < grid_.size() && !problems_.is_full(); ++i) {
            add_cell(i, cells);
        }
        if (!problems_.is_full()) {
            grid_.expect_overrides_used();
            unused_.check(grid_, problems_);
        }
        return cells;
    }

  private:
    void add_cell(std::size_t index, std::vector<Cell>& cells) {
        GridCell grid_cell = grid_.cell(index);
        CellSettings settings = read_cell(grid_cell.tree, catalogues_, problems_);
        const CheckedCell checked{settings, grid_cell.tree, grid_.where(index)};
        unused_.add_cell(settings);
        const std::size_t before = problems_.size();
        check_parts(checked, theory_, problems_);
        if (!is_complete(settings) || problems_.size() > before) {
            return;
        }
        if (settings.experiment != engine::ExperimentKind::open) {
            settings.utilization.reset();
        }
        Cell cell = laid_out(settings);
        cell.index = static_cast<std::uint32_t>(index);
        cell.levels = std::move(grid_cell.levels);
        resolve_targets(checked, cell.columns, cell.replications, problems_);
        unused_.add_columns(settings, cell);
        if (problems_.empty()) {
            cells.push_back(std::move(cell));
        }
    }

    Cell laid_out(const CellSettings& settings) {
        Cell cell;
        cell.system = *settings.system;
        cell.experiment = {*settings.experiment, *settings.horizon, {}};
        cell.probes = *settings.probes;
        cell.workload = settings.workload->choice;
        cell.policy = settings.policy->choice;
        cell.random.seed = header_.seed;
        cell.utilization = settings.utilization;
        cell.replications = *settings.replications;
        cell.columns = observed_columns(settings);
        cell.known_values = known_values(settings);
        cell.maximal_utilization = theory_.maximal_utilization(settings);
        cell.effective = cell_text(settings);
        cell.replication_key = replication_key(cell, header_.seed);
        return cell;
    }

    const Catalogues& catalogues_;
    Problems& problems_;
    Theory theory_;
    UnusedValues unused_;
    Header header_;
    Grid grid_;
};

}  // namespace

Plan make_plan(CampaignSource source, const Catalogues& catalogues) {
    Problems problems;
    const Node campaign = read_campaign(source, problems);
    Planner planner(campaign, catalogues, problems);
    Plan plan;
    plan.cells = planner.cells();
    plan.name = planner.header().name;
    plan.description = planner.header().description;
    plan.seed = planner.header().seed;
    plan.report = planner.header().report;
    problems.throw_if_any();
    check_report(campaign, plan.cells, plan.report, problems);
    plan.references = read_references(campaign, source, plan.cells, problems);
    problems.throw_if_any();
    plan.effective =
        effective_configuration(campaign, planner.header(), planner.grid(), catalogues);
    plan.plan_hash = plan_hash(plan);
    plan.source = std::move(source);
    return plan;
}

Plan make_plan(CampaignSource source) {
    return make_plan(std::move(source), registered_catalogues());
}

}  // namespace schedfarm::campaigns
