// Replications from one log: by hand, by invariants and against their expectation.
#include "models/trace/resampling.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

#include "models/trace/reading/clock.hpp"

#include "tests/models/trace/whole_resampling.hpp"

namespace schedfarm::models::trace {

namespace {

using engine::Purpose;
using engine::Stream;
using tests::resample_users;
using tests::resample_weeks;

Stream stream(std::uint32_t replication) {
    return {2026, Purpose::resampling, replication};
}

struct GivenJob {
    double submit;
    std::int64_t user;
};

JobList jobs_of(const std::vector<GivenJob>& given) {
    JobList jobs;
    for (const GivenJob& job : given) {
        const auto row = static_cast<std::uint32_t>(jobs.size());
        jobs.submit.push_back(job.submit);
        jobs.run.push_back(10.0 + row);
        jobs.request.push_back(100.0 + row);
        jobs.processors.push_back(1 + row % 7);
        jobs.user.push_back(job.user);
        jobs.row.push_back(row);
    }
    return jobs;
}

/// 300 jobs of 20 users over some nine weeks, those of a user within a few days or over all weeks.
JobList long_log() {
    std::vector<GivenJob> given;
    for (int i = 0; i < 300; ++i) {
        const int user = (i * 7) % 20;
        const double spread = user % 3 == 0 ? 9 * week_s : 4 * day_s;
        const double start = user % 3 == 0 ? 0 : user * 0.4 * week_s;
        given.push_back({1000 + std::floor(start + spread * ((i * 37) % 101) / 101.0), user});
    }
    std::stable_sort(given.begin(), given.end(), [](const GivenJob& a, const GivenJob& b) {
        return a.submit < b.submit;
    });
    return jobs_of(given);
}

bool is_whole_weeks(double seconds) {
    return std::floor(seconds / week_s) * week_s == seconds;
}

void check_values(const JobList& log, const JobList& result) {
    CHECK(std::is_sorted(result.submit.begin(), result.submit.end()));
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::uint32_t row = result.row[i];
        CHECK(result.run[i] == log.run[row]);
        CHECK(result.request[i] == log.request[row]);
        CHECK(result.processors[i] == log.processors[row]);
    }
}

bool equal(const JobList& a, const JobList& b) {
    return a.submit == b.submit && a.row == b.row && a.user.values() == b.user.values()
           && a.run == b.run && a.request == b.request && a.processors == b.processors;
}

/// What ResampledUsers does week by week, at once and in the plainest way.
JobList plain_users(const JobList& log, std::uint32_t weeks, const Stream& stream) {
    std::map<std::int64_t, std::vector<std::uint32_t>> of_user;
    for (std::uint32_t i = 0; i < log.size(); ++i) {
        of_user[log.user[i]].push_back(i);
    }
    const double first = log.submit.front();
    const double circle = weeks * week_s;
    const double share = circle / (log.submit.back() - first);
    const auto count = std::max(1.0, std::floor(static_cast<double>(of_user.size()) * share + 0.5));
    std::map<std::ptrdiff_t, std::vector<std::uint32_t>> free;
    for (std::ptrdiff_t user = 0; user < std::ssize(of_user); ++user) {
        free[user].resize(weeks);
        std::iota(free[user].begin(), free[user].end(), 0U);
    }
    std::vector<std::uint32_t> words(2 * static_cast<std::size_t>(count));
    stream.fill_words(0, words);
    std::vector<std::uint32_t> numbers;
    JobList placed;
    for (std::size_t k = 0; 2 * k < words.size(); ++k) {
        const auto users = static_cast<double>(of_user.size());
        auto user = static_cast<std::ptrdiff_t>(words[2 * k] / 4294967296.0 * users);
        while (free[user].empty()) {
            user = (user + 1) % std::ssize(of_user);
        }
        const auto place = static_cast<std::ptrdiff_t>(
            words[2 * k + 1] / 4294967296.0 * static_cast<double>(free[user].size())
        );
        const double shift = free[user][static_cast<std::size_t>(place)] * week_s;
        free[user].erase(free[user].begin() + place);
        for (const std::uint32_t number : std::next(of_user.begin(), user)->second) {
            numbers.push_back(number);
            placed.submit.push_back(first + std::fmod(log.submit[number] - first + shift, circle));
            placed.user.push_back(static_cast<std::int64_t>(k));
        }
    }
    JobList result = picked(log, numbers);
    result.submit = placed.submit;
    result.user = placed.user;
    sort_by_submit(result);
    return result;
}

}  // namespace

