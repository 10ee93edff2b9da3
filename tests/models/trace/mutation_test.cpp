// Damaged logs never crash: they are refused with a line and a reason, where a plain second reading
// refuses the same line, or both readings give the same columns. SCHEDFARM_MUTATIONS sets how many
// (10,000), SCHEDFARM_MUTATION_SEED which.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/reader.hpp"

#include "tests/models/trace/plain_reader.hpp"
#include "tests/support/text_damage.hpp"

namespace schedfarm::models::trace {

namespace {

using schedfarm::tests::Dice;

std::uint64_t from_environment(const char* name, std::uint64_t fallback) {
    const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

/// A log as the archive's are written: columns padded, decimals in the CPU time, some oddities.
std::string right_log(Dice& dice) {
    std::string text =
        "; Version: 2.2\n; UnixStartTime: 843480031\n; MaxProcs: 128\n; Note: generated\n;\n";
    const std::size_t jobs = 20 + dice.below(60);
    for (std::size_t job = 1; job <= jobs; ++job) {
        for (std::size_t field = 0; field < field_count; ++field) {
            std::string number = field == 0   ? std::to_string(job)
                                 : field == 1 ? std::to_string(job * 100 + dice.below(300))
                                 : dice.below(3) == 0
                                     ? "-1"
                                     : std::to_string(dice.below(field == 10 ? 6 : 40000));
            if (field == 5) {
                number += ".50";
            }
            text += std::string(1 + dice.below(6), ' ') + number;
        }
        text += '\n';
    }
    return text;
}

void replace_number(std::string& text, Dice& dice) {
    static const char* const numbers[] = {
        "0",
        "-1",
        "-2",
        "1e3",
        "1e308",
        "1e999",
        "nan",
        "-inf",
        "2147483647",
        "2147483648",
        "3.",
        "99999999999999999999",
        "0x10",
        ".",
        "",
        "4.00",
        "2.5",
        "--1",
        "123456789",
        "1,5",
        "+3",
        "-",
        "0.30000000000000004",
        "1e-999",
        "00000000000000000000001"};
    const std::size_t from = dice.below(text.size());
    const std::size_t begin = text.find_first_of("0123456789", from);
    if (begin != std::string::npos) {
        const std::size_t end = text.find_first_not_of("0123456789.", begin);
        text.replace(begin, end - begin, numbers[dice.below(std::size(numbers))]);
    }
}

/// Another character of numbers in a number, before it or in the place of one of its own: readers
/// that take a shortcut by the form of a number err there.
void disturb_number(std::string& text, Dice& dice) {
    static const std::string of_numbers = "0123456789-+.eE-.e00";  // some more often
    const std::size_t begin = text.find_first_of(of_numbers, dice.below(text.size()));
    if (begin == std::string::npos) {
        return;
    }
    const std::size_t end = std::min(text.find_first_not_of(of_numbers, begin), text.size());
    const std::size_t place = begin + dice.below(end - begin);
    text.replace(place, dice.below(2), 1, of_numbers[dice.below(of_numbers.size())]);
}

void damage(std::string& text, Dice& dice) {
    using namespace std::string_view_literals;
    const schedfarm::tests::DamageSizes sizes{200, " \t\n\r\v\f;:.-+eE\0\xff\x80"sv};
    switch (dice.below(10)) {
        case 0:
            text.insert(dice.below(text.size()), dice.below(300), ' ');
            return;
        case 1:
            text.resize(dice.below(text.size()));
            return;
        case 2:
            replace_number(text, dice);
            return;
        case 3:
        case 4:
        case 5:
            disturb_number(text, dice);
            return;
        default:
            damage_bytes(text, sizes, dice);
    }
}

std::string mutated_log(std::uint64_t seed) {
    Dice dice(seed);
    std::string text = right_log(dice);
    const std::size_t times = dice.below(5);
    for (std::size_t i = 0; i < times && !text.empty(); ++i) {
        damage(text, dice);
    }
    return text;
}

struct Outcome {
    bool is_accepted = false;
    std::string problem;  ///< what is wrong with the verdict
};

Outcome judge(const std::string& text) {
    const tests::PlainLog plain = tests::plain_log(text);
    try {
        return {true, tests::difference(read_log_text(text, "a.swf"), plain)};
    } catch (const LogError& error) {
        const std::string start = "a.swf:" + std::to_string(plain.wrong_line) + ": ";
        const std::string message = error.what();
        const bool is_right = plain.wrong_line > 0 && message.starts_with(start)
                              && message.find(" (") != std::string::npos && message.back() == '.';
        return {false, is_right ? "" : "expected " + start + "… but " + message};
    }
}

}  // namespace

TEST_CASE("mutated logs are refused with a reason or mean what they say") {
    const std::uint64_t count = from_environment("SCHEDFARM_MUTATIONS", 10'000);
    const std::uint64_t first = from_environment("SCHEDFARM_MUTATION_SEED", 0);
    std::uint64_t accepted = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const std::string text = mutated_log(seed);
        const Outcome outcome = judge(text);
        accepted += outcome.is_accepted ? 1 : 0;
        if (!outcome.problem.empty()) {
            CAPTURE(seed);
            CAPTURE(text);
            CHECK(outcome.problem == "");
        }
    }
    MESSAGE(accepted, " of ", count, " accepted");
    CHECK(accepted > count / 5);
    CHECK(accepted < count);
}

}  // namespace schedfarm::models::trace
