#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/number.hpp"

#include "app/report/schedule/job_exports.hpp"
#include "app/report/schedule/job_sources.hpp"

namespace schedfarm::app {

namespace {

using models::trace::LogError;

/// Of a table, in the order in which `simulate --jobs` and `gantt --format csv` write them; from
/// the sixth on they may lack.
enum class Column : std::uint8_t {
    job,
    submit,
    start,
    finish,
    processors,
    ranges,
    kind,
    user,
    home
};
constexpr std::size_t needed_columns = 5;
constexpr std::string_view own_header = "job,submit,start,finish,processors,ranges,kind,user,home";

/// As Batsim calls them in its jobs.csv, now and formerly, and Evalys, in any order.
constexpr std::array<std::pair<std::string_view, Column>, 9> columns_of_batsim{
    {{"job_id", Column::job},
     {"jobID", Column::job},
     {"submission_time", Column::submit},
     {"starting_time", Column::start},
     {"finish_time", Column::finish},
     {"requested_number_of_resources", Column::processors},
     {"requested_number_of_processors", Column::processors},
     {"allocated_resources", Column::ranges},
     {"allocated_processors", Column::ranges}}};

constexpr double most_users = 2147483647;
constexpr double most_clusters = 1e6;
constexpr double most_jobs = 9007199254740992;  // numbers of jobs are below 2^53

using Fields = std::vector<std::string_view>;

/// A field in quotes, such as Batsim's metadata, is kept with them.
Fields fields_of(std::string_view line) {
    Fields fields;
    for (std::size_t at = 0;;) {
        const bool is_quoted = line.substr(at).starts_with('"');
        const std::size_t from = is_quoted ? line.find("\",", at + 1) : at;
        const std::size_t end = std::min(line.find(',', from), line.size());
        fields.push_back(line.substr(at, end - at));
        if (end == line.size()) {
            return fields;
        }
        at = end + 1;
    }
}

std::string shown(std::string_view word) {
    constexpr std::size_t longest = 40;
    const std::string safe = engine::without_controls(engine::valid_utf8(word.substr(0, longest)));
    return word.size() <= longest ? safe : safe + "…";
}

std::uint64_t job_count_of(const std::vector<engine::ProcessorRange>& ranges) {
    std::uint64_t count = 0;
    for (const engine::ProcessorRange& range : ranges) {
        count += range.count;
    }
    return count;
}

class TableReader {
  public:
    TableReader(std::string name, std::optional<std::uint32_t> processors)
        : processors_(processors) {
        schedule_.name = std::move(name);
    }

    void add(std::string_view line) {
        ++line_;
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        if (line_ == 1) {
            read_header(line);
        } else if (!line.empty()) {
            read_segment(fields_of(line));
        }
    }

    JobSchedule finish() {
        if (schedule_.jobs.empty()) {
            throw LogError(
                schedule_.name
                + ": there is no job to draw (it has no line of a job). Simulate one?"
            );
        }
        complete(schedule_);
        check_size();
        if (has(Column::ranges)) {
            check_overlaps();
        } else {
            name_processors(schedule_);
        }
        if (never_started_ > 0) {
            schedule_.notes.push_back(
                fmt::format("left out: {}, never started", engine::counted(never_started_, "job"))
            );
        }
        if (has_unusable_numbers_) {
            number_by_row();
        }
        return std::move(schedule_);
    }

  private:
    [[noreturn]] void fail(const std::string& text) const {
        throw LogError(schedule_.name, line_, text);
    }

    bool has(Column column) const { return place_of(column).has_value(); }

    const std::optional<std::size_t>& place_of(Column column) const {
        return places_[static_cast<std::size_t>(column)];
    }

    /// Empty: the table has no such column.
    std::string_view cell(const Fields& fields, Column column) const {
        return has(column) ? fields[*place_of(column)] : std::string_view();
    }

    void read_header(std::string_view line) {
        const Fields names = fields_of(line);
        column_count_ = names.size();
        const bool is_own = column_count_ >= needed_columns && own_header.starts_with(line)
                            && (line == own_header || own_header[line.size()] == ',');
        if (is_own) {
            for (std::size_t i = 0; i < column_count_; ++i) {
                places_[i] = i;
            }
            return;
        }
        for (const auto& [name, column] : columns_of_batsim) {
            const auto found = std::find(names.begin(), names.end(), name);
            if (found != names.end()) {
                places_[static_cast<std::size_t>(column)] = found - names.begin();
            }
        }
        is_of_batsim_ =
            std::all_of(places_.begin(), places_.begin() + needed_columns, [](auto place) {
                return place.has_value();
            });
        if (!is_of_batsim_) {
            fail(fmt::format(
                "this is no table of jobs (it begins with '{}', not with "
                "'job,submit,start,finish,processors'). Was it written by simulate --jobs, or as "
                "jobs.csv by Batsim or Evalys?",
                shown(line)
            ));
        }
    }