TEST_CASE("users drawn week by week are those of the plain way") {
    const JobList log = long_log();
    for (const std::uint32_t weeks : {1U, 2U, 4U, 9U, 10U, 31U}) {
        for (std::uint32_t replication = 0; replication < 20; ++replication) {
            CAPTURE(weeks);
            CAPTURE(replication);
            const JobList expected = plain_users(log, weeks, stream(replication));
            CHECK(equal(resample_users(log, weeks, stream(replication)), expected));
        }
    }
}

TEST_CASE("a week holds the jobs that are submitted in it") {
    const JobList log = long_log();
    const UserSequences users = user_sequences(log);
    const ResampledUsers of_users(log, users, UserDraw::free, 9, stream(3));
    const ResampledWeeks of_weeks(log, whole_weeks(log, 500), 9, stream(3));
    const double start = whole_weeks(log, 500).start;
    for (std::uint32_t week = 0; week < 9; ++week) {
        for (const double submit : of_users.week(week).submit) {
            CHECK(std::floor((submit - log.submit.front()) / week_s) == week);
        }
        for (const double submit : of_weeks.week(week).submit) {
            CHECK(std::floor((submit - start) / week_s) == week);
        }
    }
}

TEST_CASE("on a circle of one week every user is drawn once") {
    // Three users in two days: on a week, three draws, not 3 · 7 / 2.
    const JobList log = jobs_of({{0, 4}, {1000, 9}, {3000, 5}, {2 * 86400, 4}});
    for (std::uint32_t replication = 0; replication < 20; ++replication) {
        const JobList drawn = resample_users(log, 1, stream(replication));
        CHECK(drawn.submit == log.submit);
        CHECK(drawn.row == log.row);
    }
}

TEST_CASE("no job is drawn twice at one instant") {
    const JobList log = long_log();
    for (const std::uint32_t weeks : {2U, 3U, 9U}) {
        bool has_repeated = false;
        for (std::uint32_t replication = 0; replication < 50; ++replication) {
            const JobList drawn = resample_users(log, weeks, stream(replication));
            std::set<std::pair<std::uint32_t, double>> seen;
            std::set<std::uint32_t> rows;
            for (std::size_t i = 0; i < drawn.size(); ++i) {
                CHECK(seen.emplace(drawn.row[i], drawn.submit[i]).second);
                has_repeated = !rows.insert(drawn.row[i]).second || has_repeated;
            }
        }
        CHECK(has_repeated);
    }
}

TEST_CASE("two users on a circle of three weeks by hand") {
    // From 50 to 2 weeks later: 2 weeks spanned. User 4 has the jobs 0 and 2, user 9 job 1. On 3
    // weeks the load of the log takes 2 users · 3 / 2 = 3 draws.
    const JobList log = jobs_of({{50, 4}, {70, 9}, {50 + 2 * week_s, 4}});
    CHECK(weeks_spanned(log) == 2);
    std::set<std::size_t> sizes;
    for (std::uint32_t replication = 0; replication < 40; ++replication) {
        std::vector<std::uint32_t> words(6);
        stream(replication).fill_words(0, words);
        std::vector<std::pair<double, std::uint32_t>> expected;
        std::vector<double> free_of[2] = {{0, 1, 2}, {0, 1, 2}};
        for (std::size_t k = 0; k < 3; ++k) {
            const bool is_first_user = words[2 * k] < 0x80000000U;
            std::vector<double>& free = free_of[is_first_user ? 0 : 1];
            const double share = words[2 * k + 1] / 4294967296.0;
            const auto place =
                static_cast<std::ptrdiff_t>(share * static_cast<double>(free.size()));
            const double week = free[static_cast<std::size_t>(place)];
            free.erase(free.begin() + place);
            if (is_first_user) {
                expected.emplace_back(50 + week * week_s, 0);
                // Two weeks later on the circle is one week earlier, if there is an earlier one.
                expected.emplace_back(50 + (week == 0 ? 2 : week - 1) * week_s, 2);
            } else {
                expected.emplace_back(70 + week * week_s, 1);
            }
        }
        std::stable_sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) {
            return a.first < b.first;
        });
        const JobList result = resample_users(log, 3, stream(replication));
        REQUIRE(result.size() == expected.size());
        for (std::size_t i = 0; i < result.size(); ++i) {
            CHECK(result.submit[i] == expected[i].first);
            CHECK(result.row[i] == expected[i].second);
        }
        sizes.insert(result.size());
    }
    CHECK(sizes == std::set<std::size_t>{3, 4, 5, 6});
}

