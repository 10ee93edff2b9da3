#include "models/trace/reading/log_builder.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "models/trace/reading/clock.hpp"
#include "models/trace/reading/log_error.hpp"

namespace schedfarm::models::trace {

LogBuilder::LogBuilder(std::string name, FieldSet kept, std::uint64_t most_jobs)
    : batch_(std::make_unique<JobBatch>()), kept_(kept), most_jobs_(most_jobs) {
    log_.name = std::move(name);
}

void LogBuilder::expect_by(double share) {
    constexpr double margin = 1.02;
    const double expected = share > 0 ? margin * static_cast<double>(jobs()) / share : 0;
    expected_jobs_ = static_cast<std::size_t>(std::min(expected, static_cast<double>(most_jobs_)));
}

Log& LogBuilder::flushed() {
    flush();
    return log_;
}

void LogBuilder::flush() {
    if (log_.jobs() == 0) {
        examiner_.begin(log_.header.processors());
    }
    if (log_.jobs() + batch_->count > most_jobs_) {
        throw LogError(fmt::format(
            "{}: it has more than {} jobs, the most that is read. Check that it is a log; "
            "`simulate` and "
            "`trace` read more with --max-jobs",
            log_.name,
            most_jobs_
        ));
    }
    examiner_.examine(*batch_, oddities_);
    const auto append = [&](Field field, auto& column) {
        if (!kept_.has(field)) {
            column.append_unknown(batch_->count);
        } else if constexpr (std::is_same_v<std::decay_t<decltype(column)>, Log::Reals>) {
            column.append(batch_->real_column(field), expected_jobs_);
        } else {
            column.append(batch_->integer_column(field), expected_jobs_);
        }
    };
    for_each_column(log_, append);
    if (fills_all_) {
        for_each_further_column(log_, append);
    }
    batch_->count = 0;
    if (fills_all_) {
        batch_->set_all_unknown();
    }
}

void LogBuilder::examine_header() {
    const Header& header = log_.header;
    const auto add_at = [&](OddityKind kind, std::string_view key) {
        oddities_.add(kind, header.line_of(key)->line);
    };
    const auto is_given = [&](std::string_view key) {
        return !header.find(key).value_or("").empty();
    };
    if (const HeaderLine* const line = header.unreadable_processors()) {
        oddities_.add(OddityKind::unreadable_size, line->line);
    } else if (!header.processors()) {
        oddities_.add(OddityKind::no_machine_size, 0);
    }
    for (const HeaderLine* const line : header.contradictory_lines()) {
        oddities_.add(OddityKind::contradictory_line, line->line);
    }
    const auto clock = clock_of(header);
    const bool has_start = header.number("UnixStartTime") != 0 || is_given("StartTime");
    if (!clock && is_given("UnixStartTime") && has_start) {
        add_at(OddityKind::unreadable_start, "UnixStartTime");
    }
    if (clock && is_given("TimeZone") && clock->zone != ZoneSource::time_zone) {
        add_at(OddityKind::unreadable_time_zone, "TimeZone");
    }
    if (clock && clock->is_zone_unknown()) {
        add_at(OddityKind::unknown_zone, "TimeZoneString");
    } else if (clock && clock->zone == ZoneSource::none) {
        oddities_.add(OddityKind::no_time_zone, 0);
    }
    if (clock && contradicts_zone(header, *clock)) {
        add_at(OddityKind::contradictory_zone, "TimeZone");
    }
    if (clock && contradicts_start(header, *clock)) {
        add_at(OddityKind::contradictory_start, "StartTime");
    }
    if (clock && !had_unix_times_ && clock->unix_start > ten_years_s
        && examiner_.last_submit() > static_cast<double>(clock->unix_start)) {
        oddities_.add(OddityKind::submits_in_unix_time, 0);
    }
}

Log LogBuilder::finish() {
    flush();
    examine_header();
    log_.oddities = oddities_.found();
    return std::move(log_);
}

void LogBuilder::count_times_from(double base, const std::string& zone) {
    const auto since_base = [base](double time) {
        return std::max(0.0, time - base);
    };
    log_.submit_time.change_known(since_base);
    log_.eligible_time.change_known(since_base);
    log_.left_time.change_known(since_base);
    log_.header.lines.push_back({.key = "UnixStartTime", .value = fmt::format("{:.0f}", base)});
    log_.header.lines.push_back({.key = "TimeZoneString", .value = zone});
    had_unix_times_ = true;
}

void LogBuilder::fail(std::uint64_t line, const std::string& text) const {
    throw LogError(log_.name, line, text);
}

}  // namespace schedfarm::models::trace
