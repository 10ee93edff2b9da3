// What replications of a log are drawn from: how many, of which weight, and whether weeks are
// alike.
#include "models/trace/reading/blocks.hpp"

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "models/trace/reading/clock.hpp"

namespace schedfarm::models::trace {

namespace {

/// A job of one processor a week, 100 s behind its beginning, and a last one when the weeks end.
PreparedLog log_of(const std::vector<double>& runs, const std::vector<std::int64_t>& users = {}) {
    PreparedLog log;
    for (std::size_t i = 0; i <= runs.size(); ++i) {
        const bool is_last = i == runs.size();
        log.jobs.submit.push_back(static_cast<double>(i) * week_s + (is_last || i == 0 ? 0 : 100));
        log.jobs.run.push_back(is_last ? 1e-9 : runs[i]);
        log.jobs.request.push_back(1);
        log.jobs.processors.push_back(1);
        log.jobs.user.push_back(is_last || users.empty() ? 0 : users[i]);
        log.jobs.row.push_back(static_cast<std::uint32_t>(i));
    }
    log.users = user_sequences(log.jobs);
    log.weeks = whole_weeks(log.jobs, 0);
    return log;
}

}  // namespace

TEST_CASE("the effective number of blocks is one over the sum of their squared shares") {
    const Blocks equal = blocks_of(log_of({5, 5, 5, 5}), Resampling::weeks);
    CHECK(equal.count == 4);
    CHECK(equal.effective == doctest::Approx(4));
    // Shares .7, .1, .1 and .1.
    const Blocks one_large = blocks_of(log_of({7, 1, 1, 1}), Resampling::weeks);
    CHECK(one_large.effective == doctest::Approx(1 / 0.52));
    CHECK(one_large.largest_share == doctest::Approx(0.7));
    // The users 0 and 1 have .8 and .2 of the work.
    const PreparedLog log = log_of({7, 1, 1, 1}, {0, 0, 1, 1});
    for (const Resampling resampling : {Resampling::users, Resampling::free_users}) {
        const Blocks users = blocks_of(log, resampling);
        CHECK(users.count == 2);
        CHECK(users.effective == doctest::Approx(1 / 0.68));
        CHECK(users.largest_share == doctest::Approx(0.8));
    }
    CHECK(blocks_of(log, Resampling::none).count == 1);
}

TEST_CASE("one block to draw from has its reason, several have none") {
    const PreparedLog weeks = log_of({7, 1, 1, 1}, {0, 0, 1, 1});
    const PreparedLog one_user = log_of({7, 1, 1, 1}, {0, 0, 0, 0});
    const PreparedLog one_week = log_of({7}, {1});
    PreparedLog short_log = log_of({7}, {1});
    short_log.jobs.submit.back() = 1000;
    short_log.users = user_sequences(short_log.jobs);
    REQUIRE(short_log.users.users() == 2);
    CHECK(why_one_block(weeks, Resampling::none).empty());
    CHECK(why_one_block(weeks, Resampling::weeks).empty());
    CHECK(why_one_block(one_week, Resampling::weeks) == "the log has one whole week");
    for (const Resampling resampling : {Resampling::users, Resampling::free_users}) {
        CHECK(why_one_block(weeks, resampling).empty());
        CHECK(why_one_block(one_user, resampling) == "the log has one user");
        CHECK(
            why_one_block(short_log, resampling)
            == "the log lies within one week, and users are moved by weeks"
        );
    }
}

TEST_CASE("Kendall's test sees the load of the weeks grow or shrink, whatever else they do") {
    const auto p_value = [](const std::vector<double>& runs) {
        return blocks_of(log_of(runs), Resampling::weeks).trend_p_value;
    };
    // All 45 pairs of ten weeks are in order; their variance is 10 · 9 · 25 / 18 = 125.
    CHECK(p_value({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) == doctest::Approx(8.303e-5).epsilon(1e-3));
    CHECK(p_value({10, 9, 8, 7, 6, 5, 4, 3, 2, 1}) == doctest::Approx(8.303e-5).epsilon(1e-3));
    CHECK(p_value({5, 9, 2, 7, 4, 6, 3, 8, 1, 10}) > 0.5);
    CHECK(p_value({5, 5, 5, 5, 5}) == 1);
}

TEST_CASE("Fisher's index sees weeks scatter more than jobs that come by chance") {
    const auto p_value = [](const std::vector<std::uint64_t>& jobs) {
        PreparedLog log;
        for (std::size_t week = 0; week <= jobs.size(); ++week) {
            for (std::uint64_t job = 0; job < (week < jobs.size() ? jobs[week] : 1); ++job) {
                log.jobs.submit.push_back(
                    static_cast<double>(week) * week_s + 100. * static_cast<double>(job)
                );
                log.jobs.run.push_back(week < jobs.size() ? 7 : 1e-9);
                log.jobs.request.push_back(1);
                log.jobs.processors.push_back(3);
                log.jobs.user.push_back(0);
                log.jobs.row.push_back(static_cast<std::uint32_t>(log.jobs.row.size()));
            }
        }
        log.users = user_sequences(log.jobs);
        log.weeks = whole_weeks(log.jobs, 0);
        return blocks_of(log, Resampling::weeks).scatter_p_value;
    };
    // Mean 22, squared deviations 144 + 4 + 196: chi-square of 2 degrees 344 / 22, exp(−172 / 22).
    CHECK(p_value({10, 20, 36}) == doctest::Approx(4.0e-4).epsilon(0.1));
    // Mean 41 / 3, squared deviations 18 2/3 : exp(−.683).
    CHECK(p_value({13, 11, 17}) == doctest::Approx(0.505).epsilon(0.05));
    CHECK(p_value({20, 20, 20}) > 0.99);
}

}  // namespace schedfarm::models::trace
