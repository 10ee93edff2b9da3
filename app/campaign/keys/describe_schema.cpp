// The JSON Schema (draft 7) of the campaign file, by which editors complete and check: keys, types,
// words and ranges, from the tables by which the program reads. What keys must say together only
// the program knows: `schedfarm plan FILE`. A key is required in the items of lists alone, as
// elsewhere an included file or a factor may give it.
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/simulation/measurement/probe.hpp"

#include "policies/external/plugin.hpp"

#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/keys/describe.hpp"
#include "app/campaign/keys/schema.hpp"
#include "app/campaign/yaml/suggestion.hpp"
#include "app/campaign/yaml/value_node.hpp"

namespace schedfarm::app {

namespace {

using engine::Alternative;
using engine::ParameterDescription;
using engine::ParameterType;
using Schema = nlohmann::ordered_json;

enum class Missing { admitted, refused };

bool is_top_level(const Section& described) {
    return &described == &sections().front();
}

std::string path_of(const Section& described, const ParameterDescription& row) {
    return is_top_level(described) ? row.name : described.name + "." + row.name;
}

Schema scalar() {
    return {{"type", {"string", "number", "boolean"}}};
}

Schema list_of(Schema items) {
    return {{"type", "array"}, {"items", std::move(items)}};
}

Schema map_of(Schema values) {
    return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}

Schema any_of(std::vector<Schema> schemas) {
    return {{"anyOf", std::move(schemas)}};
}

Schema one_or_list_of(const Schema& item) {
    return any_of({item, list_of(item)});
}

Schema named(const std::string& definition) {
    return {{"$ref", "#/definitions/" + definition}};
}

Schema words(const std::vector<std::string>& known) {
    Schema values = Schema::array();
    for (const std::string& word : known) {
        values.push_back(word);
        if (Schema::accept(word)) {  // a number or truth value, where it stands without quotes
            values.push_back(Schema::parse(word));
        }
    }
    return {{"enum", std::move(values)}};
}

Schema number(const engine::Range& range, const char* type) {
    Schema schema{{"type", type}};
    if (range.low > -std::numeric_limits<double>::infinity()) {
        schema[range.low_is_open ? "exclusiveMinimum" : "minimum"] = range.low;
    }
    if (range.high < std::numeric_limits<double>::infinity()) {
        schema[range.high_is_open ? "exclusiveMaximum" : "maximum"] = range.high;
    }
    return schema;
}

/// An object with these keys alone.
Schema closed(Schema properties, const std::vector<std::string>& required = {}) {
    Schema schema{
        {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
    if (!required.empty()) {
        schema["required"] = required;
    }
    return schema;
}

class SchemaWriter {
  public:
    Schema write() {
        Schema schema{
            {"$schema", "http://json-schema.org/draft-07/schema#"},
            {"title", "schedfarm campaign"}};
        add_variable_paths();
        Schema campaign = section_schema(sections().front(), Missing::admitted);
        schema.update(campaign);
        schema["definitions"] = std::move(definitions_);
        return schema;
    }

  private:
    /// The name of a definition that is made once.
    template <typename Make>
    Schema defined(const std::string& name, const Make& make) {
        if (!definitions_.contains(name)) {
            definitions_[name] = true;  // tables may refer to themselves
            Schema made = make();
            definitions_[name] = std::move(made);
        }
        return named(name);
    }

    Schema section_named(const Section& described, Missing missing) {
        return defined(described.name, [&] { return section_schema(described, missing); });
    }

    Schema section_schema(const Section& described, Missing missing) {
        Schema properties = Schema::object();
        std::vector<std::string> required;
        for (const ParameterDescription& row : described.keys) {
            properties[row.name] = documented(key_schema(described, row), row);
            const bool is_needed = !row.default_value && !described.is_optional(row.name);
            if (is_needed && missing == Missing::refused) {
                required.push_back(row.name);
            }
        }
        Schema schema = closed(std::move(properties), required);
        schema["type"] = {"object", "null"};
        schema["description"] = described.summary;
        return schema;
    }

    Schema documented(Schema schema, const ParameterDescription& row) {
        if (schema.contains("$ref")) {  // beside which nothing counts
            schema = {{"allOf", {std::move(schema)}}};
        }
        schema["description"] = row.meaning + (row.unit.empty() ? "" : " (" + row.unit + ")");
        if (row.default_value) {
            schema["default"] = Schema::parse(json_text(node_of(*row.default_value)));
        }
        return schema;
    }

    Schema key_schema(const Section& described, const ParameterDescription& row) {
        using Kind = Section::Part::Kind;
        const std::string path = path_of(described, row);
        const auto own = own_schemas().find(path);
        if (own != own_schemas().end()) {
            return (this->*own->second)(row);
        }
        const Section::Part* part = described.find_part(row.name);
        const Kind kind = part == nullptr ? Kind::other : part->kind;
        switch (kind) {
            case Kind::names:
                return one_or_list_of(scalar());
            case Kind::prose:
                return {{"type", {"string", "number", "boolean", "null"}}};
            case Kind::section:
                return section_named(part->below(), Missing::admitted);
            case Kind::list:
                return list_of(section_named(part->below(), Missing::refused));
            case Kind::other:
                break;
        }
        for (const Section& below : sections()) {
            if (below.name == path) {
                return section_named(below, Missing::admitted);
            }
        }
        return part == nullptr ? value_schema(row) : scalar();
    }

    Schema value_schema(const ParameterDescription& row) {
        switch (row.type) {
            case ParameterType::boolean:
                return {{"type", "boolean"}};
            case ParameterType::integer:
                return number(row.range, "integer");
            case ParameterType::real:
                return number(row.range, "number");
            case ParameterType::integer_list:
                return list_of(number(row.range, "integer"));
            case ParameterType::real_list:
                return list_of(number(row.range, "number"));
            case ParameterType::choice:
                return choice_schema(row.alternatives(), row.name);
            case ParameterType::choice_list:
                return one_or_list_of(choice_schema(row.alternatives(), row.name));
            case ParameterType::text:
                break;
        }
        // Texts that may be written as what they say (value_reader.cpp).
        static const std::map<std::string, Schema> written{
            {"columns", any_of({scalar(), map_of(true)})},
            {"accept", one_or_list_of(scalar())},
            {"changes", one_or_list_of(scalar())}};
        const auto own = written.find(row.name);
        if (own != written.end()) {
            return own->second;
        }
        if (takes_words(row)) {
            return one_or_list_of(scalar());
        }
        return row.words.empty() ? scalar() : words(row.words);
    }

    Schema choice_schema(const std::vector<Alternative>& alternatives, const std::string& noun) {
        std::string& name = names_[&alternatives];
        if (name.empty()) {
            name = "a " + noun;
            for (int number = 2; !taken_.insert(name).second; ++number) {
                name = "a " + noun + " " + std::to_string(number);
            }
        }
        return defined(name, [&] {
            Schema bodies = Schema::object();
            for (const Alternative& alternative : alternatives) {
                bodies[alternative.name] = body_schema(alternative);
                bodies[alternative.name]["description"] = alternative.summary;
            }
            Schema with_parameters = closed(std::move(bodies));
            with_parameters["minProperties"] = 1;
            with_parameters["maxProperties"] = 1;
            return any_of(
                {words(names_of(alternatives, &Alternative::name)), std::move(with_parameters)}
            );
        });
    }

    /// Parameters by name, in order, or the first alone.
    Schema body_schema(const Alternative& alternative) {
        Schema by_name = closed(parameters_of(alternative));
        by_name["additionalProperties"] = policies::is_plugin(alternative);
        std::vector<Schema> forms{{{"type", "null"}}, std::move(by_name)};
        const std::vector<ParameterDescription>& table = alternative.parameters;
        if (!table.empty()) {
            Schema in_order = Schema::array();
            for (const ParameterDescription& row : table) {
                in_order.push_back(value_schema(row));
            }
            Schema first = in_order.front();
            forms.push_back(
                {{"type", "array"}, {"items", std::move(in_order)}, {"additionalItems", false}}
            );
            forms.push_back(
                {{"type", {"string", "number", "boolean", "array"}}, {"allOf", {std::move(first)}}}
            );
        }
        return any_of(std::move(forms));
    }

    Schema parameters_of(const Alternative& alternative) {
        Schema properties = Schema::object();
        for (const ParameterDescription& row : alternative.parameters) {
            properties[row.name] = documented(value_schema(row), row);
        }
        return properties;
    }

    /// Keys of which no row says what they look like.
    using Maker = Schema (SchemaWriter::*)(const ParameterDescription&);
    static const std::map<std::string, Maker>& own_schemas() {
        static const std::map<std::string, Maker> makers{
            {"include", &SchemaWriter::names},
            {"inputs", &SchemaWriter::inputs},
            {"system.slurm", &SchemaWriter::site},
            {"system.outages", &SchemaWriter::outages},
            {"workload", &SchemaWriter::workload},
            {"policy", &SchemaWriter::policy},
            {"horizon.jobs", &SchemaWriter::count},
            {"horizon.queue_limit", &SchemaWriter::count},
            {"replications", &SchemaWriter::replications},
            {"probes", &SchemaWriter::probes},
            {"certificate", &SchemaWriter::certificate},
            {"certificate.where", &SchemaWriter::texts},
            {"factors", &SchemaWriter::factors},
            {"derived", &SchemaWriter::texts},
            {"overrides", &SchemaWriter::overrides},
            {"claims.quantities", &SchemaWriter::texts},
            {"claims.names", &SchemaWriter::texts_or_lists},
            {"claims.list", &SchemaWriter::claims},
            {"claims.list.in", &SchemaWriter::texts_or_lists},
            {"report.figures", &SchemaWriter::figures},
            {"report.figures.select", &SchemaWriter::texts_or_lists}};
        return makers;
    }

    Schema names(const ParameterDescription& /*row*/) { return one_or_list_of(scalar()); }
    Schema texts(const ParameterDescription& /*row*/) { return map_of(scalar()); }
    Schema texts_or_lists(const ParameterDescription& /*row*/) {
        return map_of(one_or_list_of(scalar()));
    }
    Schema inputs(const ParameterDescription& /*row*/) {
        return map_of({{"type", "string"}, {"pattern", "^[0-9a-fA-F]{64}$"}});
    }
    Schema policy(const ParameterDescription& /*row*/) {
        return choice_schema(registered_catalogues().policy_alternatives, "policy");
    }
    Schema probes(const ParameterDescription& /*row*/) {
        Schema named = choice_schema(engine::probe_alternatives(), "probe");
        Schema with_expression = closed(parameters_of(engine::own_probe("own")));
        with_expression["required"] = {"expression"};
        Schema own = map_of(any_of({{{"type", "string"}}, std::move(with_expression)}));
        own["maxProperties"] = 1;
        own["propertyNames"] = {
            {"not", words(names_of(engine::probe_alternatives(), &Alternative::name))}};
        return list_of(any_of({std::move(named), std::move(own)}));
    }
    Schema count(const ParameterDescription& row) {
        return any_of({number(row.range, "integer"), words({"auto", "all"})});
    }
    Schema outages(const ParameterDescription& /*row*/) {
        return any_of({words({"none"}), section_named(section("system.outages"), Missing::admitted)}
        );
    }
    Schema replications(const ParameterDescription& /*row*/) {
        const Section& fixed = section("replications");
        return any_of({value_schema(fixed.row("count")), section_named(fixed, Missing::admitted)});
    }
    Schema certificate(const ParameterDescription& /*row*/) {
        return one_or_list_of(section_named(section("certificate"), Missing::admitted));
    }
    Schema claims(const ParameterDescription& /*row*/) {
        return list_of(section_named(section("claims.list"), Missing::refused));
    }
    Schema figures(const ParameterDescription& /*row*/) {
        return list_of(section_named(section("report.figures"), Missing::refused));
    }
    Schema factors(const ParameterDescription& /*row*/) { return named("factors"); }

    Schema site(const ParameterDescription& /*row*/) {
        Schema site = parameters_of(registered_catalogues().find_policy("slurm")->alternative);
        return closed(
            {{"conf", site["conf"]},
             {"associations", site["associations"]},
             {"qos", site["qos"]},
             {"changes", site["changes"]},
             {"accept", site["accept"]}}
        );
    }

    Schema workload(const ParameterDescription& /*row*/) {
        std::vector<std::string> models;
        Schema by_model = Schema::array();
        for (const engine::WorkloadModelDescription& known : registered_catalogues().models) {
            const std::string& name = known.alternative.name;
            Schema properties{
                {"model", {{"const", name}, {"description", known.alternative.summary}}}};
            properties.update(parameters_of(known.alternative));
            by_model.push_back(
                {{"if", {{"required", {"model"}}, {"properties", {{"model", {{"const", name}}}}}}},
                 {"then", closed(std::move(properties))}}
            );
            models.push_back(name);
        }
        Schema of_any{{"model", words(models)}};
        for (const auto& [name, value] : keys_of_models()) {
            of_any[name] = defined("workload." + name, [&] { return value; });
        }
        Schema schema = closed(std::move(of_any));
        schema["type"] = {"object", "null"};
        schema["allOf"] = std::move(by_model);
        return schema;
    }

    /// By name: what it may be in some model.
    std::map<std::string, Schema> keys_of_models() {
        std::map<std::string, std::vector<Schema>> found;
        for (const engine::WorkloadModelDescription& known : registered_catalogues().models) {
            for (const ParameterDescription& row : known.alternative.parameters) {
                Schema value = value_schema(row);
                if (!contains(found[row.name], value)) {
                    found[row.name].push_back(std::move(value));
                }
            }
        }
        std::map<std::string, Schema> keys;
        for (auto& [name, schemas] : found) {
            keys[name] = any_of(std::move(schemas));
        }
        return keys;
    }

    Schema overrides(const ParameterDescription& /*row*/) {
        Schema when{{"type", "object"}, {"minProperties", 1}};
        return list_of(
            closed({{"when", std::move(when)}, {"set", named("values")}}, {"when", "set"})
        );
    }

    /// What a factor may vary and an override set: by path, a schema of its values.
    void add_path(const std::string& path, const Schema& value) {
        Schema levels = list_of(value);
        levels["minItems"] = 1;
        values_[path] = value;
        lists_[path] = levels;
        Schema with_labels =
            closed({{"levels", levels}, {"labels", list_of(scalar())}}, {"levels"});
        std::vector<Schema> forms{std::move(levels), std::move(with_labels), named("made levels")};
        const std::map<std::string, Schema> further{
            {"load.utilization", named("placed loads")},
            {"seed", section_named(section("factors.seed"), Missing::refused)}};
        if (const auto own = further.find(path); own != further.end()) {
            forms.push_back(own->second);
        }
        factors_[path] = any_of(std::move(forms));
    }

    void add_variable_paths() {
        for (const Section& described : sections()) {
            const bool is_top = is_top_level(described);
            const std::string top = described.name.substr(0, described.name.find('.'));
            if (!is_top && !contains(variable_keys(), top)) {
                continue;
            }
            for (const ParameterDescription& row : described.keys) {
                const std::string path = path_of(described, row);
                if (!is_top || contains(variable_keys(), row.name)) {
                    add_path(path, key_schema(described, row));
                }
            }
        }
        for (const auto& [name, value] : keys_of_models()) {
            add_path("workload." + name, defined("workload." + name, [&] { return value; }));
        }
        define_factors();
    }

    void define_factors() {
        const engine::Range whole{.low = 1, .high = 100000};
        const Schema real{{"type", "number"}};
        const Schema labels = list_of(scalar());
        const Schema lists{
            {"type", "object"},
            {"minProperties", 1},
            {"properties", lists_},
            {"additionalProperties", list_of(true)}};
        definitions_["zipped"] = closed({{"zip", lists}, {"labels", labels}}, {"zip"});
        const Schema linear = closed(
            {{"from", real}, {"to", real}, {"count", number(whole, "integer")}},
            {"from", "to", "count"}
        );
        definitions_["made levels"] =
            any_of({named("zipped"), closed({{"linear", linear}}, {"linear"})});
        const engine::Range fraction{.low = 0, .high = 10, .low_is_open = true};
        definitions_["placed loads"] = any_of(
            {closed({{"below_saturation", number(whole, "integer")}}, {"below_saturation"}),
             closed({{"of_saturation", list_of(number(fraction, "number"))}}, {"of_saturation"})}
        );
        const Schema any_levels = any_of(
            {list_of(true),
             closed({{"levels", list_of(true)}, {"labels", labels}}, {"levels"}),
             named("made levels"),
             named("placed loads")}
        );
        const std::string other_path = "^(" + joined(variable_keys(), "|") + ")\\.";
        definitions_["factors"] = {
            {"type", {"object", "null"}},
            {"properties", std::move(factors_)},
            {"patternProperties", {{other_path, any_levels}}},
            {"additionalProperties", named("zipped")}};
        definitions_["values"] = {
            {"type", "object"},
            {"minProperties", 1},
            {"properties", std::move(values_)},
            {"patternProperties", {{other_path, true}}},
            {"additionalProperties", false}};
    }

    Schema definitions_ = Schema::object();
    Schema factors_ = Schema::object();
    Schema lists_ = Schema::object();
    Schema values_ = Schema::object();
    std::map<const void*, std::string> names_;  ///< of alternatives
    std::set<std::string> taken_;
};

}  // namespace

std::string campaign_schema() {
    return SchemaWriter().write().dump() + "\n";
}

}  // namespace schedfarm::app
