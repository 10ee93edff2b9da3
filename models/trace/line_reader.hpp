// Turns the lines of a log into columns and notes what is odd. Lines come in pieces of text that
// end with '\n'. A line is read with two bit masks of its blanks, so that the cost, about 6 ns per
// number, does not depend on how the numbers are spaced; tests compare with a plain reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "models/trace/job_batch.hpp"
#include "models/trace/log.hpp"

namespace schedfarm::models::trace {

class LineReader {
  public:
    /// Characters that must be readable behind a piece of text.
    static constexpr std::size_t padding = 136;

    /// `text_size`: characters in all, for the memory to take; 0: not known.
    explicit LineReader(std::string name, std::uint64_t text_size = 0);

    /// REQUIRES: `lines` is empty or ends with '\n', and `padding` characters behind it are
    /// readable. Throws LogError at the first line that is neither a job nor a comment nor blank.
    void add(std::string_view lines);

    /// The log, with its oddities; the object is spent.
    Log finish();

  private:
    void add_line(std::string_view line);
    bool add_usual_job(std::string_view line);
    void add_any_job(std::string_view line);
    double unusual_number(std::string_view token, Field field);
    void add_comment(std::string_view comment);
    void end_row();
    void flush();
    void expect_jobs();
    void note_oddities(const JobBatch& batch);
    [[noreturn]] void fail(const std::string& text) const;

    Log log_;
    OddityCounter oddities_;
    std::unique_ptr<JobBatch> batch_;
    std::uint64_t text_size_;
    std::uint64_t text_read_ = 0;
    std::uint64_t line_ = 0;  ///< the one being read, from 1
    double machine_ = 0;      ///< processors; infinite while unknown
    double last_submit_ = 0;
    double last_number_ = 0;
};

}  // namespace schedfarm::models::trace
