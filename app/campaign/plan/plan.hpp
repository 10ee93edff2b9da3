// A campaign, read, validated and laid out: cells × replications. A plan is a pure function of the
// campaign's text and of the logs that it names (inputs.hpp); making one runs nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/random/stream.hpp"
#include "engine/simulation/experiment.hpp"
#include "engine/simulation/measurement/probe.hpp"
#include "engine/simulation/measurement/sketches.hpp"
#include "engine/simulation/system.hpp"
#include "engine/simulation/workload_model.hpp"
#include "engine/statistics/log_interval.hpp"
#include "engine/statistics/selection/selection.hpp"
#include "engine/statistics/stop_rule.hpp"

#include "app/campaign/keys/analyses/certificate_reader.hpp"
#include "app/campaign/keys/analyses/report_layout.hpp"
#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/keys/sections/load_search.hpp"
#include "app/campaign/keys/sections/replication_plan.hpp"
#include "app/campaign/plan/analyses/csv.hpp"
#include "app/campaign/yaml/source.hpp"

namespace schedfarm::app {

/// One coordinate of a cell: the factor's name in the campaign and its value here.
struct FactorLevel {
    std::string factor;            ///< "load.utilization", or the name of a zip
    std::string label;             ///< as shown in tables: "0.7", "[1, 4]", "fcfs"
    std::optional<double> number;  ///< where the level is a number
};

/// The random numbers of a cell.
struct RandomSource {
    std::uint64_t seed = 0;  ///< the campaign's, or one of the cell's own: independent streams
    engine::Generator generator = engine::Generator::philox;
};

/// A load that is a fraction of a saturation point which the campaign itself estimates.
struct PlacedLoad {
    double fraction = 0;      ///< of the pilot's maximal utilization
    std::uint32_t pilot = 0;  ///< index of the saturated cell that estimates it
};

/// A horizon that the program finds (app/campaign/plan/lengthening.hpp).
struct Lengthening {
    engine::Horizon first;       ///< the shortest
    bool warm_up_grows = false;  ///< with the jobs, of which it is a part
};

/// A control variate of a cell: an observed column whose mean is known.
struct ControlMean {
    std::string column;
    double mean = 0;
};

/// What the replications of a cell observe. Cells in which it is equal share it: a campaign of
/// 100,000 cells has few.
struct CellMeasures {
    std::vector<engine::ObservationColumn> columns = {};
    std::vector<engine::SketchDescription> sketches = {};
    std::vector<std::string> class_names = {};  ///< where something is told by class

    friend bool operator==(const CellMeasures&, const CellMeasures&) = default;
};

/// One point of the factor grid: everything a replication depends on but its index.
struct Cell {
    std::uint32_t index = 0;
    std::vector<FactorLevel> levels;
    engine::SystemDescription system;
    engine::Experiment experiment;
    engine::ProbeSet probes;
    /// The model with all its parameters.
    std::shared_ptr<const engine::Choice> workload = std::make_shared<const engine::Choice>();
    std::shared_ptr<const engine::Choice> policy = workload;
    RandomSource random;
    std::optional<double> utilization;
    std::optional<PlacedLoad> placed_load;           ///< then `utilization` is absent
    std::shared_ptr<const LoadSearch> load_search;   ///< then `utilization` is absent; mostly null
    std::shared_ptr<const Lengthening> lengthening;  ///< the horizon is the shortest; mostly null
    bool is_pilot = false;                           ///< added by the program for a placed load
    ReplicationPlan replications;
    std::optional<engine::LogBlocks> log_blocks;  ///< of the log that replications resample
    std::shared_ptr<const CellMeasures> measures = std::make_shared<const CellMeasures>();
    /// A probe asks for slowdown, and the service times leave it without a finite mean.
    bool has_infinite_mean_slowdown = false;
    std::vector<engine::KnownValue> known_values;
    std::shared_ptr<const engine::KnownValue> maximal_utilization;  ///< mostly null
    std::vector<ControlMean> controls;                              ///< of Plan::control_metric
    std::shared_ptr<const std::vector<Certificate>> certificates;
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

/// Cells that differ in one factor only, in the order of its levels.
struct CellGroup {
    std::string label;  ///< the levels that they share: "load.utilization=0.7"
    std::vector<std::uint32_t> cells;
};

/// Paired differences between the levels of a factor.
struct ComparisonPlan {
    std::string factor;
    std::string metric;                     ///< column
    std::optional<std::uint32_t> baseline;  ///< position in the groups; absent: every pair
    double confidence = 0.95;               ///< of the family of all differences
    /// Precision of every difference; the cells of a group then stop together. relative: to the
    /// mean of the pair's second cell.
    std::optional<engine::PrecisionTarget> target;
    std::vector<CellGroup> groups;
};

/// Which level of a factor is best.
struct SelectionPlan {
    std::string factor;
    std::string metric;  ///< column
    engine::SelectionSettings settings;
    std::vector<CellGroup> groups;
};

/// A table of the result file that the package has planned, by columns: texts, and numbers, of
/// which an absent one is NaN in the file.
struct PlannedTable {
    struct Value {
        std::string column;
        std::string text;
        std::optional<double> number;
        bool is_text = false;
    };
    std::string name;
    std::vector<std::vector<Value>> rows;
};

struct Plan {
    std::string name;
    std::string description;
    std::string time_unit;   ///< of every cell: s, the campaign's words, or time units
    std::uint64_t seed = 0;  ///< where it is a factor, the first
    std::vector<Cell> cells;
    std::optional<ComparisonPlan> comparison;
    std::optional<SelectionPlan> selection;
    std::string control_metric;              ///< column that control variates improve; empty: none
    CsvFile reference;                       ///< as it was read
    std::vector<ReferenceValue> references;  ///< in it; empty: none, or the package was not asked
    std::vector<PlannedTable> claims;        ///< empty: none, or the package was not asked
    std::vector<PlannedTable> certificates;  ///< likewise
    ReportLayout report;
    JobLogPlan job_log;
    std::string effective;  ///< effective configuration, JSON
    std::string plan_hash;  ///< SHA-256: cells, targets, caps, seed
    /// Whether cells read a log whose checksum the plan has added to them (inputs.hpp).
    bool has_checksummed_inputs = false;
    CampaignSource source;
};

/// The cell's level of the factor `seed`; empty where it is none. Cells of one seed are a campaign.
const std::string& seed_level(const Cell& cell);

/// Reads, validates and plans. Throws ConfigErrors with every problem found.
Plan make_plan(CampaignSource source);

/// The same with other policies and models than those of this program.
Plan make_plan(CampaignSource source, const Catalogues& catalogues);

}  // namespace schedfarm::app
