#include "app/campaign/plan/analyses/analyses.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/campaign/checks/cell_checks.hpp"
#include "app/campaign/checks/fixed_jobs.hpp"
#include "app/campaign/keys/metric_suggestion.hpp"
#include "app/campaign/keys/sections/seed_range.hpp"
#include "app/campaign/plan/identity/keys.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

std::string where_of(const std::vector<Cell>& cells, std::uint32_t cell) {
    return cells.size() == 1 ? "" : fmt::format(" in cell {}", cell);
}

/// A section that looks at the levels of a factor: `comparison` or `selection`.
class LevelAnalysis {
  public:
    LevelAnalysis(
        std::string section,
        const Node& campaign,
        const std::vector<Factor>& factors,
        const std::vector<Cell>& cells,
        Problems& problems
    )
        : section_(std::move(section))
        , node_(*campaign.find(section_))
        , factors_(factors)
        , cells_(cells)
        , problems_(problems) {}

    void refuse(const std::string& key, std::string reason, std::string suggestion) const {
        problems_.add(
            nearest_position(node_, key),
            section_ + "." + key,
            std::move(reason),
            std::move(suggestion)
        );
    }

    /// A name as it is written. REQUIRES: the key is there.
    std::string given(const std::string& key) const { return node_.find(key)->scalar; }

    /// Position of the factor; it has two levels or more.
    std::optional<std::size_t> factor(const std::string& name) const {
        std::vector<std::string> names;
        if (name == seed_key) {
            refuse(
                "factor", "a factor 'seed' makes campaigns of their own", "Name another factor."
            );
            return std::nullopt;
        }
        for (std::size_t i = 0; i < factors_.size(); ++i) {
            if (factors_[i].name == name && factors_[i].levels.size() < 2) {
                refuse(
                    "factor",
                    fmt::format("factor '{}' has one level (nothing is beside it)", name),
                    "Give it another."
                );
                return std::nullopt;
            }
            if (factors_[i].name == name) {
                return i;
            }
            names.push_back(factors_[i].name);
        }
        refuse(
            "factor",
            fmt::format("'{}' is no factor of the campaign", name),
            names.empty() ? "" : name_suggestion(name, names)
        );
        return std::nullopt;
    }

    /// The column that the metric means, the same in all cells; empty when there is none.
    std::string metric(const std::string& name) const {
        std::string column;
        const ConfigProblem place{nearest_position(node_, "metric"), section_ + ".metric", "", ""};
        for (const Cell& cell : cells_) {
            const auto found = resolve_observed(
                name, cell.measures->columns, where_of(cells_, cell.index), place, problems_
            );
            if (!found) {
                return "";
            }
            column = *found;
            if (cell.load_search || is_ratio_of_sums(cell.experiment.kind, column)) {
                refuse_metric(cell, column);
                return "";
            }
        }
        return column;
    }

  private:
    void refuse_metric(const Cell& cell, const std::string& column) const {
        const std::string where = where_of(cells_, cell.index);
        if (cell.load_search) {
            refuse(
                "metric",
                fmt::format("the replications{} have different loads (one is searched for)", where),
                "Give the load a utilization."
            );
            return;
        }
        refuse(
            "metric",
            fmt::format(
                "'{}'{} is a ratio of sums over all replications (single ones have no value to "
                "compare)",
                column,
                where
            ),
            ""
        );
    }

    std::string section_;
    const Node& node_;
    const std::vector<Factor>& factors_;
    const std::vector<Cell>& cells_;
    Problems& problems_;
};

/// How the load of a group is called: its cells may have the same fraction of different limits.
std::string group_part(
    const Factor& factor, const Level& level, const FactorLevel& first, bool is_common
) {
    const bool is_fraction = factor.is_placed() && !is_common;
    return factor.name + "=" + (is_fraction ? saturation_label(level) : first.label);
}

