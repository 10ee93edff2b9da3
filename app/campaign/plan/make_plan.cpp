#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "models/trace/built_in_logs.hpp"

#include "app/campaign/checks/cell_checks.hpp"
#include "app/campaign/checks/cell_settings.hpp"
#include "app/campaign/checks/counted_jobs.hpp"
#include "app/campaign/checks/fixed_jobs.hpp"
#include "app/campaign/checks/theory.hpp"
#include "app/campaign/grid/grid.hpp"
#include "app/campaign/grid/header.hpp"
#include "app/campaign/grid/unused.hpp"
#include "app/campaign/keys/analyses/claim_reader.hpp"
#include "app/campaign/keys/analyses/report_reader.hpp"
#include "app/campaign/keys/sections/replication_reader.hpp"
#include "app/campaign/keys/sections/seed_range.hpp"
#include "app/campaign/plan/analyses/analyses.hpp"
#include "app/campaign/plan/analyses/cell_analyses.hpp"
#include "app/campaign/plan/analyses/package_plan.hpp"
#include "app/campaign/plan/identity/effective.hpp"
#include "app/campaign/plan/identity/inputs.hpp"
#include "app/campaign/plan/identity/keys.hpp"
#include "app/campaign/plan/log_blocks.hpp"
#include "app/campaign/plan/outage_log.hpp"
#include "app/campaign/plan/pilots.hpp"
#include "app/campaign/plan/plan.hpp"
#include "app/campaign/plan/simulated_cell.hpp"
#include "app/campaign/plan/site_system.hpp"
#include "app/campaign/plan/twins.hpp"
#include "app/campaign/yaml/merge.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

namespace {

bool asks_for_slowdown(const engine::ProbeSet& probes) {
    const auto& requests = probes.requests;
    return std::any_of(requests.begin(), requests.end(), [](const engine::ProbeRequest& request) {
        return request.metric == engine::Metric::slowdown;
    });
}

/// A log that the program draws by the seed is that of the cell's campaign.
void draw_log(Node& tree, std::uint64_t seed) {
    const Node* file = find_path(tree, "workload.file");
    const auto name =
        file == nullptr ? std::nullopt : models::trace::log_of_seed(file->scalar, seed);
    if (name) {
        set_path(tree, "workload.file", Node::text(*name, file->at), file->at);
    }
}

bool has_placed_loads(const std::vector<Factor>& factors) {
    return std::any_of(factors.begin(), factors.end(), [](const Factor& factor) {
        return factor.is_placed();
    });
}

/// Reads, checks and lays out the cells of one campaign.
class Planner {
  public:
    Planner(
        const Node& campaign,
        const CampaignSource& source,
        const Catalogues& catalogues,
        Problems& problems
    )
        : campaign_(campaign)
        , source_(source)
        , catalogues_(catalogues)
        , problems_(problems)
        , header_(read_header(campaign, problems))
        , requests_(read_analyses(campaign, problems))
        , grid_(campaign, catalogues, theory_, problems)
        , unused_(has_placed_loads(grid_.factors()))
        , pilots_(grid_.size())
        , inputs_(campaign, problems)
        , has_seeds_(find_path(campaign, "factors.seed") != nullptr) {
        check_claims(campaign, problems);
    }

    const Header& header() const { return header_; }
    const Grid& grid() const { return grid_; }
    const AnalysisRequests& requests() const { return requests_; }
    const std::vector<Cell>& pilots() const { return pilots_.cells(); }
    const Inputs& inputs() const { return inputs_; }
    std::uint64_t first_seed() const { return first_seed_; }
    std::vector<std::string> unused_paths() const { return unused_.unused_paths(); }

    /// The cells of the grid; those that have problems are left out.
    std::vector<Cell> cells() {
        std::vector<Cell> cells;
        cells.reserve(grid_.size());
        for (std::size_t i = 0; i < grid_.size() && !problems_.is_full(); ++i) {
            add_cell(i, cells);
        }
        if (!problems_.is_full()) {
            grid_.expect_overrides_used();
            if (problems_.empty()) {
                inputs_.expect_given_used();
            }
            unused_.check(campaign_, grid_, problems_);
        }
        return cells;
    }

  private:
    const engine::SelectionSettings* selection() const {
        return requests_.selection ? &requests_.selection->rule : nullptr;
    }

