#include <algorithm>
#include <compare>
#include <set>

#include <fmt/format.h>

#include "results_schema/checks/validation.hpp"
#include "results_schema/job_logs.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/typed_columns.hpp"

namespace schedfarm::results_schema {

namespace {

using Problems = std::vector<std::string>;

void check_attributes(const ResultFile& results, Problems& problems) {
    std::set<std::string> seen;
    for (const Attribute& attribute : results.attributes) {
        const AttributeSchema* schema = find_attribute_schema(attribute.name);
        if (!seen.insert(attribute.name).second) {
            problems.push_back(fmt::format("attribute '{}' is there twice", attribute.name));
        } else if (schema == nullptr) {
            problems.push_back(fmt::format("attribute '{}' is not in the schema", attribute.name));
        } else if (type_of(attribute.value) != schema->type) {
            problems.push_back(fmt::format(
                "attribute '{}' is {}, not {}",
                attribute.name,
                type_word(type_of(attribute.value)),
                type_word(schema->type)
            ));
        }
    }
    for (const AttributeSchema& schema : schema_attributes()) {
        if (schema.presence == Presence::required && schema.origin == Origin::caller
            && !seen.contains(schema.name)) {
            problems.push_back(fmt::format("attribute '{}' is missing", schema.name));
        }
    }
}

void check_words(
    const Table& table, const Column& column, const ColumnSchema& schema, Problems& problems
) {
    if (schema.words.empty()) {
        return;
    }
    const auto& values = std::get<Texts>(column.data);
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (std::find(schema.words.begin(), schema.words.end(), values[row])
            == schema.words.end()) {
            problems.push_back(fmt::format(
                "{}.{} row {}: '{}' is none of its words", table.name, column.name, row, values[row]
            ));
            return;
        }
    }
}

void check_column(
    const Table& table, const Column& column, const ColumnSchema& schema, Problems& problems
) {
    const std::size_t before = problems.size();
    const auto expect = [&](bool holds, std::string_view what, std::string_view wanted) {
        if (!holds) {
            problems.push_back(
                fmt::format("{}.{}: {} is not '{}'", table.name, schema.name, what, wanted)
            );
        }
    };
    expect(column.name == schema.name, "column '" + column.name + "'", schema.name);
    if (problems.size() > before) {
        return;
    }
    expect(
        type_of(column.data) == schema.type,
        fmt::format("type '{}'", type_word(type_of(column.data))),
        type_word(schema.type)
    );
    expect(column.unit == schema.unit, "unit '" + column.unit + "'", schema.unit);
    expect(column.meaning == schema.meaning, "meaning '" + column.meaning + "'", schema.meaning);
    expect(column.hashed == schema.hashed, "payload mark", schema.hashed ? "yes" : "no");
    if (problems.size() == before) {
        check_words(table, column, schema, problems);
    }
}

void check_extra_column(
    const Table& table, const Column& column, ExtraColumns allowed, Problems& problems
) {
    const std::string name = table.name + "." + column.name;
    if (allowed == ExtraColumns::none) {
        problems.push_back(fmt::format("{}: the column is not in the schema", name));
        return;
    }
    if (type_of(column.data) != ColumnType::real || !column.hashed) {
        problems.push_back(
            fmt::format("{}: an observation must be float64 and in the payload", name)
        );
    }
    if (column.name.empty() || column.unit.empty() || column.meaning.empty()) {
        problems.push_back(fmt::format("{}: an observation needs name, unit and meaning", name));
    }
}

void check_shape(const Table& table, Problems& problems) {
    std::set<std::string> names;
    for (const Column& column : table.columns) {
        if (!names.insert(column.name).second) {
            problems.push_back(
                fmt::format("{}: column '{}' is there twice", table.name, column.name)
            );
        }
        if (column.size() != table.rows()) {
            problems.push_back(fmt::format(
                "{}: column '{}' has {} rows, '{}' has {}",
                table.name,
                column.name,
                column.size(),
                table.columns.front().name,
                table.rows()
            ));
        }
    }
}

/// Of neighbouring rows, by the columns of a key, which are as long as the table.
std::strong_ordering compare_rows(const std::vector<const Counts*>& key, std::size_t row) {
    for (const Counts* values : key) {
        if ((*values)[row] != (*values)[row + 1]) {
            return (*values)[row] <=> (*values)[row + 1];
        }
    }
    return std::strong_ordering::equal;
}

void check_order(const Table& table, const TableSchema& schema, Problems& problems) {
    if (schema.order == RowOrder::any) {
        return;
    }
    std::vector<const Counts*> key;
    for (const std::string& name : schema.key) {
        key.push_back(&column_of<Counts>(table, name));
    }
    const std::size_t rows = table.rows();
    for (std::size_t row = 0; row + 1 < rows; ++row) {
        const auto order = compare_rows(key, row);
        if (std::is_gt(order)
            || (std::is_eq(order) && schema.order == RowOrder::strictly_increasing)) {
            problems.push_back(fmt::format(
                "{}: rows {} and {} are {}",
                table.name,
                row,
                row + 1,
                std::is_gt(order) ? "in the wrong order" : "of the same key"
            ));
            return;
        }
    }
}

void check_table(const Table& table, const TableSchema& schema, Problems& problems) {
    const std::size_t before = problems.size();
    check_shape(table, problems);
    for (std::size_t i = 0; i < std::max(table.columns.size(), schema.columns.size()); ++i) {
        if (i >= table.columns.size()) {
            problems.push_back(
                fmt::format("{}: column '{}' is missing", table.name, schema.columns[i].name)
            );
        } else if (i >= schema.columns.size()) {
            check_extra_column(table, table.columns[i], schema.extra, problems);
        } else {
            check_column(table, table.columns[i], schema.columns[i], problems);
        }
    }
    if (problems.size() == before) {
        check_order(table, schema, problems);
    }
}

void check_cell_numbers(const Table& cells, Problems& problems) {
    const auto& numbers = column_of<Counts>(cells, "cell");
    for (std::size_t row = 0; row < numbers.size(); ++row) {
        if (numbers[row] != row) {
            problems.push_back(
                fmt::format("cells row {}: is cell {}, not cell {}", row, numbers[row], row)
            );
            return;
        }
    }
}

/// Every column that names a cell names one that exists.
void check_cells_exist(const Table& table, std::size_t cells, Problems& problems) {
    for (const char* name : {"cell", "first_cell", "second_cell"}) {
        const Column* const column = table.find(name);
        if (column == nullptr || std::holds_alternative<Integers>(column->data)) {
            continue;  // of what may be about no cell
        }
        const auto& numbers = column_of<Counts>(table, name);
        for (std::size_t row = 0; row < numbers.size(); ++row) {
            if (numbers[row] >= cells) {
                problems.push_back(fmt::format(
                    "{} row {}: cell {} is not in 'cells'", table.name, row, numbers[row]
                ));
                break;
            }
        }
    }
}

}  // namespace

