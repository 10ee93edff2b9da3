// Small logs as texts, and what reading them gives.
#pragma once

#include <array>
#include <string>

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/reader.hpp"

namespace schedfarm::models::trace::tests {

inline Log log_of(const std::string& text) {
    return read_log_text(text, "a.swf");
}

inline std::string error_of(const std::string& text) {
    try {
        log_of(text);
        return "";
    } catch (const LogError& error) {
        return error.what();
    }
}

/// "kind first_line count" of every oddity, in order, kinds by number.
inline std::string oddities_of(const std::string& text) {
    std::string result;
    for (const Oddity& oddity : log_of(text).oddities) {
        result += std::to_string(static_cast<int>(oddity.kind)) + " "
                  + std::to_string(oddity.first_line) + " " + std::to_string(oddity.count) + "; ";
    }
    return result;
}

inline std::string expected(OddityKind kind, int first_line, int count) {
    return std::to_string(static_cast<int>(kind)) + " " + std::to_string(first_line) + " "
           + std::to_string(count) + "; ";
}

/// A faultless job, and the same with one field replaced.
inline std::string line_of(
    int number, std::size_t replaced = field_count, const std::string& by = ""
) {
    std::string line;
    const std::array<int, field_count> values{
        number, number, 5, 60, 4, 50, -1, 4, 100, -1, 1, 2, 3, 4, 5, 6, -1, -1};
    for (std::size_t i = 0; i < field_count; ++i) {
        line += (i == replaced ? by : std::to_string(values[i])) + " ";
    }
    return line + "\n";
}

inline const std::string header = "; MaxProcs: 8\n";  // NOLINT(cert-err58-cpp)

}  // namespace schedfarm::models::trace::tests
