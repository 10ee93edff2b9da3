#include "models/task_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "engine/foundation/hash.hpp"
#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/number.hpp"

namespace schedfarm::models {

namespace {

namespace fs = std::filesystem;
using trace::LogError;

constexpr std::size_t first_time = 2;  // the columns before: task, weight
constexpr const char* header_suggestion = "Write task,weight,p1,p2,... as the first line.";

std::string text_of(const std::string& file, const engine::NamingFolders& folders) {
    const fs::path current = folders.current;
    std::error_code error;
    fs::path place = current / file;
    if (!fs::exists(place, error) && !folders.campaign.empty()) {
        place = current / folders.campaign / file;
    }
    if (!fs::is_regular_file(place, error)) {
        const std::string reason =
            fs::exists(place, error) ? "this is not a regular file" : engine::absence_text(place);
        throw LogError(fmt::format("{}: {}. Check the name.", file, reason));
    }
    std::ifstream stream(place, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream) {
        throw LogError(
            file + ": the file cannot be read. Check that it is not empty and that you may read it."
        );
    }
    return text.str();
}

std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        fields.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    return fields;
}

void expect_header(const std::vector<std::string_view>& fields, const std::string& at) {
    for (std::size_t i = 0; i < std::max(fields.size(), first_time + 1); ++i) {
        const std::string wanted = i == 0   ? "task"
                                   : i == 1 ? "weight"
                                            : fmt::format("p{}", i - first_time + 1);
        if (i == fields.size() || fields[i] != wanted) {
            throw LogError(fmt::format(
                "{}: column {} is not '{}' (columns have fixed names and places). {}",
                at,
                i + 1,
                wanted,
                header_suggestion
            ));
        }
    }
}

/// At least 0, times above that.
double number_of(std::string_view field, std::size_t column, const std::string& at) {
    const std::optional<double> number = trace::parse_number(field);
    if (!number || *number < 0 || (*number == 0 && column >= first_time)) {
        throw LogError(fmt::format(
            "{}: '{}' in column {} is no {}. Write a decimal number such as 2.5.",
            at,
            engine::without_controls(engine::valid_utf8(field.substr(0, 40))),
            column + 1,
            column < first_time ? "weight (a number of at least 0)" : "time (a number above 0)"
        ));
    }
    return *number;
}

}  // namespace

TaskFile read_task_file(const std::string& file, const engine::NamingFolders& folders) {
    const std::string text = text_of(file, folders);
    TaskFile table;
    table.sha256 = engine::sha256_hex(text);
    std::size_t columns = 0;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        if (!line.empty() && line.back() == '\r') {
            line.pop_back();
        }
        if (line.empty() || line.front() == '#') {
            continue;
        }
        const std::string at = fmt::format("{}:{}", file, number);
        const std::vector<std::string_view> fields = fields_of(line);
        if (columns == 0) {
            expect_header(fields, at);
            columns = fields.size();
            continue;
        }
        if (fields.size() != columns) {
            throw LogError(fmt::format(
                "{}: {} fields, not {} (every task needs them all). {}",
                at,
                fields.size(),
                columns,
                header_suggestion
            ));
        }
        table.weights.push_back(number_of(fields[1], 1, at));
        std::vector<double>& times = table.times.emplace_back();
        for (std::size_t column = first_time; column < columns; ++column) {
            times.push_back(number_of(fields[column], column, at));
        }
    }
    if (table.times.empty()) {
        throw LogError(file + ": there is no task in it. Write a header and a line per task.");
    }
    return table;
}

}  // namespace schedfarm::models
