#include "app/campaign/plan/analyses/package_plan.hpp"

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/merge.hpp"
#include "app/campaign/yaml/problems.hpp"
#include "app/campaign/yaml/source.hpp"
#include "app/campaign/yaml/suggestion.hpp"

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
    return facts;
}

/// Of a value in the section, or as near to it as there is one; an expression begins behind its
/// quote.
SourcePosition position_of(const Node& section, const std::string& path, const json& problem) {
    const std::string key = problem.at("key");
    const int item = problem.at("item");
    const Node& place = item < 0 ? section : *section.items.at(static_cast<std::size_t>(item));
    const Node* const value = place.find(key);
    SourcePosition at = value == nullptr ? nearest_position(place, key) : value->at;
    const bool is_expression = path.starts_with("claims");
    if (is_expression && value != nullptr && value->style == Node::Style::quoted) {
        at.column += 1;
    }
    return at;
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
        const Node* const section = find_path(campaign, path);
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
            "Write 'reference: values.csv'?"
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
    if (!has_claims && plan.report.figures.empty() && plan.reference.records.empty()) {
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
    for (const auto& [name, rows] : found.at("tables").items()) {
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
            plan.claims.push_back(std::move(table));
        }
    }
}

}  // namespace schedfarm::app
