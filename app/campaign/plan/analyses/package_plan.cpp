#include "app/campaign/plan/analyses/package_plan.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/merge.hpp"
#include "app/campaign/yaml/problems.hpp"
#include "app/campaign/yaml/source.hpp"
#include "app/campaign/yaml/suggestion.hpp"
#include "app/campaign/yaml/value_node.hpp"

namespace schedfarm::app {

namespace {

using nlohmann::json;

/// Equal things by number, in the order in which they come.
template <typename T>
class Numbering {
  public:
    std::size_t of(const T& thing) {
        return numbers_.try_emplace(thing, numbers_.size()).first->second;
    }
    std::size_t size() const { return numbers_.size(); }

  private:
    std::map<T, std::size_t> numbers_;
};

/// What is known of a cell, but for what is 0: its known values, and where there is a saturation
/// point that as `gross_utilization` of a saturated experiment and as `rho_max`.
json truths_of(const Cell& cell) {
    std::vector<engine::KnownValue> known = cell.known_values;
    if (cell.maximal_utilization) {
        engine::KnownValue saturation = *cell.maximal_utilization;
        saturation.label = "exact";
        saturation.metric = "rho_max";
        known.push_back(saturation);
        if (cell.experiment.kind.keeps_backlog()) {
            saturation.metric = "gross_utilization";
            known.push_back(saturation);
        }
    }
    json truths = json::array();
    for (const engine::KnownValue& one : known) {
        if (one.value != 0) {
            truths.push_back({one.metric, one.label, one.value, one.source});
        }
    }
    return truths;
}

/// Cells of other seeds have the same.
json certificates_of(const Plan& plan) {
    json cells = json::array();
    for (const Cell& cell : plan.cells) {
        if (!cell.certificates || cell.certificates->empty()
            || seed_level(cell) != seed_level(plan.cells.front())) {
            continue;
        }
        json sections = json::array();
        for (const Certificate& certificate : *cell.certificates) {
            sections.push_back(json::parse(json_text(node_of(certificate.values))));
        }
        cells.push_back(
            {{"cell", cell.index},
             {"sections", std::move(sections)},
             {"truths", truths_of(cell)},
             {"load_is_known", !cell.experiment.kind.is_open() || cell.utilization.has_value()},
             {"first_look", cell.replications.limits.min}}
        );
    }
    return cells;
}

json facts_of(const Plan& plan) {
    json facts{
        {"factors", json::array()},
        {"levels", json::array()},
        {"numbers", json::array()},
        {"columns", json::array()},
        {"observed", json::array()},
        {"replications", json::array()},
        {"known", json::array()},
        {"knows", json::array()},
        {"reference", json::array()},
        {"has_sketches", false}};
    for (const CsvRecord& record : plan.reference.records) {
        facts["reference"].push_back(
            {{"line", record.line}, {"columns", record.columns}, {"fields", record.fields}}
        );
    }
    for (const FactorLevel& level : plan.cells.front().levels) {
        facts["factors"].push_back(level.factor);
    }
    Numbering<const CellMeasures*> measures;
    Numbering<std::string> replications;
    Numbering<json> known_labels;
    for (const Cell& cell : plan.cells) {
        if (cell.is_pilot) {
            continue;
        }
        json labels = json::array();
        json numbers = json::array();
        for (const FactorLevel& level : cell.levels) {
            labels.push_back(level.label);
            numbers.push_back(level.number ? json(*level.number) : json());
        }
        facts["levels"].push_back(std::move(labels));
        facts["numbers"].push_back(std::move(numbers));
        const std::size_t known = measures.size();
        facts["observed"].push_back(measures.of(cell.measures.get()));
        if (measures.size() > known) {
            facts["columns"].push_back(
                names_of(cell.measures->columns, &engine::ObservationColumn::name)
            );
        }
        facts["replications"].push_back(replications.of(cell.replication_key));
        json labels_known = json::array();
        for (const engine::KnownValue& value : cell.known_values) {
            labels_known.push_back({value.metric, value.label});
        }
        const std::size_t known_before = known_labels.size();
        facts["knows"].push_back(known_labels.of(labels_known));
        if (known_labels.size() > known_before) {
            facts["known"].push_back(std::move(labels_known));
        }
        facts["has_sketches"] = facts["has_sketches"] || !cell.measures->sketches.empty();
    }
    facts["certificates"] = certificates_of(plan);
    return facts;
}

/// Of a value in the section, or as near to it as there is one; an expression begins behind its
/// quote.
SourcePosition position_of(const Node& section, const std::string& path, const json& problem) {
    const std::string key = problem.at("key");
    const Node* const value = section.find(key);
    SourcePosition at = value == nullptr ? nearest_position(section, key) : value->at;
    const bool is_expression = path.starts_with("claims");
    if (is_expression && value != nullptr && value->style == Node::Style::quoted) {
        at.column += 1;
    }
    return at;
}

/// Of the campaign, of a list in it, or of the list of certificates that a cell has.
const Node* section_of(const Plan& plan, const Node& campaign, const json& problem) {
    const int item = problem.at("item");
    const int cell = problem.value("cell", -1);
    if (cell >= 0) {
        const auto& certificates = plan.cells.at(static_cast<std::size_t>(cell)).certificates;
        return &*certificates->at(static_cast<std::size_t>(item)).node;
    }
    const Node* const section = find_path(campaign, problem.at("section").get<std::string>());
    return section == nullptr || item < 0 ? section
                                          : &*section->items.at(static_cast<std::size_t>(item));
}

void throw_problems(const Plan& plan, const json& found) {
    if (found.empty()) {
        return;
    }
    Problems problems;
    CampaignSource source = plan.source;
    const Node campaign = read_campaign(source, problems);
    for (const json& problem : found) {
        const std::string path = problem.at("section");
        const Node* const section = section_of(plan, campaign, problem);
        const std::vector<std::string> known = problem.at("known");
        std::string suggestion = problem.at("suggestion");
        if (suggestion.empty() && !known.empty()) {
            suggestion = name_suggestion(problem.at("name").get<std::string>(), known);
        }
        const int line = problem.value("line", 0);
        problems.add(
            line > 0             ? SourcePosition{plan.reference.name, line, problem.at("column")}
            : section == nullptr ? campaign.at
                                 : position_of(*section, path, problem),
            path,
            problem.at("reason"),
            std::move(suggestion)
        );
    }
    problems.throw_if_any();
}

ReferenceValue reference_value(const json& row) {
    return {
        .cell = row.at("cell"),
        .metric = row.at("metric"),
        .known_label = row.at("known_label"),
        .value = row.at("value"),
        .rounding = row.at("rounding"),
        .runs = row.at("runs"),
        .column = row.at("column"),
        .note = row.at("note")};
}

std::vector<PlannedTable> tables_of(const json& found) {
    std::vector<PlannedTable> tables;
    for (const auto& [name, rows] : found.items()) {
        PlannedTable table{name, {}};
        for (const json& row : rows) {
            auto& values = table.rows.emplace_back();
            for (const auto& [column, value] : row.items()) {
                values.push_back(
                    {column,
                     value.is_string() ? value.get<std::string>() : std::string(),
                     value.is_number() ? std::optional(value.get<double>()) : std::nullopt,
                     value.is_string()}
                );
            }
        }
        if (!table.rows.empty()) {
            tables.push_back(std::move(table));
        }
    }
    return tables;
}

}  // namespace

CsvFile read_reference(const Node& campaign, const CampaignSource& source, Problems& problems) {
    const Node* const reference = campaign.find("reference");
    if (reference == nullptr) {
        return {};
    }
    if (!reference->is_scalar()) {
        problems.add(
            reference->at,
            "reference",
            "'reference' must be the name of a CSV file",
            "Write 'reference: values.csv'."
        );
        return {};
    }
    const std::string name = referred_name(reference->at.file, reference->scalar);
    const auto file = source.files.find(name);
    if (file == source.files.end()) {
        problems.add(reference->at, "reference", name + " is not among the campaign's files");
        return {};
    }
    return {name, read_csv(name, file->second)};
}

std::string package_question(const Plan& plan) {
    const bool has_claims = json::parse(plan.effective).contains("claims");
    const bool has_certificate = std::ranges::any_of(plan.cells, [](const Cell& cell) {
        return cell.certificates && !cell.certificates->empty();
    });
    if (!has_claims && !has_certificate && plan.report.figures.empty()
        && plan.reference.records.empty()) {
        return "";
    }
    // The configuration as it was written: to the package its numbers are texts.
    return "{\"cells\": " + facts_of(plan).dump() + ", \"configuration\": " + plan.effective + "}";
}

void take_package_answer(const std::string& answer, Plan& plan) {
    const json found = json::parse(answer);
    throw_problems(plan, found.at("problems"));
    for (const json& row : found.at("references")) {
        plan.references.push_back(reference_value(row));
    }
    plan.claims = tables_of(found.at("tables"));
    plan.certificates = tables_of(found.at("certificates"));
}

}  // namespace schedfarm::app
