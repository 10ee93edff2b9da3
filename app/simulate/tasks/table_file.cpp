#include "app/simulate/tasks/table_file.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "app/config/yaml/numbers.hpp"

namespace schedfarm::app {

namespace {

constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 28;
constexpr std::size_t longest_shown = 40;
constexpr double largest_number = 1e100;  // sums of products of two stay finite

}  // namespace

std::string table_text(const std::string& file) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (!fs::exists(file, error)) {
        throw_problem({.file = file}, engine::absence_text(file), "Another name?");
    }
    if (!fs::is_regular_file(file, error)) {
        throw_problem({.file = file}, "this is not a regular file", "A CSV file?");
    }
    if (fs::file_size(file, error) > largest_file) {
        throw_problem({.file = file}, "the file is larger than 256 MiB", "Fewer lines?");
    }
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream) {
        throw_problem(
            {.file = file}, "the file cannot be read", "Is it empty, or reading not allowed?"
        );
    }
    return text.str();
}

std::string shown_field(const std::string& field) {
    return field.size() <= longest_shown ? "'" + field + "'"
                                         : "'" + field.substr(0, longest_shown) + "...'";
}

SourcePosition position_of(const std::string& file, const CsvRecord& record, std::size_t column) {
    return {file, record.line, record.columns[column]};
}

void expect_columns(
    const std::string& file,
    const CsvRecord& header,
    std::span<const std::string> names,
    const std::string& suggestion
) {
    for (std::size_t c = 0; c < header.fields.size() && c < names.size(); ++c) {
        if (header.fields[c] != names[c]) {
            throw_problem(
                position_of(file, header, c),
                fmt::format(
                    "column {} is called {}, not '{}' (columns have fixed names and places)",
                    c + 1,
                    shown_field(header.fields[c]),
                    names[c]
                ),
                suggestion
            );
        }
    }
}

double number_in(
    const std::string& file, const CsvRecord& record, std::size_t column, const std::string& name
) {
    const auto value = parse_real(record.fields[column]);
    if (!value) {
        throw_problem(
            position_of(file, record, column),
            fmt::format(
                "{} is no finite number ({} must be one)", shown_field(record.fields[column]), name
            ),
            "A decimal number such as 2.5?"
        );
    }
    if (std::abs(*value) > largest_number) {
        throw_problem(
            position_of(file, record, column),
            fmt::format(
                "{} is too large ({} is at most {:g})",
                shown_field(record.fields[column]),
                name,
                largest_number
            ),
            "A larger unit?"
        );
    }
    return *value;
}

}  // namespace schedfarm::app