/// The levels that the cells of a group share.
std::string group_label(
    const CellGroup& group,
    std::size_t varied,
    const std::vector<Factor>& factors,
    const std::vector<Cell>& cells
) {
    std::string label;
    std::size_t stride = cells.size();
    for (std::size_t f = 0; f < factors.size(); ++f) {
        stride /= factors[f].levels.size();
        if (f == varied) {
            continue;
        }
        const FactorLevel& first = cells[group.cells.front()].levels[f];
        const bool is_common =
            std::all_of(group.cells.begin(), group.cells.end(), [&](std::uint32_t cell) {
                return cells[cell].levels[f].label == first.label;
            });
        const std::size_t level = group.cells.front() / stride % factors[f].levels.size();
        label += (label.empty() ? "" : ", ")
                 + group_part(factors[f], factors[f].levels[level], first, is_common);
    }
    return label;
}

/// Cells that are compared to a precision stop together, so that they need the same limits.
bool expect_equal_limits(
    const LevelAnalysis& analysis, const CellGroup& group, const std::vector<Cell>& cells
) {
    const auto limits_of = [](ReplicationPlan plan) {
        plan.targets.clear();
        plan.method = {};
        plan.confidence = 0;
        return replications_bytes(plan);
    };
    const Cell& first = cells[group.cells.front()];
    for (const std::uint32_t index : group.cells) {
        const Cell& cell = cells[index];
        if (cell.replications.targets.empty()) {
            analysis.refuse(
                "",
                fmt::format(
                    "a difference is to be precise but cell {} has no 'precision' (which says how "
                    "far its group may go)",
                    index
                ),
                "Write 'precision: " + target_text(analysis.given("metric"))
                    + "' in place of 'replications'."
            );
            return false;
        }
        if (limits_of(cell.replications) != limits_of(first.replications)) {
            analysis.refuse(
                "",
                fmt::format(
                    "cells {} and {} are compared but have different limits or budgets (they stop "
                    "together)",
                    first.index,
                    index
                ),
                "Give them the same 'precision.min', 'max' and 'budget'."
            );
            return false;
        }
    }
    return true;
}

/// More replications of the same jobs would be refused in turn.
std::string several_suggestion(const engine::Choice& workload) {
    const std::string ways = ways_to_differ(workload);
    if (!repeats_jobs(workload)) {
        return "Give it more 'replications', or remove 'comparison'.";
    }
    return ways.empty() ? "Remove 'comparison' (its jobs are the same in every replication)."
                        : "Give it more 'replications' and in the workload " + ways
                              + ", or remove 'comparison'.";
}

/// One replication gives no interval of a difference.
bool expect_several_replications(
    const LevelAnalysis& analysis, const CellGroup& group, const std::vector<Cell>& cells
) {
    for (const std::uint32_t index : group.cells) {
        if (cells[index].replications.limits.max < 2) {
            analysis.refuse(
                "",
                fmt::format(
                    "cell {} is compared but has one replication (its differences would have no "
                    "interval)",
                    index
                ),
                several_suggestion(*cells[index].workload)
            );
            return false;
        }
    }
    return true;
}

std::optional<std::uint32_t> baseline_position(
    const LevelAnalysis& analysis, const std::string& label, const Factor& factor
) {
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < factor.levels.size(); ++i) {
        if (factor.levels[i].label == label) {
            return static_cast<std::uint32_t>(i);
        }
        labels.push_back(factor.levels[i].label);
    }
    analysis.refuse(
        "baseline",
        fmt::format("factor '{}' has no level '{}'", factor.name, label),
        name_suggestion(label, labels)
    );
    return std::nullopt;
}

/// The confidence of one difference that gives all of a seed together the confidence asked for; an
/// interval after Holm's adjustment is never longer (Bonferroni).
double single_confidence(
    const ComparisonPlan& comparison, std::size_t levels, const std::vector<Factor>& factors
) {
    const auto seed = std::find_if(factors.begin(), factors.end(), [](const Factor& factor) {
        return factor.name == seed_key;
    });
    const std::size_t seeds = seed == factors.end() ? 1 : seed->levels.size();
    const std::size_t pairs = comparison.baseline ? levels - 1 : levels * (levels - 1) / 2;
    const auto all = static_cast<double>(pairs * comparison.groups.size() / seeds);
    return 1 - (1 - comparison.confidence) / all;
}

