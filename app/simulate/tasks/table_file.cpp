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

TableFile::TableFile(
    std::string file, const std::string& content, std::string what, std::string header
)
    : file_(std::move(file))
    , what_(std::move(what))
    , header_(std::move(header))
    , records_(read_csv(file_, content)) {
    if (records_.empty()) {
        throw_problem(
            {file_, 1, 1},
            "there is no header (the file is empty)",
            fmt::format("Write {} as the first line?", header_)
        );
    }
}

void TableFile::expect_columns(const std::vector<std::string>& names) const {
    const std::string suggestion = fmt::format("Write {} as the first line?", header_);
    for (std::size_t c = 0; c < std::min(header().fields.size(), names.size()); ++c) {
        if (header().fields[c] != names[c]) {
            refuse(
                header(),
                c,
                fmt::format(
                    "column {} is called {}, not '{}' (columns have fixed names and places)",
                    c + 1,
                    shown_field(header().fields[c]),
                    names[c]
                ),
                suggestion
            );
        }
    }
    for (const CsvRecord& record : records_) {
        if (record.fields.size() != names.size()) {
            throw_problem(
                {file_, record.line, 1},
                fmt::format(
                    "{} fields, not {} (every {} needs them all)",
                    record.fields.size(),
                    names.size(),
                    what_
                ),
                suggestion
            );
        }
    }
    if (records_.size() == 1) {
        throw_problem(
            {file_, header().line, 1},
            fmt::format("no {} follows the header (the table is empty)", what_),
            fmt::format("A line per {}?", what_)
        );
    }
}

const std::string& TableFile::name_in(const CsvRecord& record) {
    const std::string& name = record.fields[0];
    if (name.empty() || !names_.insert(name).second) {
        const std::string reason =
            name.empty()
                ? fmt::format("the {} has no name (messages could not name it)", what_)
                : fmt::format("a second {} {} (names tell them apart)", what_, shown_field(name));
        refuse(record, 0, reason, "Another name?");
    }
    return name;
}

double TableFile::number_in(const CsvRecord& record, std::size_t column) const {
    const std::string& name = header().fields[column];
    const auto value = parse_real(record.fields[column]);
    if (!value) {
        refuse(
            record,
            column,
            fmt::format(
                "{} is no finite number ({} must be one)", shown_field(record.fields[column]), name
            ),
            "A decimal number such as 2.5?"
        );
    }
    if (std::abs(*value) > largest_number) {
        refuse(
            record,
            column,
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

void TableFile::refuse(
    const CsvRecord& record,
    std::size_t column,
    const std::string& reason,
    const std::string& suggestion
) const {
    throw_problem({file_, record.line, record.columns[column]}, reason, suggestion);
}

}  // namespace schedfarm::app