    double number(std::string_view word, std::string_view column) const {
        const auto value = models::trace::parse_number(word);
        if (!value) {
            fail(fmt::format(
                "'{}' is no number (of column '{}'). Is a column missing?", shown(word), column
            ));
        }
        return *value;
    }

    double integer(std::string_view word, std::string_view column, double low, double high) const {
        const double value = number(word, column);
        if (!(value >= low && value <= high) || std::floor(value) != value) {
            fail(fmt::format(
                "'{}' cannot be in column '{}' (an integer from {} to {} is expected). Is it of "
                "another column?",
                shown(word),
                column,
                low,
                high
            ));
        }
        return value;
    }

    void read_segment(const Fields& fields) {
        if (fields.size() != column_count_) {
            fail(fmt::format(
                "this line has {} values (the first has {}). Was it cut off?",
                fields.size(),
                column_count_
            ));
        }
        if (is_of_batsim_ && is_never_started(cell(fields, Column::start))) {
            ++never_started_;
            return;
        }
        const std::string_view job = cell(fields, Column::job);
        const double submit = number(cell(fields, Column::submit), "submit");
        JobSegment segment;
        segment.begin_s = number(cell(fields, Column::start), "start");
        segment.end_s = number(cell(fields, Column::finish), "finish");
        segment.processors = static_cast<std::uint32_t>(
            integer(cell(fields, Column::processors), "processors", 1, most_processors)
        );
        segment.line = line_;
        if (segment.begin_s < submit || segment.end_s < segment.begin_s) {
            fail(fmt::format(
                "job {} goes back in time (submit {}, start {}, finish {}). Are columns exchanged?",
                shown(job),
                submit,
                segment.begin_s,
                segment.end_s
            ));
        }
        read_ranges_and_kind(fields, segment);
        if (cell(fields, Column::kind) == out_of_order) {
            for (const engine::ProcessorRange& range : segment.ranges) {
                schedule_.outages.push_back({segment.begin_s, segment.end_s, range});
            }
            return;
        }
        if (cell(fields, Column::kind) == named_node && segment.ranges.size() == 1) {
            const bool has_apostrophe = job.starts_with('\'');  // of a name like a formula
            schedule_.nodes.push_back(
                {std::string(job.substr(has_apostrophe ? 1 : 0)), segment.ranges.front()}
            );
            return;
        }
        segment.job = is_of_batsim_ ? index_of_row(job, submit) : index_of(job, submit);
        read_user_and_home(fields, schedule_.jobs[segment.job]);
        schedule_.segments.push_back(std::move(segment));
    }

    void read_ranges_and_kind(const Fields& fields, JobSegment& segment) const {
        if (has(Column::ranges)) {
            const std::string word(cell(fields, Column::ranges));
            const auto ranges = read_ranges(word);
            if (!ranges) {
                fail(fmt::format(
                    "'{}' are no ranges (ascending numbers of processors are expected). Write them "
                    "as 0-3 7?",
                    shown(word)
                ));
            }
            segment.ranges = *ranges;
            if (is_of_batsim_) {  // a policy may give a job other than it asks for
                segment.processors = static_cast<std::uint32_t>(job_count_of(*ranges));
            }
            if (job_count_of(segment.ranges) != segment.processors) {
                fail(fmt::format(
                    "'{}' are {} processors (column 'processors' says {}). Which is right?",
                    shown(word),
                    job_count_of(segment.ranges),
                    segment.processors
                ));
            }
        }
        const std::string_view kind = cell(fields, Column::kind);
        if (has(Column::kind) && kind != "running") {
            segment.kind = SegmentKind::loading;
            if (kind != "loading" && kind != out_of_order && kind != named_node) {
                fail(fmt::format(
                    "'{}' is nothing that a job does (column 'kind'). Write running, loading, {} "
                    "or "
                    "{}",
                    shown(kind),
                    out_of_order,
                    named_node
                ));
            }
        }
    }

    /// Empty: it is not known.
    void read_user_and_home(const Fields& fields, ScheduledJob& job) const {
        if (const auto user = cell(fields, Column::user); !user.empty()) {
            job.user = static_cast<std::int32_t>(integer(user, "user", 0, most_users));
        }
        if (const auto home = cell(fields, Column::home); !home.empty()) {
            job.home = static_cast<std::uint32_t>(integer(home, "home", 1, most_clusters)) - 1;
        }
    }