void lay_out_comparison(
    const LevelAnalysis& analysis,
    const ComparisonRequest& request,
    const std::vector<Factor>& factors,
    Plan& plan
) {
    const auto factor = analysis.factor(request.factor);
    ComparisonPlan comparison;
    comparison.factor = request.factor;
    comparison.metric = analysis.metric(request.metric);
    comparison.confidence = request.confidence;
    comparison.target = request.target;
    if (!factor || comparison.metric.empty()) {
        return;
    }
    const std::size_t levels = factors[*factor].levels.size();
    if (request.baseline) {
        comparison.baseline = baseline_position(analysis, *request.baseline, factors[*factor]);
    }
    comparison.groups = groups_by(*factor, factors, plan.cells);
    for (const CellGroup& group : comparison.groups) {
        if (!expect_several_replications(analysis, group, plan.cells)) {
            return;
        }
    }
    if (comparison.target) {
        comparison.target->confidence = single_confidence(comparison, levels, factors);
        for (const CellGroup& group : comparison.groups) {
            if (!expect_equal_limits(analysis, group, plan.cells)) {
                break;
            }
        }
    }
    plan.comparison = std::move(comparison);
}

void lay_out_selection(
    const LevelAnalysis& analysis,
    const SelectionRequest& request,
    const std::vector<Factor>& factors,
    Plan& plan
) {
    const auto factor = analysis.factor(request.factor);
    SelectionPlan selection;
    selection.factor = request.factor;
    selection.metric = analysis.metric(request.metric);
    selection.settings = request.rule;
    if (!factor || selection.metric.empty()) {
        return;
    }
    selection.groups = groups_by(*factor, factors, plan.cells);
    plan.selection = std::move(selection);
}

void name_controlled_metric(
    const Node& campaign, const ControlRequest& request, Plan& plan, Problems& problems
) {
    for (const Cell& cell : plan.cells) {
        if (!cell.controls.empty()) {
            plan.control_metric = *resolve_metric(request.metric, cell.measures->columns);
            return;
        }
    }
    const ConfigProblem place{
        nearest_position(campaign, "control_variates.metric"), "control_variates.metric", "", ""};
    const Cell& first = plan.cells.front();
    const std::string where = plan.cells.size() == 1 ? "" : " in any cell";
    if (resolve_observed(request.metric, first.measures->columns, where, place, problems)) {
        problems.add(
            place.position,
            place.key_path,
            "no cell has a load at which the metric could be controlled (all are searched for)",
            "Remove 'control_variates'."
        );
    }
}

}  // namespace

std::vector<CellGroup> groups_by(
    std::size_t factor, const std::vector<Factor>& factors, const std::vector<Cell>& cells
) {
    std::size_t stride = 1;
    for (std::size_t f = factor + 1; f < factors.size(); ++f) {
        stride *= factors[f].levels.size();
    }
    const std::size_t levels = factors[factor].levels.size();
    std::vector<CellGroup> groups;
    for (std::size_t first = 0; first < cells.size(); ++first) {
        if (first / stride % levels != 0) {
            continue;
        }
        CellGroup group;
        for (std::size_t level = 0; level < levels; ++level) {
            group.cells.push_back(static_cast<std::uint32_t>(first + level * stride));
        }
        group.label = group_label(group, factor, factors, cells);
        groups.push_back(std::move(group));
    }
    return groups;
}

void lay_out_analyses(
    const Node& campaign,
    const AnalysisRequests& requests,
    const std::vector<Factor>& factors,
    Plan& plan,
    Problems& problems
) {
    if (requests.comparison && requests.comparison->target && requests.selection) {
        problems.add(
            campaign.find("comparison")->at,
            "comparison",
            "a comparison to a precision beside 'selection' (both would decide how many "
            "replications there are)",
            "Remove its 'relative' and 'absolute'."
        );
        return;
    }
    if (requests.comparison) {
        const LevelAnalysis analysis("comparison", campaign, factors, plan.cells, problems);
        lay_out_comparison(analysis, *requests.comparison, factors, plan);
    }
    if (requests.selection) {
        const LevelAnalysis analysis("selection", campaign, factors, plan.cells, problems);
        lay_out_selection(analysis, *requests.selection, factors, plan);
    }
    if (requests.controls) {
        name_controlled_metric(campaign, *requests.controls, plan, problems);
    }
}

}  // namespace schedfarm::app
