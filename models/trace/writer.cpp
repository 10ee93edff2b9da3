#include "models/trace/writer.hpp"

#include <array>
#include <charconv>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include "engine/foundation/expect.hpp"

namespace schedfarm::models::trace {

namespace {

template <typename T>
void append_number(std::string& text, T value) {
    std::array<char, 32> digits{};
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    text.append(digits.data(), result.ptr);
}

void write_header(std::ostream& out, const Header& header) {
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

}  // namespace

void write_log(std::ostream& out, const Log& log) {
    for_each_column(log, [&](Field, const auto& column) {
        SCHEDFARM_EXPECT(
            !column.is_given() || column.size() == log.jobs(), "columns of a log have equal lengths"
        );
    });
    write_header(out, log.header);
    std::string line;
    for (std::size_t i = 0; i < log.jobs(); ++i) {
        line.clear();
        for_each_column(log, [&](Field field, const auto& column) {
            append_number(line, column[i]);
            line += field == Field::think_time ? '\n' : ' ';
        });
        out << line;
    }
}

Log log_of(const JobList& jobs, const Log& source) {
    std::vector<std::int32_t> numbers(jobs.size());
    std::iota(numbers.begin(), numbers.end(), 1);
    const std::vector<std::int32_t> processors(jobs.processors.begin(), jobs.processors.end());
    Log log;
    log.name = source.name;
    log.header = source.header;
    log.header.lines.push_back({.key = "Note", .value = "jobs selected by schedfarm"});
    log.job_number = Log::Integers(std::move(numbers));
    log.submit_time = Log::Reals(jobs.submit);
    log.run_time = Log::Reals(jobs.run);
    log.allocated_processors = Log::Integers(processors);
    log.requested_processors = Log::Integers(processors);
    log.requested_time = Log::Reals(jobs.request);
    log.requested_memory = of_rows(source.requested_memory, jobs.row);
    log.status = of_rows(source.status, jobs.row);
    log.user = Log::Integers(jobs.user);
    log.group = of_rows(source.group, jobs.row);
    log.executable = of_rows(source.executable, jobs.row);
    log.queue = of_rows(source.queue, jobs.row);
    log.partition = of_rows(source.partition, jobs.row);
    return log;
}

}  // namespace schedfarm::models::trace
