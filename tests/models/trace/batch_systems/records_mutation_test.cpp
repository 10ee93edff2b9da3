// Damaged accounting records never crash, and none is lost: every line is a job, is counted, or the
// file is refused. SCHEDFARM_MUTATIONS sets how many (10,000), SCHEDFARM_MUTATION_SEED which.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/reader.hpp"

#include "tests/support/text_damage.hpp"

namespace schedfarm::models::trace {

namespace {

std::uint64_t environment_number(const char* name, std::uint64_t fallback) {
    const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

std::string file_text(const char* name) {
    std::ifstream in(std::string(SCHEDFARM_TRACE_DATA) + "/" + name, std::ios::binary);
    REQUIRE(in.good());
    return {std::istreambuf_iterator<char>(in), {}};
}

void replace_one_number(std::string& text, tests::Dice& dice) {
    constexpr std::array numbers{
        "0",
        "-1",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "99999999999999999999",
        "1e308",
        "nan",
        "2.5",
        ""};
    const std::size_t begin = text.find_first_of("0123456789", dice.below(text.size()));
    if (begin != std::string::npos) {
        const std::size_t end = text.find_first_not_of("0123456789", begin);
        text.replace(begin, end - begin, numbers.at(dice.below(numbers.size())));
    }
}

/// Lines that say something: none of one character is counted.
std::uint64_t lines_of(const std::string& text) {
    std::uint64_t lines = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::size_t first = text.find_first_not_of(" \t\r\v\f", begin);
        const std::size_t last = text.find_last_not_of(" \t\r\v\f", end == 0 ? 0 : end - 1);
        lines += first < end && last != std::string::npos && last > first ? 1U : 0U;
        begin = end + 1;
    }
    return lines;
}

std::uint64_t counted_lines(const Log& log) {
    std::uint64_t lines = log.jobs();
    for (const Oddity& oddity : log.oddities) {
        switch (oddity.kind) {
            case OddityKind::torn_row:
            case OddityKind::unreadable_row:
            case OddityKind::doubled_row:
            case OddityKind::job_step:
            case OddityKind::comment_among_jobs:
            case OddityKind::other_record:
            case OddityKind::continued_record:
            case OddityKind::resized:
                lines += oddity.count;
                break;
            default:
                break;
        }
    }
    return lines;
}

bool has_right_values(const Log& log) {
    constexpr double largest = std::numeric_limits<std::int32_t>::max();
    for (std::size_t row = 0; row < log.jobs(); ++row) {
        for (const double time :
             {log.submit_time[row],
              log.run_time[row],
              log.requested_time[row] == limit_of_partition ? 0 : log.requested_time[row]}) {
            if (!std::isfinite(time) || time < -1 || time > 1e15) {
                return false;
            }
        }
        for (const double count :
             {double(log.allocated_processors[row]), double(log.requested_processors[row])}) {
            if (count < -1 || count > largest) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace

TEST_CASE("damaged records are refused with a reason or every line of them is counted") {
    constexpr std::array files{
        "pbs_pro.acct",
        "torque.acct",
        "sge.accounting",
        "uge.accounting",
        "lsb.acct",
        "jobcomp.txt"};
    const std::uint64_t count = environment_number("SCHEDFARM_MUTATIONS", 10'000);
    const std::uint64_t first = environment_number("SCHEDFARM_MUTATION_SEED", 0);
    const tests::DamageSizes sizes{200, " \n\r\t:;=\"\\[]*+/|,#\xff"};
    std::array<std::string, files.size()> texts;
    std::transform(files.begin(), files.end(), texts.begin(), file_text);
    std::uint64_t accepted = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        tests::Dice dice(seed);
        const std::size_t which = dice.below(files.size());
        std::string text = texts.at(which);
        const std::size_t times = dice.below(6);
        for (std::size_t i = 0; i < times && !text.empty(); ++i) {
            if (dice.below(2) == 0) {
                replace_one_number(text, dice);
            } else {
                damage_bytes(text, sizes, dice);
            }
        }
        Reading reading;
        reading.format = static_cast<LogFormat>(
            static_cast<std::size_t>(LogFormat::pbs)
            + std::array<std::size_t, files.size()>{0, 0, 1, 1, 2, 3}.at(which)
        );
        CAPTURE(seed);
        try {
            const Log log = read_log_text(text, "a.log", reading);
            ++accepted;
            if (!has_right_values(log) || counted_lines(log) < lines_of(text)) {
                CAPTURE(text);
                CHECK(has_right_values(log));
                CHECK(counted_lines(log) >= lines_of(text));
            }
        } catch (const LogError& error) {
            const std::string message = error.what();
            CHECK(message.starts_with("a.log"));
            CHECK(message.find('\n') == std::string::npos);
        }
    }
    MESSAGE(accepted, " of ", count, " accepted");
    CHECK(accepted > count / 2);
}

}  // namespace schedfarm::models::trace