std::vector<std::string> structural_problems(const ResultFile& results) {
    Problems problems;
    check_attributes(results, problems);
    const Problems in_tables = table_problems(results, schema_tables());
    problems.insert(problems.end(), in_tables.begin(), in_tables.end());
    return problems;
}

std::vector<std::string> table_problems(
    const ResultFile& results, const std::vector<TableSchema>& tables
) {
    Problems problems;
    std::set<std::string> seen;
    for (const Table& table : results.tables) {
        const auto schema = std::find_if(tables.begin(), tables.end(), [&](const TableSchema& t) {
            return t.name == table.name;
        });
        if (!seen.insert(table.name).second) {
            problems.push_back(fmt::format("table '{}' is there twice", table.name));
        } else if (schema == tables.end()) {
            problems.push_back(fmt::format("table '{}' is not in the schema", table.name));
        } else {
            check_table(table, *schema, problems);
        }
    }
    for (const TableSchema& schema : tables) {
        if (schema.presence == Presence::required && !seen.contains(schema.name)) {
            problems.push_back(fmt::format("table '{}' is missing", schema.name));
        }
    }
    return problems;
}

std::vector<std::string> missing_parts(const ResultFile& results) {
    Problems problems;
    for (const TableSchema& schema : schema_tables()) {
        const Table* table = results.find(schema.name);
        if (table == nullptr) {
            if (schema.presence == Presence::required) {
                problems.push_back(fmt::format("table '{}' is missing", schema.name));
            }
            continue;
        }
        for (const ColumnSchema& column : schema.columns) {
            const Column* found = table->find(column.name);
            if (found == nullptr || type_of(found->data) != column.type) {
                problems.push_back(fmt::format(
                    "{}: there is no column '{}' of type {}",
                    schema.name,
                    column.name,
                    type_word(column.type)
                ));
            }
        }
    }
    return problems;
}

std::vector<std::string> unknown_cells(const ResultFile& results) {
    Problems problems;
    const Table& cells = *results.find("cells");
    check_cell_numbers(cells, problems);
    for (const Table& table : results.tables) {
        check_cells_exist(table, cells.rows(), problems);
    }
    return problems;
}

std::vector<std::string> structural_problems(const StoredJobLog& log) {
    std::vector<TableSchema> schema = job_log_schema();  // under their names in the file
    for (TableSchema& table : schema) {
        table.name += fmt::format("/{}/{}", log.id.cell, log.id.replication);
    }
    ResultFile file;
    file.tables = {log.jobs, log.processors, log.pieces};
    return table_problems(file, schema);
}

}  // namespace schedfarm::results_schema
