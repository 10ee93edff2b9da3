#include "models/trace/built_in_logs.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/random/stream.hpp"

#include "models/trace/reading/clock.hpp"

namespace schedfarm::models::trace {

namespace {

constexpr const char* monday = "946857600";  // 2000-01-03 00:00, UTC

constexpr std::uint32_t users = 25;
constexpr std::uint32_t jobs_per_user = 80;
constexpr std::uint32_t weeks = 12;

struct ExampleJob {
    std::int64_t user;
    double submit;
    double run;
    double request;
    std::int32_t processors;
    std::int64_t group;
    std::int64_t queue;  ///< 1: up to an hour, 2: longer
    double memory_kb;    ///< requested
};

/// User u works in the weeks u mod 7 … u mod 7 + 5, on weekdays, from 8 to 20 o'clock.
ExampleJob example_job(std::uint32_t number, const engine::Stream& stream) {
    std::array<std::uint32_t, 6> words{};
    stream.fill_words(std::uint64_t{number} * words.size(), words);
    const std::uint32_t user = number / jobs_per_user;
    const std::uint32_t week = (user % 7 + engine::scaled_word(words[0], 6)) % weeks;
    const std::uint32_t day = engine::scaled_word(words[1], 5);
    const std::uint32_t second = 8 * 3600 + engine::scaled_word(words[2], 12 * 3600);
    const double run = 1 + engine::scaled_word(words[3], 60U << (user % 9));
    const double quarters = 1 + static_cast<double>(engine::scaled_word(words[4], 4));
    const double request = run < 900 * quarters ? 900 * quarters : 4 * 900 * quarters;
    return {
        .user = std::int64_t{user},
        .submit = week * week_s + day * day_s + second,
        .run = run,
        .request = request,
        .processors = 1 << engine::scaled_word(words[5], 6),
        .group = std::int64_t{user % 4},
        .queue = request <= 3600 ? 1 : 2,
        .memory_kb = 65536.0 * (1 + user % 3)};
}

template <typename T>
Column<T> column(const std::vector<ExampleJob>& jobs, T ExampleJob::*member) {
    std::vector<T> values;
    values.reserve(jobs.size());
    for (const ExampleJob& job : jobs) {
        values.push_back(job.*member);
    }
    return Column<T>(std::move(values));
}

Log example_log() {
    const engine::Stream stream(1, engine::Purpose::resampling, 0);
    std::vector<ExampleJob> jobs;
    for (std::uint32_t number = 0; number < users * jobs_per_user; ++number) {
        jobs.push_back(example_job(number, stream));
    }
    std::stable_sort(jobs.begin(), jobs.end(), [](const ExampleJob& a, const ExampleJob& b) {
        return a.submit < b.submit;
    });
    std::vector<std::int64_t> numbers(jobs.size());
    std::iota(numbers.begin(), numbers.end(), 1);
    Log log;
    log.name = "example";
    log.header.lines = {
        {.key = "Computer", .value = "none (generated)"},
        {.key = "UnixStartTime", .value = monday},
        {.key = "MaxProcs", .value = "64"}};
    log.job_number = Log::Names(std::move(numbers));
    log.submit_time = column(jobs, &ExampleJob::submit);
    log.run_time = column(jobs, &ExampleJob::run);
    log.allocated_processors = column(jobs, &ExampleJob::processors);
    log.requested_time = column(jobs, &ExampleJob::request);
    log.requested_memory = column(jobs, &ExampleJob::memory_kb);
    log.user = column(jobs, &ExampleJob::user);
    log.group = column(jobs, &ExampleJob::group);
    log.queue = column(jobs, &ExampleJob::queue);
    return log;
}

constexpr std::string_view mm1_prefix = "mm1_weeks.";
constexpr std::uint32_t mm1_weeks = 10;
constexpr std::uint32_t mm1_users = 50;
constexpr double mm1_gap = week_s / 600;
constexpr double mm1_service = 0.8 * mm1_gap;

/// Its number, from the name; absent where the name is another.
std::optional<std::uint64_t> mm1_number(std::string_view name) {
    std::uint64_t number = 0;
    if (!name.starts_with(mm1_prefix)) {
        return std::nullopt;
    }
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + mm1_prefix.size(), end, number);
    return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

/// Mean 1.
double unit_exponential(std::uint32_t word) {
    return -engine::logarithm((word + 0.5) * 0x1p-32);
}

/// A last job comes when the weeks are over: the log is of as many whole weeks as are generated.
Log mm1_log(std::uint64_t number) {
    const engine::Stream stream(number, engine::Purpose::arrivals, 0);
    std::vector<double> submits;
    std::vector<double> runs;
    std::vector<std::int64_t> submitters;
    constexpr double end = mm1_weeks * week_s;
    for (double time = 0; time < end;) {
        std::array<std::uint32_t, 3> words{};
        stream.fill_words(words.size() * submits.size(), words);
        time += unit_exponential(words[0]) * mm1_gap;
        submits.push_back(std::min(time, end));
        runs.push_back(unit_exponential(words[1]) * mm1_service);
        submitters.push_back(std::int64_t{engine::scaled_word(words[2], mm1_users)});
    }
    std::vector<std::int64_t> numbers(submits.size());
    std::iota(numbers.begin(), numbers.end(), 1);
    Log log;
    log.name = fmt::format("{}{}", mm1_prefix, number);
    log.header.lines = {
        {.key = "Computer", .value = "none (generated)"},
        {.key = "UnixStartTime", .value = monday},
        {.key = "MaxProcs", .value = "1"}};
    log.allocated_processors = Log::Integers(std::vector<std::int32_t>(numbers.size(), 1));
    log.job_number = Log::Names(std::move(numbers));
    log.submit_time = Column<double>(std::move(submits));
    log.run_time = Column<double>(runs);
    log.requested_time = Column<double>(std::move(runs));
    log.user = Log::Names(std::move(submitters));
    return log;
}

}  // namespace

bool is_built_in_log(std::string_view name) {
    return name == "example" || mm1_number(name).has_value();
}

Log built_in_log(std::string_view name) {
    SCHEDFARM_EXPECT(is_built_in_log(name), "no built-in log of that name");
    return name == "example" ? example_log() : mm1_log(*mm1_number(name));
}

std::optional<std::string> log_of_seed(std::string_view name, std::uint64_t seed) {
    const bool is_drawn = name == mm1_prefix.substr(0, mm1_prefix.size() - 1);
    return is_drawn ? std::optional(fmt::format("{}{}", mm1_prefix, seed)) : std::nullopt;
}

}  // namespace schedfarm::models::trace
