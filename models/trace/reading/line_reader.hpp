// Turns the lines of a log into columns and notes what is odd. Lines come in pieces of text that
// end with '\n'. Errors and oddities come in the order of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/trace/job_batch.hpp"
#include "models/trace/log.hpp"
#include "models/trace/summary/job_examiner.hpp"

namespace schedfarm::models::trace {

class LineReader {
  public:
    /// `kept`: the columns to fill. A log of more jobs than `most_jobs` is refused.
    LineReader(std::string name, FieldSet kept, std::uint64_t most_jobs);

    /// REQUIRES: `lines` is empty or ends with '\n'. Throws LogError at the first line that is
    /// neither a job nor a comment nor blank.
    void add(std::string_view lines);

    /// The log, with its oddities; the object is spent.
    Log finish();

  private:
    void add_line(std::string_view line);
    void expect_no_other_format(std::string_view line) const;
    void expect_fields();
    void part_columns();
    double real(std::string_view token, Field field);
    std::int64_t integer(std::string_view token, Field field);
    double unusual_number(std::string_view token, Field field);
    void examine_header();
    void add_comment(std::string_view comment);
    void flush();
    [[noreturn]] void fail(std::uint64_t line, const std::string& text) const;

    Log log_;
    OddityCounter oddities_;
    JobExaminer examiner_;
    std::unique_ptr<JobBatch> batch_;
    FieldSet kept_;
    std::uint64_t most_jobs_;
    std::uint64_t line_ = 0;                ///< the one being read, from 1
    std::size_t fields_ = 0;                ///< of a job; 0: none has been read
    std::vector<std::string_view> tokens_;  ///< of the line being read
};

}  // namespace schedfarm::models::trace
