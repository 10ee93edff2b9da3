#include "tests/models/trace/plain_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace schedfarm::models::trace::tests {

namespace {

/// −1 for a fraction in an integer field.
std::optional<double> number(const std::string& token, Field field) {
    if (token.find_first_not_of("0123456789+-.eE") != std::string::npos || token[0] == '+') {
        return std::nullopt;  // strtod also reads 0x10, inf, nan
    }
    char* end = nullptr;
    errno = 0;
    const long long whole = std::strtoll(token.c_str(), &end, 10);
    if (is_name(field) && end == token.c_str() + token.size() && errno == 0) {
        return static_cast<double>(whole);
    }
    const double value = std::strtod(token.c_str(), &end);
    const bool underflows =
        value == 0 && token.find_first_of("123456789") < token.find_first_of("eE");
    if (end != token.c_str() + token.size() || std::abs(value) > 1e15 || underflows) {
        return std::nullopt;
    }
    if (!is_integer(field)) {
        return value;
    }
    if (!is_name(field) && std::abs(value) > 2147483647.0) {
        return std::nullopt;
    }
    return std::trunc(value) == value ? value : -1;
}

/// Two columns without a blank between them, where one field is missing.
void part(std::vector<std::string>& words) {
    static const std::regex pair("(-?[0-9]+)([0-9][.][0-9]+e[+-][0-9]+)");
    std::smatch match;
    std::vector<std::string> parted;
    std::size_t pairs = 0;
    for (const std::string& word : words) {
        if (std::regex_match(word, match, pair)) {
            parted.push_back(match[1]);
            parted.push_back(match[2]);
            ++pairs;
        } else {
            parted.push_back(word);
        }
    }
    words = pairs == 1 ? parted : words;
}

/// `fields`: of the jobs before; 0: there is none.
std::optional<std::array<double, field_count>> job(const std::string& line, std::size_t& fields) {
    std::istringstream in(line);
    in.imbue(std::locale::classic());
    std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
    if (words.size() + 1 == std::max(fields, field_count)) {
        part(words);
    }
    const bool are_as_many = fields == 0 ? words.size() >= field_count : words.size() == fields;
    if (!are_as_many) {
        return std::nullopt;
    }
    fields = words.size();
    std::array<double, field_count> result{};
    for (std::size_t i = 0; i < field_count; ++i) {
        const auto value = number(words[i], static_cast<Field>(i));
        if (!value) {
            return std::nullopt;
        }
        result[i] = *value;
    }
    return result;
}

}  // namespace

PlainLog plain_log(const std::string& text) {
    PlainLog result;
    std::istringstream lines(text);
    std::string line;
    std::size_t fields = 0;
    for (std::uint64_t number = 1; std::getline(lines, line); ++number) {
        const std::size_t begin = line.find_first_not_of(" \t\r\v\f");
        if (begin == std::string::npos || line[begin] == ';') {
            continue;
        }
        const auto values = job(line, fields);
        if (!values) {
            result.wrong_line = number;
            break;
        }
        result.jobs.push_back(*values);
        result.lines.push_back(number);
    }
    return result;
}

std::string difference(const Log& log, const PlainLog& plain) {
    if (plain.wrong_line != 0) {
        return fmt::format("line {} is wrong", plain.wrong_line);
    }
    if (log.jobs() != plain.jobs.size()) {
        return fmt::format("{} jobs, not {}", log.jobs(), plain.jobs.size());
    }
    std::string found;
    for_each_column(log, [&](Field field, const auto& column) {
        for (std::size_t i = 0; i < plain.jobs.size() && found.empty(); ++i) {
            const double expected = plain.jobs[i][static_cast<std::size_t>(field)];
            if (static_cast<double>(column[i]) != expected) {
                found = fmt::format("job {}: {} {}, not {}", i, name(field), column[i], expected);
            }
        }
    });
    return found;
}

}  // namespace schedfarm::models::trace::tests