TEST_CASE("resampled users keep their sequences and days of the week and hours") {
    const JobList log = long_log();
    std::map<std::int64_t, std::vector<std::uint32_t>> rows_of;
    for (std::size_t i = 0; i < log.size(); ++i) {
        rows_of[log.user[i]].push_back(log.row[i]);
    }
    const std::uint32_t weeks = weeks_spanned(log);
    CHECK(weeks == 9);
    for (std::uint32_t replication = 0; replication < 20; ++replication) {
        const JobList result = resample_users(log, weeks, stream(replication));
        check_values(log, result);
        CHECK(equal(result, resample_users(log, weeks, stream(replication))));
        std::map<std::int64_t, std::vector<std::uint32_t>> rows;
        std::map<std::int64_t, std::set<double>> shifts;
        for (std::size_t i = 0; i < result.size(); ++i) {
            const double shift = result.submit[i] - log.submit[result.row[i]];
            CHECK(is_whole_weeks(shift));
            CHECK(result.submit[i] >= log.submit.front());
            CHECK(result.submit[i] < log.submit.front() + weeks * week_s);
            rows[result.user[i]].push_back(result.row[i]);
            shifts[result.user[i]].insert(shift);
        }
        for (auto& [user, sequence] : rows) {
            std::sort(sequence.begin(), sequence.end());
            CHECK(sequence == rows_of.at(log.user[sequence.front()]));
            // One shift, or two where the sequence leaves the circle at its end.
            REQUIRE(!shifts[user].empty());
            CHECK(shifts[user].size() <= 2);
            const double apart = *shifts[user].rbegin() - *shifts[user].begin();
            CHECK((apart == 0 || apart == weeks * week_s));
        }
    }
    CHECK(!equal(resample_users(log, weeks, stream(1)), resample_users(log, weeks, stream(2))));
}

TEST_CASE("resampled users keep the expected load whatever the number of weeks") {
    const JobList log = long_log();
    const double duration = log.submit.back() - log.submit.front();
    const std::vector<std::int64_t> all = log.user.values();
    const std::set<std::int64_t> numbers(all.begin(), all.end());
    const auto users = static_cast<double>(numbers.size());
    for (const std::uint32_t weeks : {3U, 9U, 30U}) {
        // A rounded number of users is drawn; the expectation follows from it exactly.
        const double draws = std::floor(users * weeks * week_s / duration + 0.5);
        const double expected = draws / users * area(log);
        CHECK(std::abs(draws - users * weeks * week_s / duration) <= 0.5);
        constexpr int count = 400;
        double sum = 0;
        double squares = 0;
        for (std::uint32_t replication = 0; replication < count; ++replication) {
            const double value = area(resample_users(log, weeks, stream(replication)));
            sum += value;
            squares += value * value;
        }
        const double mean = sum / count;
        const double error = std::sqrt((squares / count - mean * mean) / (count - 1));
        CAPTURE(weeks);
        CHECK(std::abs(mean - expected) < 4 * error);
        CHECK(error > 0);
    }
}

