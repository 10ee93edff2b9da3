// The batch systems whose accounting files are read: how a record of each begins, and what it says
// of a job. PBS Pro, OpenPBS and Torque (server_priv/accounting), Grid Engine (accounting of SGE
// and UGE), LSF (lsb.acct), and Slurm's jobcomp/filetxt. Fields are called as in the vendors'
// manuals. Every line that is no job is counted: of another record, a step, a comment, torn, not
// readable. A line in which no record begins goes on with the one above: texts may hold line
// breaks.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "models/trace/tables/table_jobs.hpp"

namespace schedfarm::models::trace {

enum class RecordKind : std::uint8_t {
    job,    ///< a run of a job, or one that ended without having been started
    step,   ///< a part of a job that has a record of its own
    other,  ///< something else: a job was queued, a licence counted, an array is over
    torn,   ///< with too few fields
};

/// The row that a record fills, within the ranges of its quantities. The first field that cannot be
/// read is the problem; the row is of no use then.
class RecordFields {
  public:
    explicit RecordFields(TableRow& filled) : row(filled) {}

    /// Up to 2^31 - 1.
    double count(std::string_view name, std::string_view text);
    /// Seconds of the Unix clock, or local time; 0 says nothing.
    CellTime time(std::string_view name, std::string_view text, double unit_s = 1);
    /// In s; one that is unlimited is so in the row.
    double limit(std::string_view name, std::string_view text, double unit_s = 1);
    /// "2gb" of PBS, "2G" and "2g", which is 10^9, of Grid Engine; alone it is bytes.
    Memory memory(std::string_view name, std::string_view text, Memory::Per per);
    /// Processors of hosts, of which there is one at least.
    void set_hosts(const std::set<std::string_view>& hosts, double processors);
    /// "7" or, of an array, "7_3"; a task 0 is none.
    void set_job(std::string_view number, std::string_view task);
    /// A text of its own, which lives as long as the record.
    std::string_view kept(std::string text) { return kept_.emplace_back(std::move(text)); }
    void fail(std::string_view name, std::string_view text);
    const std::string& problem() const { return problem_; }

    TableRow& row;

  private:
    std::deque<std::string> kept_;
    std::string problem_;
};

struct BatchSystem {
    std::string_view name;
    std::string_view way_out;  ///< where no record of a file can be read
    bool (*begins_record)(std::string_view line);
    RecordKind (*read)(std::string_view record, RecordFields& fields);
    /// The record lacks fields, so that the next line is of it. Null: only quotes hold lines.
    bool (*is_incomplete)(std::string_view record) = nullptr;
};

extern const BatchSystem pbs_system;
extern const BatchSystem grid_engine_system;
extern const BatchSystem lsf_system;
extern const BatchSystem jobcomp_system;

/// In the order of LogFormat, from pbs on.
inline constexpr std::array<const BatchSystem*, 4> batch_systems{
    &pbs_system, &grid_engine_system, &lsf_system, &jobcomp_system};

/// The part before the separator, which the text loses with it; all of it where there is none.
inline std::string_view taken_until(std::string_view& text, char separator) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(part.size() < text.size() ? part.size() + 1 : text.size());
    return part;
}

/// Reads one record after another. A run that was ended to run again is a job of its own, and the
/// next run is submitted when it ended.
class RecordReader final : public FormatReader {
  public:
    /// `zone`: of local times; empty: UTC.
    RecordReader(LogBuilder& log, const BatchSystem& system, const std::string& zone)
        : log_(log), jobs_(log, zone), system_(system) {}

    std::size_t add(std::string_view text, bool is_last) override;
    void finish() override;

  private:
    std::string_view whole_line(std::string_view end);
    void add_line(std::string_view line);
    bool may_go_on() const {
        return is_quoted_ || (system_.is_incomplete != nullptr && system_.is_incomplete(record_));
    }
    void end_record(bool is_torn);
    void add_job(TableRow& row);
    void leave_out(OddityKind kind, std::uint64_t line, const std::string& problem);

    LogBuilder& log_;
    TableJobs jobs_;
    const BatchSystem& system_;
    std::uint64_t line_ = 0;                               ///< of the file, from 1
    std::uint64_t first_line_ = 0;                         ///< of the record
    std::string long_line_;                                ///< what has come of a long line
    std::string record_;                                   ///< as far as it has come; empty: none
    bool is_quoted_ = false;                               ///< it is within a text in quotes
    std::map<std::string, double, std::less<>> requeued_;  ///< ends of runs by job
    std::string first_problem_;  ///< of the first record that was left out, with its place
};

}  // namespace schedfarm::models::trace
