// The schema as SCHEMA.md writes it down: one row of a Markdown table for each attribute and
// column.
#include "results_schema/schema.hpp"

#include "engine/foundation/expect.hpp"

#include "results_schema/job_logs.hpp"

namespace schedfarm::results_schema {

namespace {

using Fields = std::vector<std::string>;

struct Schema {
    std::vector<AttributeSchema> attributes;
    std::vector<TableSchema> tables;
    std::vector<TableSchema> job_log;
};

/// "| a |  | c |" → {"a", "", "c"}
Fields fields_of(std::string_view row) {
    SCHEDFARM_EXPECT(row.ends_with(" |"), "a row ends: " + std::string(row));
    row = row.substr(2, row.size() - 4);
    Fields fields;
    for (std::size_t at = 0; at != std::string_view::npos;) {
        const std::size_t end = row.find(" | ", at);
        fields.emplace_back(row.substr(at, end - at));
        at = end == std::string_view::npos ? end : end + 3;
    }
    return fields;
}

/// "by `cell`, `metric`" → {"cell", "metric"}
std::vector<std::string> in_backticks(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t at = text.find('`'); at != std::string_view::npos;) {
        const std::size_t end = text.find('`', at + 1);
        SCHEDFARM_EXPECT(end != std::string_view::npos, "backticks in pairs: " + std::string(text));
        words.emplace_back(text.substr(at + 1, end - at - 1));
        at = text.find('`', end + 1);
    }
    return words;
}

std::string only_in_backticks(std::string_view text) {
    const std::vector<std::string> words = in_backticks(text);
    return words.empty() ? "" : words.front();
}

ColumnType type_called(std::string_view word) {
    for (const ColumnType type : {ColumnType::integer, ColumnType::count, ColumnType::real}) {
        if (type_word(type) == word) {
            return type;
        }
    }
    SCHEDFARM_EXPECT(word == type_word(ColumnType::text), "a type: " + std::string(word));
    return ColumnType::text;
}

/// name | type | present | meaning | example
AttributeSchema attribute_in(const Fields& fields) {
    SCHEDFARM_EXPECT(fields.size() == 5, "an attribute has five fields: " + fields.front());
    return {
        only_in_backticks(fields[0]),
        type_called(fields[1]),
        fields[2] == "optional" ? Presence::optional : Presence::required,
        fields[2] == "by the writer" ? Origin::writer : Origin::caller,
        fields[3],
        only_in_backticks(fields[4])};
}

/// name | type | unit | payload | meaning[; one of `word`, `word`] | example
ColumnSchema column_in(const Fields& fields) {
    SCHEDFARM_EXPECT(fields.size() == 6, "a column has six fields: " + fields.front());
    const std::string& meaning = fields[4];
    const std::size_t words = std::min(meaning.rfind("; one of `"), meaning.size());
    return {
        only_in_backticks(fields[0]),
        type_called(fields[1]),
        fields[2],
        meaning.substr(0, words),
        fields[3] == "yes",
        only_in_backticks(fields[5]),
        in_backticks(meaning.substr(words))};
}

/// "Optional: <meaning>. Rows by `cell`, each at most once."
void describe(TableSchema& table, std::string_view sentence) {
    const std::size_t meaning = sentence.find(": ") + 2;
    const std::size_t order = sentence.rfind(". Rows ");
    SCHEDFARM_EXPECT(order != std::string_view::npos, "an order of rows: " + table.name);
    table.meaning = sentence.substr(meaning, order - meaning);
    table.presence = sentence.starts_with("Optional") ? Presence::optional : Presence::required;
    table.key = in_backticks(sentence.substr(order));
    table.order = table.key.empty()                     ? RowOrder::any
                  : sentence.ends_with("at most once.") ? RowOrder::strictly_increasing
                                                        : RowOrder::non_decreasing;
}

/// "### `/cells`"; "### `/jobs/<cell>/<replication>`" is a table of job logs.
TableSchema& begin_table(std::string_view heading, Schema& schema) {
    const std::string path = only_in_backticks(heading);
    const std::size_t end = path.find("/<");
    std::vector<TableSchema>& tables = end == std::string::npos ? schema.tables : schema.job_log;
    tables.emplace_back().name = path.substr(1, end - 1);
    return tables.back();
}

Schema read_schema(std::string_view page) {
    Schema schema;
    TableSchema* table = nullptr;
    for (std::size_t at = 0; at < page.size();) {
        const std::size_t end = std::min(page.find('\n', at), page.size());
        const std::string_view line = page.substr(at, end - at);
        at = end + 1;
        if (line.starts_with("### `/")) {
            table = &begin_table(line, schema);
        } else if (table == nullptr && line.starts_with("| `")) {
            schema.attributes.push_back(attribute_in(fields_of(line)));
        } else if (line.starts_with("| `")) {
            table->columns.push_back(column_in(fields_of(line)));
        } else if (line.starts_with("| *observation*")) {
            table->extra = ExtraColumns::observations;
        } else if (line.starts_with("Always present: ") || line.starts_with("Optional: ")) {
            describe(*table, line);
        } else {  // headings
            SCHEDFARM_EXPECT(
                line.empty() || line.starts_with("### Root") || line.starts_with("|---")
                    || line.starts_with("| attribute |") || line.starts_with("| column |"),
                "a line of the schema: " + std::string(line)
            );
        }
    }
    return schema;
}

const Schema& schema() {
    static const Schema read = read_schema(schema_page());
    return read;
}

}  // namespace

