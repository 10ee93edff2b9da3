#include "models/trace/example_log.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "engine/random/stream.hpp"

#include "models/trace/clock.hpp"

namespace schedfarm::models::trace {

namespace {

constexpr std::uint32_t users = 25;
constexpr std::uint32_t jobs_per_user = 80;
constexpr std::uint32_t weeks = 12;

struct ExampleJob {
    std::int32_t user;
    double submit;
    double run;
    double request;
    std::int32_t processors;
    std::int32_t group;
    std::int32_t queue;  ///< 1: up to an hour, 2: longer
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
        .user = static_cast<std::int32_t>(user),
        .submit = week * week_s + day * day_s + second,
        .run = run,
        .request = request,
        .processors = 1 << engine::scaled_word(words[5], 6),
        .group = static_cast<std::int32_t>(user % 4),
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

}  // namespace

Log example_log() {
    const engine::Stream stream(1, engine::Purpose::resampling, 0);
    std::vector<ExampleJob> jobs;
    for (std::uint32_t number = 0; number < users * jobs_per_user; ++number) {
        jobs.push_back(example_job(number, stream));
    }
    std::stable_sort(jobs.begin(), jobs.end(), [](const ExampleJob& a, const ExampleJob& b) {
        return a.submit < b.submit;
    });
    std::vector<std::int32_t> numbers(jobs.size());
    std::iota(numbers.begin(), numbers.end(), 1);
    Log log;
    log.name = "example";
    log.header.lines = {
        {.key = "Computer", .value = "none (generated)"},
        {.key = "UnixStartTime", .value = "946857600"},  // Monday, 2000-01-03
        {.key = "MaxProcs", .value = "64"}};
    log.job_number = Log::Integers(std::move(numbers));
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

}  // namespace schedfarm::models::trace
