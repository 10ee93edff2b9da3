// A log as its reader fills it: row by row into a batch, batch by batch into columns, with what is
// odd in them. Whatever the format, the columns, the header and their oddities are made here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "models/trace/job_batch.hpp"
#include "models/trace/log.hpp"
#include "models/trace/summary/job_examiner.hpp"

namespace schedfarm::models::trace {

/// A header's start before this says no more than that something had to be said; a time after it
/// counts from 1970.
inline constexpr std::int64_t ten_years_s = 315'360'000;

/// Fills a log from a text of one format, which comes in pieces.
class FormatReader {
  public:
    FormatReader() = default;
    FormatReader(const FormatReader&) = delete;
    FormatReader& operator=(const FormatReader&) = delete;
    virtual ~FormatReader() = default;

    /// Reads what is complete of the text, and returns how much that is. The last line may lack its
    /// end.
    virtual std::size_t add(std::string_view text, bool is_last) = 0;
    virtual void finish() {}
};

class LogBuilder {
  public:
    /// `kept`: the columns to fill. A log of more jobs than `most_jobs` is refused.
    LogBuilder(std::string name, FieldSet kept, std::uint64_t most_jobs);

    Header& header() { return log_.header; }
    OddityCounter& oddities() { return oddities_; }
    const std::string& name() const { return log_.name; }
    bool keeps(Field field) const { return kept_.has(field); }
    std::uint64_t jobs() const { return log_.jobs() + batch_->count; }

    /// The batch; its row `count` is the one being filled, in all columns of SWF.
    JobBatch& batch() { return *batch_; }
    /// That row is complete. `line`: of the file, from 1.
    void end_row(std::uint64_t line) {
        batch_->line[batch_->count] = line;
        if (++batch_->count == JobBatch::capacity) {
            flush();
        }
    }
    /// From now on rows are filled in all columns, not in those of SWF alone, and say nothing in
    /// those that are not set.
    void fill_all_columns() {
        fills_all_ = true;
        batch_->set_all_unknown();
    }

    /// So much of the file has been read, as far as is known: with its jobs it tells how many will
    /// come, for which memory is taken once.
    void expect_by(double share);
    std::size_t expected_jobs() const { return expected_jobs_; }

    /// The columns filled so far, for a reader that changes them at its end.
    Log& flushed();
    /// Times were seconds of the Unix clock until now; from now on they are those since `base`, and
    /// the header says so.
    void count_times_from(double base, const std::string& zone);
    /// The log, with the oddities of its header too; the object is spent.
    Log finish();

    [[noreturn]] void fail(std::uint64_t line, const std::string& text) const;

  private:
    void flush();
    void examine_header();

    Log log_;
    OddityCounter oddities_;
    JobExaminer examiner_;
    std::unique_ptr<JobBatch> batch_;
    FieldSet kept_;
    std::uint64_t most_jobs_;
    std::size_t expected_jobs_ = 0;  ///< 0: not known
    bool fills_all_ = false;
    bool had_unix_times_ = false;
};

}  // namespace schedfarm::models::trace
