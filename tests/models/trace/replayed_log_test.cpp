// Lap after lap of a log, against resampling and shaking each lap by itself.
#include "models/trace/replayed_log.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "models/trace/reading/clock.hpp"

#include "tests/models/trace/whole_resampling.hpp"

namespace schedfarm::models::trace {

namespace {

TraceSettings settings_of(const std::string& resampling, int shake_s) {
    engine::Parameters given;
    given.set("file", "example");
    given.set("resampling", resampling);
    given.set("shake", shake_s);
    return TraceSettings(with_defaults(trace_parameters(), given));
}

/// Lap l of these settings before it is held against the lap before.
JobList lap_of(
    const PreparedLog& log,
    const TraceSettings& settings,
    const engine::Stream& stream,
    std::uint64_t lap
) {
    const bool is_by_week = settings.resampling == Resampling::weeks;
    const std::uint32_t weeks = is_by_week ? log.weeks.count : weeks_spanned(log.jobs);
    const std::uint64_t first_word = lap << 32;
    JobList jobs =
        is_by_week
            ? tests::all_weeks(
                ResampledWeeks(log.jobs, log.weeks, weeks, stream, first_word), weeks
            )
            : tests::all_weeks(
                ResampledUsers(
                    log.jobs,
                    log.users,
                    settings.resampling == Resampling::users ? UserDraw::at_load : UserDraw::free,
                    weeks,
                    stream,
                    first_word
                ),
                weeks
            );
    for (double& submit : jobs.submit) {
        submit += static_cast<double>(lap) * weeks * week_s;
    }
    return settings.shake_s == 0
               ? jobs
               : shake(jobs, settings.shake_s, stream, first_word + (std::uint64_t{1} << 63));
}

}  // namespace

TEST_CASE("jobs that left while they waited come with the part of the log in which they did") {
    for (const std::string resampling : {"weeks", "none"}) {
        for (const double load_factor : {1.0, 1.25}) {
            CAPTURE(resampling);
            CAPTURE(load_factor);
            const TraceSettings settings = settings_of(resampling, 0);
            auto log = std::make_shared<PreparedLog>(*prepared_log(settings));
            std::vector<std::uint32_t> every_seventh;
            for (std::uint32_t job = 0; job < log->jobs.size(); job += 7) {
                every_seventh.push_back(job);
            }
            log->left = picked(log->jobs, every_seventh);
            const engine::Stream stream(2026, engine::Purpose::resampling, 3);
            ReplayedLog replayed(log, settings, load_factor, stream, LapParts::pieces);
            std::vector<std::pair<double, std::uint32_t>> expected;
            const std::set<std::uint32_t> rows(log->left.row.begin(), log->left.row.end());
            for (int part = 0; part < 12 && !replayed.is_over(); ++part) {
                const JobList jobs = replayed.next_part();
                for (std::size_t i = 0; i < jobs.size(); ++i) {
                    if (rows.contains(jobs.row[i])) {
                        expected.emplace_back(jobs.submit[i], jobs.row[i]);
                    }
                }
            }
            std::vector<std::pair<double, std::uint32_t>> found;
            for (std::size_t i = 0; i < replayed.left().size(); ++i) {
                found.emplace_back(replayed.left().submit[i], replayed.left().row[i]);
            }
            CHECK(expected.size() > 20);
            CHECK(found == expected);
        }
    }
}

TEST_CASE("every lap of a log is drawn and shaken anew and none begins before the end of another") {
    for (const std::string resampling : {"users", "free_users", "weeks"}) {
        for (const int shake_s : {0, 300000}) {
            CAPTURE(resampling);
            CAPTURE(shake_s);
            const TraceSettings settings = settings_of(resampling, shake_s);
            const auto log = prepared_log(settings);
            const engine::Stream stream(2026, engine::Purpose::resampling, 3);
            ReplayedLog replayed(log, settings, 1, stream, LapParts::whole);
            double last = 0;
            std::size_t moved = 0;
            for (std::uint64_t lap = 0; lap < 5; ++lap) {
                JobList expected = lap_of(*log, settings, stream, lap);
                for (double& submit : expected.submit) {
                    moved += submit < last ? 1U : 0U;
                    submit = std::max(submit, last);
                }
                const JobList part = replayed.next_part();
                CHECK(part.submit == expected.submit);
                CHECK(part.row == expected.row);
                CHECK(part.user.values() == expected.user.values());
                last = part.submit.back();
            }
            CHECK((moved > 0) == (shake_s > 0));
        }
    }
}

TEST_CASE("weeks begin with the first day of a log that is to be dense") {
    engine::Parameters given;
    given.set("file", "example");
    const auto weeks_of = [&given](const std::string& period) {
        given.set("period", period);
        return prepared_log(TraceSettings(with_defaults(trace_parameters(), given)))->weeks;
    };
    const double first = prepared_log(settings_of("weeks", 0))->jobs.submit.front();
    const WholeWeeks whole = weeks_of("whole");
    const WholeWeeks dense = weeks_of("dense");
    CHECK(whole.start > first);
    CHECK(dense.start <= first);
    CHECK(dense.start > first - 86400);
    CHECK(std::fmod(whole.start - dense.start, 86400) == 0);
}

}  // namespace schedfarm::models::trace
