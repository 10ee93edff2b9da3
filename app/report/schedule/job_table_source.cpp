#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/utf8.hpp"

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/number.hpp"

#include "app/report/schedule/job_exports.hpp"
#include "app/report/schedule/job_sources.hpp"

namespace schedfarm::app {

namespace {

using models::trace::LogError;

constexpr std::string_view columns = "job,submit,start,finish,processors,ranges,kind,user,home";
constexpr std::size_t needed_columns = 5;
constexpr std::size_t ranges_column = 5;
constexpr std::size_t kind_column = 6;
constexpr std::size_t user_column = 7;
constexpr std::size_t home_column = 8;
constexpr double most_users = 2147483647;
constexpr double most_clusters = 1e6;
constexpr double most_jobs = 9007199254740992;  // numbers of jobs are below 2^53

using Fields = std::vector<std::string_view>;

Fields fields_of(std::string_view line) {
    Fields fields;
    for (std::size_t at = 0;;) {
        const std::size_t end = std::min(line.find(',', at), line.size());
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
        if (column_count_ == needed_columns) {
            name_processors(schedule_);
        } else {
            check_overlaps();
        }
        return std::move(schedule_);
    }

  private:
    [[noreturn]] void fail(const std::string& text) const {
        throw LogError(schedule_.name, line_, text);
    }

    void read_header(std::string_view line) {
        column_count_ = fields_of(line).size();
        const bool is_whole = column_count_ >= needed_columns
                              && columns.substr(0, line.size()) == line
                              && (line.size() == columns.size() || columns[line.size()] == ',');
        if (!is_whole) {
            fail(fmt::format(
                "this is no table of jobs (it begins with '{}', not with "
                "'job,submit,start,finish,processors'). Was it written by simulate --jobs?",
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
        const double job = integer(fields[0], "job", -most_jobs, most_jobs);
        const double submit = number(fields[1], "submit");
        JobSegment segment;
        segment.begin_s = number(fields[2], "start");
        segment.end_s = number(fields[3], "finish");
        segment.processors =
            static_cast<std::uint32_t>(integer(fields[4], "processors", 1, most_processors));
        segment.line = line_;
        if (segment.begin_s < submit || segment.end_s < segment.begin_s) {
            fail(fmt::format(
                "job {} goes back in time (submit {}, start {}, finish {}). Are columns exchanged?",
                job,
                submit,
                segment.begin_s,
                segment.end_s
            ));
        }
        read_ranges_and_kind(fields, segment);
        if (column_count_ > kind_column && fields[kind_column] == out_of_order) {
            for (const engine::ProcessorRange& range : segment.ranges) {
                schedule_.outages.push_back({segment.begin_s, segment.end_s, range});
            }
            return;
        }
        segment.job = index_of(static_cast<std::int64_t>(job), submit);
        read_user_and_home(fields, schedule_.jobs[segment.job]);
        schedule_.segments.push_back(std::move(segment));
    }

    void read_ranges_and_kind(const Fields& fields, JobSegment& segment) const {
        if (column_count_ > ranges_column) {
            const std::string word(fields[ranges_column]);
            const auto ranges = read_ranges(word);
            if (!ranges) {
                fail(fmt::format(
                    "'{}' are no ranges (ascending numbers of processors are expected). Write them "
                    "as 0-3 7?",
                    shown(word)
                ));
            }
            segment.ranges = *ranges;
            if (job_count_of(segment.ranges) != segment.processors) {
                fail(fmt::format(
                    "'{}' are {} processors (column 'processors' says {}). Which is right?",
                    shown(word),
                    job_count_of(segment.ranges),
                    segment.processors
                ));
            }
        }
        if (column_count_ > kind_column && fields[kind_column] != "running") {
            segment.kind = SegmentKind::loading;
            if (fields[kind_column] != "loading" && fields[kind_column] != out_of_order) {
                fail(fmt::format(
                    "'{}' is nothing that a job does (column 'kind'). Write running, loading or "
                    "{}",
                    shown(fields[kind_column]),
                    out_of_order
                ));
            }
        }
    }

    /// Empty: it is not known.
    void read_user_and_home(const Fields& fields, ScheduledJob& job) const {
        if (column_count_ > user_column && !fields[user_column].empty()) {
            job.user =
                static_cast<std::int32_t>(integer(fields[user_column], "user", 0, most_users));
        }
        if (column_count_ > home_column && !fields[home_column].empty()) {
            job.home =
                static_cast<std::uint32_t>(integer(fields[home_column], "home", 1, most_clusters))
                - 1;
        }
    }

    /// Of the job with this number, which is a new one at its first line.
    std::uint32_t index_of(std::int64_t number, double submit) {
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

    void check_size() {
        const bool has_ranges = column_count_ > ranges_column;
        std::uint64_t needed = has_ranges ? 0 : most_held(schedule_);
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
    std::map<std::int64_t, std::uint32_t> indices_;  // by number
    std::size_t column_count_ = 0;
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