TEST_CASE("users at the load of the log: heavy ones once each, the others until the work is there"
) {
    // 60 users with 1 to 3 jobs; user 7 has 40 % of the work, user 9 5 %.
    std::vector<GivenJob> given;
    for (int job = 0; job < 120; ++job) {
        given.push_back({job * 6.0 * 3600, job % 60});
    }
    JobList log = jobs_of(given);
    double others = 0;
    for (std::size_t i = 0; i < log.size(); ++i) {
        log.processors[i] = 1;
        log.run[i] = 10 + static_cast<double>(log.user[i] % 5);
        others += log.user[i] == 7 || log.user[i] == 9 ? 0 : log.run[i];
    }
    for (std::size_t i = 0; i < log.size(); ++i) {
        log.run[i] = log.user[i] == 7   ? others * 0.4 / 0.55 / 2
                     : log.user[i] == 9 ? others * 0.05 / 0.55 / 2
                                        : log.run[i];
    }
    const std::uint32_t weeks = weeks_spanned(log);
    const double duration = log.submit.back() - log.submit.front();
    const double wanted = area(log) * weeks * week_s / duration;
    for (std::uint32_t replication = 0; replication < 200; ++replication) {
        const JobList drawn = resample_users(log, weeks, stream(replication), UserDraw::at_load);
        CAPTURE(replication);
        // As close as half the work of the largest user that is drawn, 28 of some 2,500.
        CHECK(std::abs(area(drawn) - wanted) <= 14);
        for (const std::int64_t heavy : {7, 9}) {
            std::size_t jobs = 0;
            for (const std::uint32_t row : drawn.row) {
                jobs += log.user[row] == heavy ? 1U : 0U;
            }
            CHECK(jobs == 2);
        }
    }
    const JobList one = resample_users(log, weeks, stream(1), UserDraw::at_load);
    CHECK(!equal(one, resample_users(log, weeks, stream(2), UserDraw::at_load)));
}

TEST_CASE("weeks drawn with replacement by hand") {
    // Weeks begin at 1000. Submits from 500 to 1000 + 3 weeks + 5: the whole weeks are those from
    // 1000 on, 0 (jobs 1, 2), 1 (none), 2 (jobs 3, 4). The last begins but is not whole.
    const double w = week_s;
    const JobList log = jobs_of(
        {{500, 1},
         {1000, 1},
         {1000 + w - 1, 2},
         {1000 + 2 * w, 3},
         {1000 + 2 * w + 9, 1},
         {1000 + 3 * w + 5, 1}}
    );
    const WholeWeeks whole = whole_weeks(log, 1000 - 5 * w);
    CHECK(whole.start == 1000);
    CHECK(whole.count == 3);
    std::set<std::uint32_t> seen;
    for (std::uint32_t replication = 0; replication < 30; ++replication) {
        std::vector<std::uint32_t> words(4);
        stream(replication).fill_words(0, words);
        std::vector<std::pair<double, std::uint32_t>> expected;
        for (std::size_t k = 0; k < 4; ++k) {
            const double start = 1000 + static_cast<double>(k) * w;
            const double week = std::floor(words[k] / 4294967296.0 * 3);
            if (week == 0) {
                expected.emplace_back(start, 1);
                expected.emplace_back(start + w - 1, 2);
            } else if (week == 2) {
                expected.emplace_back(start, 3);
                expected.emplace_back(start + 9, 4);
            }
        }
        const JobList result = resample_weeks(log, 1000 + 3 * w, 4, stream(replication));
        check_values(log, result);
        REQUIRE(result.size() == expected.size());
        for (std::size_t i = 0; i < result.size(); ++i) {
            CHECK(result.submit[i] == expected[i].first);
            CHECK(result.row[i] == expected[i].second);
            CHECK(result.user[i] == log.user[result.row[i]]);
            seen.insert(result.row[i]);
        }
    }
    CHECK(seen == std::set<std::uint32_t>{1, 2, 3, 4});
}

TEST_CASE("a log without a whole week cannot be resampled by weeks") {
    const JobList log = jobs_of({{10, 1}, {week_s, 1}});
    CHECK(whole_weeks(log, 0).count == 0);
    CHECK(whole_weeks(log, 10).count == 0);
    CHECK(whole_weeks(jobs_of({{10, 1}, {10 + week_s, 1}}), 10).count == 1);
    CHECK(whole_weeks({}, 0).count == 0);
    CHECK_THROWS_AS(resample_weeks(log, 0, 1, stream(0)), engine::ContractViolation);
}

