// Turns the lines of a log in SWF into columns and notes what is odd. Lines come in pieces of text
// that end with '\n'. Errors and oddities come in the order of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/trace/reading/log_builder.hpp"

namespace schedfarm::models::trace {

class LineReader final : public FormatReader {
  public:
    /// `fields`: what stands behind the 18 of the format, in order: requested_nodes, nodes, gpus,
    /// qos, descriptor ("frontier:excl:2500x112": nodes and cores of each); other names are passed
    /// over. None are needed where the header says that the log is Frontier's.
    LineReader(LogBuilder& log, std::vector<std::string> fields)
        : log_(log), names_(std::move(fields)) {}

    /// Throws LogError at the first line that is neither a job nor a comment nor blank.
    std::size_t add(std::string_view text, bool is_last) override;

  private:
    void add_lines(std::string_view lines);
    void add_line(std::string_view line);
    const char* add_usual_line(const char* text);
    void expect_no_other_format(std::string_view line) const;
    void expect_fields();
    void part_columns();
    double real(std::string_view token, Field field);
    std::int64_t integer(std::string_view token, Field field);
    void add_comment(std::string_view comment);
    void begin_further_fields();
    void add_further_fields();

    LogBuilder& log_;
    std::vector<std::string> names_;        ///< of the fields from the 19th on
    std::uint64_t line_ = 0;                ///< the one being read, from 1
    std::size_t fields_ = 0;                ///< of a job; 0: none has been read
    std::vector<std::string_view> tokens_;  ///< of the line being read
};

}  // namespace schedfarm::models::trace