    std::string analysis() const {
        const char* const other = requests_.comparison ? "comparison" : "";
        return selection() != nullptr ? "selection" : other;
    }

    void add_cell(std::size_t index, std::vector<Cell>& cells) {
        GridCell grid_cell = grid_.cell(index);
        seed_ = campaign_seed(grid_cell.tree);
        draw_log(grid_cell.tree, seed_);
        add_site(grid_cell.tree, problems_);
        first_seed_ = index == 0 ? seed_ : first_seed_;
        if (!has_seeds_ || grid_cell.estimated_load) {  // each seed has a pilot of its own
            add_new_cell(index, grid_cell, cells);
            return;
        }
        grid_cell.tree.erase(seed_key);
        const auto [found, is_new] =
            of_first_seed_.try_emplace(grid_cell.tree, FirstSeed{cells.size()});
        if (is_new) {
            found->second.identity = add_new_cell(index, grid_cell, cells);
        } else if (problems_.empty()) {
            cells.push_back(cells[found->second.position]);
            cells.back().index = static_cast<std::uint32_t>(index);
            cells.back().levels = std::move(grid_cell.levels);
            identify(cells.back(), found->second.identity, seed_);
        }
    }

    CellIdentity add_new_cell(std::size_t index, GridCell& grid_cell, std::vector<Cell>& cells) {
        CellSettings settings =
            read_cell(grid_cell.tree, catalogues_, known_, problems_, selection());
        const CheckedCell checked{settings, grid_cell.tree, grid_.where(index), analysis()};
        if (settings.system) {
            add_logged_outages(grid_cell.tree, source_, settings, problems_);
        }
        const auto checksummed = settings.workload ? inputs_.add(settings.workload) : nullptr;
        unused_.add_cell(settings, grid_cell.tree);
        if (grid_cell.estimated_load) {
            settings.saturation_fraction = grid_cell.estimated_load->fraction;
        }
        const std::size_t before = problems_.size();
        check_parts(checked, theory_, problems_);
        if (!settings.is_complete() || problems_.size() > before) {
            return {};
        }
        if (!settings.takes_load()) {
            settings.utilization.reset();
            settings.load_search.reset();
            settings.saturation_fraction.reset();
        }
        settings.workload = checksummed;
        settings.policy = inputs_.add(settings.policy);
        const Cell* pilot = nullptr;
        if (settings.saturation_fraction) {
            if (!check_pilot(checked, *grid_cell.estimated_load, problems_)) {
                return {};
            }
            const CellSettings saturated = pilot_settings(settings);
            Cell cell = laid_out(saturated, nullptr);
            identify(cell, identity_of(cell, nullptr, saturated.random->streams), seed_);
            pilot = &pilots_.add(std::move(cell), grid_cell.levels);
        }
        Cell cell = laid_out(settings, pilot);
        cell.index = static_cast<std::uint32_t>(index);
        cell.levels = std::move(grid_cell.levels);
        finish(checked, cell);
        CellIdentity identity = identity_of(cell, pilot, settings.random->streams);
        identify(cell, identity, seed_);
        if (!cells.empty() && *cell.measures == *cells.back().measures) {
            cell.measures = cells.back().measures;
        }
        if (problems_.empty()) {
            cells.push_back(std::move(cell));
        }
        return identity;
    }

    /// What is said of metrics, now that the columns are known.
    void finish(const CheckedCell& checked, Cell& cell) {
        resolve_targets(
            checked, cell.measures->columns, cell.measures->sketches, cell.replications, problems_
        );
        if (requests_.controls) {
            cell.controls = control_means(checked, cell, campaign_, *requests_.controls, problems_);
        }
        if (asks_for_twins(checked.tree)) {
            add_twins(cell);
        }
        cell.certificates = checked.settings.certificates;
        unused_.add_columns(checked.settings, cell, checked.tree);
    }

