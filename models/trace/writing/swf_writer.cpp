#include "models/trace/writing/swf_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include "engine/foundation/expect.hpp"

namespace schedfarm::models::trace {

namespace {

/// The header, and the texts of names, by the keys that other logs have for them: "; Queue: 3
/// night".
void write_header(std::ostream& out, const Log& log) {
    Header header = log.header;
    for (const Field field : {Field::user, Field::group, Field::queue, Field::partition}) {
        const auto texts = log.names.find(field);
        for (std::size_t i = 0; texts != log.names.end() && i < texts->second.size(); ++i) {
            std::string key(name(field));
            key.front() = static_cast<char>(key.front() - 'a' + 'A');
            header.lines.push_back(
                {.key = key, .value = std::to_string(i + 1) + " " + texts->second[i]}
            );
        }
    }
    for (const HeaderLine& line : header.lines) {
        out << ';';
        if (!line.key.empty()) {
            out << ' ' << line.key << ':';
        }
        if (!line.value.empty()) {
            out << ' ' << line.value;
        }
        out << '\n';
    }
}

template <typename T>
Column<T> of_rows(const Column<T>& source, const std::vector<std::uint32_t>& rows) {
    std::vector<T> values;
    if (source.is_given()) {
        values.reserve(rows.size());
        for (const std::uint32_t row : rows) {
            values.push_back(source[row]);
        }
    }
    return Column<T>(std::move(values));
}

/// Sets the values of the lines with this key, or adds one.
void set_count(Header& header, const std::string& key, std::size_t count) {
    bool is_there = false;
    for (HeaderLine& line : header.lines) {
        if (is_same_key(line.key, key)) {
            line.value = std::to_string(count);
            is_there = true;
        }
    }
    if (!is_there) {
        header.lines.push_back({.key = key, .value = std::to_string(count)});
    }
}

/// Second 0, and so the beginning, stays; when the last job ends is not known.
Header header_of(const Header& source, std::size_t jobs) {
    Header header = source;
    std::erase_if(header.lines, [](const HeaderLine& line) {
        return is_same_key(line.key, "EndTime");
    });
    set_count(header, "MaxJobs", jobs);
    set_count(header, "MaxRecords", jobs);
    header.lines.push_back({.key = "Note", .value = "jobs selected and renumbered by schedfarm"});
    return header;
}

/// A job that was cut or filled used another CPU time than the log says.
Log::Reals cpu_times(const JobList& jobs, const Log& source) {
    if (!source.cpu_time.is_given()) {
        return {};
    }
    std::vector<double> values;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const std::uint32_t row = jobs.row[i];
        values.push_back(jobs.run[i] == source.run_time[row] ? source.cpu_time[row] : -1);
    }
    return Log::Reals(std::move(values));
}

/// From the time at which a job comes, where that is the logged one.
Log::Reals waits(const JobList& jobs, const Log& source) {
    if (!source.wait_time.is_given()) {
        return {};
    }
    std::vector<double> values;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const std::uint32_t row = jobs.row[i];
        const bool is_as_logged =
            jobs.submit[i] == source.submit_time[row] || jobs.submit[i] == source.eligible(row);
        const double start = is_as_logged ? source.start(row) : -1;
        values.push_back(start < 0 ? -1 : std::max(-1.0, start - jobs.submit[i]));
    }
    return Log::Reals(std::move(values));
}

/// Jobs and their preceding ones where both are there once, by their new numbers; think times where
/// both were submitted as logged.
void add_preceding(const JobList& jobs, const Log& source, Log& log) {
    std::map<std::int64_t, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        places[source.job_number[jobs.row[i]]].push_back(i);
    }
    const auto is_as_logged = [&](std::size_t i) {
        return jobs.submit[i] == source.submit_time[jobs.row[i]];
    };
    std::vector<std::int64_t> preceding(jobs.size(), -1);
    std::vector<double> think(jobs.size(), -1);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const auto found = places.find(source.preceding_job[jobs.row[i]]);
        const bool is_single = places.at(source.job_number[jobs.row[i]]).size() == 1;
        if (source.preceding_job[jobs.row[i]] > 0 && found != places.end()
            && found->second.size() == 1 && is_single && found->second.front() < i) {
            const std::size_t before = found->second.front();
            preceding[i] = static_cast<std::int64_t>(before + 1);
            think[i] =
                is_as_logged(i) && is_as_logged(before) ? source.think_time[jobs.row[i]] : -1;
        }
    }
    log.preceding_job = Log::Names(std::move(preceding));
    log.think_time = Log::Reals(std::move(think));
}

}  // namespace

void append_number(std::string& text, std::int64_t value) {
    std::array<char, 24> digits{};
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    text.append(digits.data(), result.ptr);
}

void append_number(std::string& text, double value) {
    constexpr std::size_t longest = 400;  // 5e-324 has 326 characters, 1e308 has 309
    std::array<char, longest> digits;     // NOLINT(*-member-init): filled as far as used
    const auto result = std::to_chars(
        digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed
    );
    text.append(digits.data(), result.ptr);
}

void write_log(std::ostream& out, const Log& log) {
    for_each_column(log, [&](Field, const auto& column) {
        SCHEDFARM_EXPECT(
            !column.is_given() || column.size() == log.jobs(), "columns of a log have equal lengths"
        );
    });
    write_header(out, log);
    std::string line;
    for (std::size_t i = 0; i < log.jobs(); ++i) {
        line.clear();
        const double submit = log.eligible(i);
        const double start = log.start(i);
        for_each_column(log, [&](Field field, const auto& column) {
            if (field == Field::submit_time) {
                append_number(line, submit);
            } else if (field == Field::wait_time && log.eligible_time[i] >= 0) {
                append_number(line, start < 0 ? -1 : std::max(-1.0, start - submit));
            } else {
                append_number(line, typename std::decay_t<decltype(column)>::Read{column[i]});
            }
            line += field == Field::think_time ? '\n' : ' ';
        });
        out << line;
    }
}

Log log_of(const JobList& jobs, const Log& source) {
    std::vector<std::int64_t> numbers(jobs.size());
    std::iota(numbers.begin(), numbers.end(), 1);
    const std::vector<std::int32_t> processors(jobs.processors.begin(), jobs.processors.end());
    Log log;
    log.name = source.name;
    log.header = header_of(source.header, jobs.size());
    log.job_number = Log::Names(std::move(numbers));
    log.submit_time = Log::Reals(jobs.submit);
    log.wait_time = waits(jobs, source);
    log.run_time = Log::Reals(jobs.run);
    log.allocated_processors = Log::Integers(processors);
    log.cpu_time = cpu_times(jobs, source);
    log.used_memory = of_rows(source.used_memory, jobs.row);
    log.requested_processors = Log::Integers(processors);
    log.requested_time = Log::Reals(jobs.request);
    log.requested_memory = of_rows(source.requested_memory, jobs.row);
    log.status = of_rows(source.status, jobs.row);
    log.user = jobs.user;
    log.group = of_rows(source.group, jobs.row);
    log.executable = of_rows(source.executable, jobs.row);
    log.queue = of_rows(source.queue, jobs.row);
    log.partition = of_rows(source.partition, jobs.row);
    log.quality = of_rows(source.quality, jobs.row);
    log.names = source.names;
    if (source.preceding_job.is_given()) {
        add_preceding(jobs, source, log);
    }
    return log;
}

}  // namespace schedfarm::models::trace