TEST_CASE("dense weeks begin with the first day and lose no last one that is nearly whole") {
    // Eight jobs a week in two weeks, the first from Monday 5:00 on, then some within five days.
    const auto log_of = [](int rest) {
        std::vector<GivenJob> given;
        for (int i = 0; i < 16 + rest; ++i) {
            const double begin = i / 8 * week_s + (i < 8 ? 5 * 3600 : 0);
            given.push_back({begin + i % 8 * 0.6 * day_s, i % 3});
        }
        return jobs_of(given);
    };
    using Numbers = std::vector<std::uint32_t>;
    CHECK(whole_weeks(log_of(7), 0).drawn == Numbers{0});
    CHECK(whole_weeks(log_of(7), 0).start == week_s);
    CHECK(dense_weeks(log_of(7), 0).drawn == Numbers{0, 1, 2});
    CHECK(dense_weeks(log_of(6), 0).drawn == Numbers{0, 1, 2});
    CHECK(dense_weeks(log_of(5), 0).drawn == Numbers{0, 1});
    CHECK(dense_weeks(log_of(6), 0).start == 0);
    // One job on its last day makes a week whole, however few it has.
    CHECK(
        dense_weeks(jobs_of({{10, 1}, {20, 1}, {30, 1}, {2 * week_s - day_s, 1}}), 0).drawn
        == Numbers{0, 1}
    );
    CHECK(
        dense_weeks(jobs_of({{10, 1}, {20, 1}, {30, 1}, {2 * week_s - day_s - 1, 1}}), 0).drawn
        == Numbers{0}
    );
    CHECK(dense_weeks(log_of(6), 0, std::vector{week_s}).drawn == Numbers{0});
    CHECK(dense_weeks(log_of(6), 0, std::vector{0.0, week_s}).drawn.empty());
    CHECK(dense_weeks(jobs_of({{10, 1}, {20, 1}}), 0).drawn.empty());
    CHECK(dense_weeks({}, 0).drawn.empty());
    const JobList log = log_of(6);
    std::set<std::size_t> sizes;
    for (std::uint32_t replication = 0; replication < 20; ++replication) {
        const ResampledWeeks drawn(log, dense_weeks(log, 0), 3, stream(replication));
        const JobList week = drawn.week(1);
        sizes.insert(week.size());
        CHECK(week.submit.front() == week_s + (week.row.front() == 0 ? 5 * 3600 : 0));
    }
    CHECK(sizes == std::set<std::size_t>{6, 8});
}

TEST_CASE("shaken submits move by whole seconds within the bound") {
    const JobList log = long_log();
    std::map<double, int> counts;
    for (std::uint32_t replication = 0; replication < 30; ++replication) {
        const JobList result = shake(log, 2, stream(replication));
        check_values(log, result);
        REQUIRE(result.size() == log.size());
        std::vector<std::uint32_t> words(log.size());
        stream(replication).fill_words(0, words);
        std::set<std::uint32_t> rows;
        for (std::size_t i = 0; i < result.size(); ++i) {
            const std::uint32_t row = result.row[i];
            const double drawn = std::floor(words[row] / 4294967296.0 * 5) - 2;
            CHECK(result.submit[i] == std::max(log.submit.front(), log.submit[row] + drawn));
            CHECK(result.user[i] == log.user[row]);
            rows.insert(row);
            ++counts[drawn];
        }
        CHECK(rows.size() == log.size());
    }
    CHECK(counts.size() == 5);
    CHECK(counts.begin()->first == -2);
    CHECK(counts.rbegin()->first == 2);
    CHECK(equal(shake(log, 0, stream(0)), log));
}

TEST_CASE("an empty list and a single job can be resampled") {
    CHECK(resample_users({}, 3, stream(0)).size() == 0);
    CHECK(shake({}, 3, stream(0)).size() == 0);
    CHECK(weeks_spanned({}) == 1);
    const JobList one = jobs_of({{42, -1}});
    CHECK(resample_users(one, 1, stream(0)).submit == std::vector<double>{42});
}

}  // namespace schedfarm::models::trace