    Cell laid_out(const CellSettings& settings, const Cell* pilot) {
        Cell cell = simulated_cell(settings);
        cell.replications = *settings.replications;
        cell.log_blocks = log_blocks(*cell.workload, cell.experiment.horizon);
        for (MetricTarget& target : cell.replications.targets) {
            target.target.log = cell.log_blocks;
        }
        CellMeasures measures{
            .columns = observed_columns(settings), .sketches = observed_sketches(settings)};
        if (observes_classes(settings) || header_.job_log.replications > 0) {
            measures.class_names = workload_traits(settings).class_names;
        }
        cell.measures = std::make_shared<const CellMeasures>(std::move(measures));
        if (asks_for_slowdown(cell.probes)) {
            cell.has_infinite_mean_slowdown = workload_traits(settings).has_infinite_mean_slowdown;
        }
        cell.known_values = known_values(settings);
        if (const auto limit = theory_.maximal_utilization(settings)) {
            cell.maximal_utilization = std::make_shared<const engine::KnownValue>(*limit);
        }
        if (pilot != nullptr) {
            cell.placed_load = PlacedLoad{*settings.saturation_fraction, pilot->index};
        }
        if (settings.load_search) {
            cell.load_search =
                std::make_shared<const LoadSearch>(in_time_units(*settings.load_search, settings));
        }
        return cell;
    }

    const Node& campaign_;
    const CampaignSource& source_;
    const Catalogues& catalogues_;
    Problems& problems_;
    Theory theory_;
    Header header_;
    AnalysisRequests requests_;
    Grid grid_;
    UnusedValues unused_;
    Pilots pilots_;
    std::uint64_t seed_ = 0;  // of the campaign to which the cell at hand belongs
    std::uint64_t first_seed_ = 0;
    Inputs inputs_;
    KnownCellParts known_;

    /// Of cells that differ in their seeds alone the first is read and checked.
    struct FirstSeed {
        std::size_t position = 0;  ///< among the cells, where there are no problems
        CellIdentity identity = {};
    };
    bool has_seeds_ = false;
    std::unordered_map<Tree, FirstSeed, Tree::Hash> of_first_seed_;
};

/// What times of all cells are in. The campaign's words are for those that have no unit.
std::string time_unit(
    const Node& campaign,
    const std::string& words,
    const std::vector<Cell>& cells,
    Problems& problems
) {
    std::map<const engine::Choice*, bool> known;
    const auto in_seconds = [&](const Cell& cell) {
        const auto [found, is_new] = known.try_emplace(&*cell.workload, false);
        if (is_new) {
            found->second = facts_of(*cell.workload).is_in_seconds;
        }
        return found->second;
    };
    const auto seconds = std::find_if(cells.begin(), cells.end(), in_seconds);
    if (!words.empty() && words != "s" && seconds != cells.end()) {
        problems.add(
            campaign.find("time_unit")->at,
            "time_unit",
            fmt::format(
                "'time_unit' is '{}' (times of the workload {} are seconds)",
                words,
                seconds->workload->name
            ),
            "Leave it out."
        );
    }
    if (!words.empty()) {
        return words;
    }
    return std::all_of(cells.begin(), cells.end(), in_seconds) ? "s" : "time units";
}

}  // namespace

const std::string& seed_level(const Cell& cell) {
    static const std::string none;
    for (const FactorLevel& level : cell.levels) {
        if (level.factor == seed_key) {
            return level.label;
        }
    }
    return none;
}

Plan make_plan(CampaignSource source, const Catalogues& catalogues) {
    Problems problems;
    const Node campaign = read_campaign(source, problems);
    Planner planner(campaign, source, catalogues, problems);
    Plan plan;
    plan.cells = planner.cells();
    plan.name = planner.header().name;
    plan.description = planner.header().description;
    plan.time_unit = time_unit(campaign, planner.header().time_unit, plan.cells, problems);
    plan.seed = planner.first_seed();
    plan.report = planner.header().report;
    plan.job_log = planner.header().job_log;
    problems.throw_if_any();
    check_report(campaign, plan.cells, plan.report, problems);
    plan.reference = read_reference(campaign, source, problems);
    lay_out_analyses(campaign, planner.requests(), planner.grid().factors(), plan, problems);
    problems.throw_if_any();
    Node base = planner.grid().base();
    for (const std::string& path : planner.unused_paths()) {  // of included files
        erase_path(base, path);
    }
    plan.effective = effective_configuration(
        campaign, base, planner.inputs().written(), planner.grid(), catalogues
    );
    plan.has_checksummed_inputs = !planner.inputs().empty();
    plan.cells.insert(plan.cells.end(), planner.pilots().begin(), planner.pilots().end());
    plan.plan_hash = plan_hash(plan);
    plan.source = std::move(source);
    return plan;
}

Plan make_plan(CampaignSource source) {
    return make_plan(std::move(source), registered_catalogues());
}

}  // namespace schedfarm::app