const std::vector<AttributeSchema>& schema_attributes() {
    return schema().attributes;
}

const std::vector<TableSchema>& schema_tables() {
    return schema().tables;
}

const std::vector<TableSchema>& job_log_schema() {
    return schema().job_log;
}

const TableSchema* find_table_schema(std::string_view name) {
    const auto& tables = schema_tables();
    const auto found = std::find_if(tables.begin(), tables.end(), [&](const TableSchema& table) {
        return table.name == name;
    });
    if (found != tables.end()) {
        return &*found;
    }
    for (const TableSchema& schema : job_log_schema()) {
        if (name.starts_with(schema.name + "/")) {
            return &schema;
        }
    }
    return nullptr;
}

const AttributeSchema* find_attribute_schema(std::string_view name) {
    const auto& all = schema_attributes();
    const auto found = std::find_if(all.begin(), all.end(), [&](const AttributeSchema& attribute) {
        return attribute.name == name;
    });
    return found == all.end() ? nullptr : &*found;
}

ColumnData make_column_data(ColumnType type) {
    switch (type) {
        case ColumnType::integer:
            return std::vector<std::int64_t>();
        case ColumnType::count:
            return std::vector<std::uint64_t>();
        case ColumnType::real:
            return std::vector<double>();
        case ColumnType::text:
            break;
    }
    return Texts();
}

ColumnType type_of(const ColumnData& data) {
    // The order of the alternatives of ColumnData is that of ColumnType.
    return static_cast<ColumnType>(data.index());
}

ColumnType type_of(const std::variant<std::string, std::int64_t, double>& value) {
    if (std::holds_alternative<std::string>(value)) {
        return ColumnType::text;
    }
    return std::holds_alternative<double>(value) ? ColumnType::real : ColumnType::integer;
}

std::string_view type_word(ColumnType type) {
    switch (type) {
        case ColumnType::integer:
            return "int64";
        case ColumnType::count:
            return "uint64";
        case ColumnType::real:
            return "float64";
        case ColumnType::text:
            break;
    }
    return "text";
}

Table make_table(std::string_view name) {
    const TableSchema* schema = find_table_schema(name);
    SCHEDFARM_EXPECT(schema != nullptr, "the schema has no table '" + std::string(name) + "'");
    Table table{std::string(name), schema->meaning, {}};
    for (const ColumnSchema& column : schema->columns) {
        table.columns.push_back(
            {column.name, column.unit, column.meaning, column.hashed, make_column_data(column.type)}
        );
    }
    return table;
}

}  // namespace schedfarm::results_schema
