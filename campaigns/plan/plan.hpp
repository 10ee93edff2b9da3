// A campaign, read, validated and laid out: cells × replications. A plan is a pure function of the
// campaign's text; making one runs nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/experiment.hpp"
#include "engine/simulation/probe.hpp"
#include "engine/simulation/system.hpp"
#include "engine/simulation/workload_model.hpp"
#include "engine/statistics/stop_rule.hpp"

#include "campaigns/config/catalogues.hpp"
#include "campaigns/config/replication_plan.hpp"
#include "campaigns/config/source.hpp"

namespace schedfarm::campaigns {

/// One coordinate of a cell: the factor's name in the campaign and its value here.
struct FactorLevel {
    std::string factor;            ///< "load.utilization", or the name of a zip
    std::string label;             ///< as shown in tables: "0.7", "[1, 4]", "fcfs"
    std::optional<double> number;  ///< where the level is a number
};

/// One point of the factor grid: everything a replication depends on but its index.
struct Cell {
    std::uint32_t index = 0;
    std::vector<FactorLevel> levels;
    engine::SystemDescription system;
    engine::Experiment experiment;
    engine::ProbeSet probes;
    engine::Choice workload;  ///< model name and parameters, defaults filled in
    engine::Choice policy;
    std::optional<double> utilization;
    ReplicationPlan replications;
    std::vector<engine::ObservationColumn> columns;  ///< of this cell's observations
    std::vector<engine::KnownValue> known_values;
    std::optional<engine::KnownValue> maximal_utilization;
    std::string effective;        ///< canonical text of everything above but the replication plan
    std::string replication_key;  ///< SHA-256: cells with equal keys have equal replications
};

/// A value that the paper prints, beside the cell that measures it.
struct ReferenceValue {
    std::uint32_t cell = 0;
    std::string metric;  ///< observation ("capacity_loss") …
    std::string
        known_label;  ///< … or, not empty, a known value of the cell: "approximation eq. (4)"
    double value = 0;
    double rounding = 0;     ///< half a unit of the last digit printed
    std::uint64_t runs = 0;  ///< independent runs behind the paper's value; 0: not known
    std::string column;      ///< heading of the paper's column
    std::string note;        ///< what is known about a value that differs
};

/// How `schedfarm report` lays out the campaign.
struct ReportLayout {
    std::string title;
    std::string source;                ///< "Bucur & Epema 2001, Table 1"
    std::vector<std::string> rows;     ///< factors that make the rows; empty: all
    std::vector<std::string> metrics;  ///< shown; empty: the targets, else all
};

struct Plan {
    std::string name;
    std::string description;
    std::uint64_t seed = 0;
    std::vector<Cell> cells;
    std::vector<ReferenceValue> references;
    ReportLayout report;
    std::string effective;  ///< effective configuration, YAML
    std::string plan_hash;  ///< SHA-256: cells, targets, caps, seed
    CampaignSource source;
};

/// Reads, validates and plans. Throws ConfigErrors with every problem found.
Plan make_plan(CampaignSource source);

/// The same with other policies and models than those of this program.
Plan make_plan(CampaignSource source, const Catalogues& catalogues);

}  // namespace schedfarm::campaigns