    /// Batsim writes -1 or nothing where a job was rejected, Evalys nothing.
    static bool is_never_started(std::string_view start) {
        return start.empty() || start == "nan" || models::trace::parse_number(start) == -1.0;
    }

    /// Of the job with this number, which is a new one at its first line.
    std::uint32_t index_of(std::string_view word, double submit) {
        const auto number = static_cast<std::int64_t>(integer(word, "job", -most_jobs, most_jobs));
        const auto index = static_cast<std::uint32_t>(schedule_.jobs.size());
        const auto [place, is_new] = indices_.emplace(number, index);
        if (is_new) {
            ScheduledJob job;
            job.number = number;
            job.submit_s = submit;
            schedule_.jobs.push_back(job);
        } else if (schedule_.jobs[place->second].submit_s != submit) {
            fail(fmt::format(
                "job {} was submitted at {} (an earlier line says {}). Are two schedules in one "
                "file?",
                number,
                submit,
                schedule_.jobs[place->second].submit_s
            ));
        }
        return place->second;
    }

    /// Every row of Batsim is a job; its workloads may have jobs of one number, and of other names.
    std::uint32_t index_of_row(std::string_view word, double submit) {
        const auto index = static_cast<std::uint32_t>(schedule_.jobs.size());
        const auto number = models::trace::parse_integer(word);
        has_unusable_numbers_ = has_unusable_numbers_ || !number
                                || std::abs(static_cast<double>(*number)) > most_jobs
                                || !indices_.emplace(*number, index).second;
        ScheduledJob job;
        job.number = number.value_or(0);
        job.submit_s = submit;
        schedule_.jobs.push_back(job);
        return index;
    }

    void number_by_row() {
        std::int64_t number = 0;
        for (ScheduledJob& job : schedule_.jobs) {
            job.number = ++number;
        }
        schedule_.notes.emplace_back(
            "jobs are numbered by their rows (their names are no numbers, or several have one)"
        );
    }

    void check_size() {
        std::uint64_t needed = has(Column::ranges) ? 0 : most_held(schedule_);
        for (const JobSegment& segment : schedule_.segments) {
            for (const engine::ProcessorRange& range : segment.ranges) {
                needed = std::max(needed, std::uint64_t{range.first.value} + range.count);
            }
        }
        for (const engine::OutageSpan& span : schedule_.outages) {
            const engine::ProcessorRange& range = span.processors;
            needed = std::max(needed, std::uint64_t{range.first.value} + range.count);
        }
        if (needed > processors_.value_or(most_processors)) {
            throw LogError(fmt::format(
                "{}: {} processors are too few (the jobs hold up to {}). Give --processors {}?",
                schedule_.name,
                processors_.value_or(most_processors),
                needed,
                needed
            ));
        }
        schedule_.processors = processors_.value_or(static_cast<std::uint32_t>(needed));
    }

    void check_overlaps() const {
        if (const auto overlap = find_overlap(schedule_)) {
            const JobSegment& first = schedule_.segments[overlap->first];
            const JobSegment& second = schedule_.segments[overlap->second];
            throw LogError(
                schedule_.name,
                second.line,
                fmt::format(
                    "processor {} is held twice (job {} begins at {}, and line {} gives it to job "
                    "{} until {}). Are two schedules in one file?",
                    overlap->processor,
                    schedule_.jobs[second.job].number,
                    second.begin_s,
                    first.line,
                    schedule_.jobs[first.job].number,
                    first.end_s
                )
            );
        }
    }

    std::optional<std::uint32_t> processors_;
    JobSchedule schedule_;
    std::map<std::int64_t, std::uint32_t> indices_;     // by number
    std::array<std::optional<std::size_t>, 9> places_;  // of the columns
    std::size_t column_count_ = 0;
    bool is_of_batsim_ = false;
    bool has_unusable_numbers_ = false;  // of jobs
    std::uint64_t never_started_ = 0;
    std::uint64_t line_ = 0;
};

}  // namespace

JobSchedule schedule_of_table(
    const std::string& text, const std::string& name, std::optional<std::uint32_t> processors
) {
    TableReader reader(name, processors);
    for (std::size_t at = 0; at < text.size() || at == 0;) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        reader.add(std::string_view(text).substr(at, end - at));
        at = end + 1;
    }
    return reader.finish();
}

}  // namespace schedfarm::app
