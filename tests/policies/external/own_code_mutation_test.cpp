// Answers of policies, rows behind libraries and expressions of metrics are texts of others:
// damaged ones are understood, or refused in words. SCHEDFARM_MUTATIONS sets how many of each are
// read (10,000; in the long form 100,000), SCHEDFARM_MUTATION_SEED which.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/foundation/expression.hpp"
#include "engine/foundation/utf8.hpp"
#include "engine/simulation/measurement/own_metric.hpp"
#include "engine/simulation/measurement/recorder.hpp"

#include "policies/external/code.hpp"
#include "policies/external/dialogue.hpp"
#include "policies/external/plugin.hpp"

#include "tests/support/long_form.hpp"
#include "tests/support/text_damage.hpp"

namespace schedfarm::policies {

namespace {

using schedfarm::tests::Dice;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

/// One or two damages of what a program in a hurry may write.
std::string damaged_text(std::string text, Dice& dice) {
    static const char* const words[] = {
        "-1",
        "1e999",
        "18446744073709551616",
        "NaN",
        "null",
        "[]",
        "{}",
        "\"\"",
        "true",
        "0.5",
        "[[[[[",
        "\"\\ud800\"",
        "\xff",
        "(",
        "1/0 ",
        "exp(",
        "-",
        "min(1,"};
    for (std::uint64_t damage = 1 + dice.below(2); damage > 0 && !text.empty(); --damage) {
        if (dice.below(2) == 0) {
            const std::size_t at = dice.below(text.size());
            const std::size_t lost = dice.below(2) * dice.below(8);
            text.replace(at, lost, words[dice.below(std::size(words))]);
        } else {
            schedfarm::tests::damage_bytes(text, {8, "{}[]:,\"0-e.()*/+\\\n"}, dice);
        }
    }
    return text;
}

void expect_words(const std::exception& error) {
    const std::string words = error.what();
    CHECK_FALSE(words.empty());
    CHECK(words.size() < 2000);
    CHECK(engine::without_controls(words) == words);
}

/// read(text) for so many damaged texts: how many are understood.
void expect_read_or_refused(const std::vector<std::string>& whole, const auto& read) {
    const std::uint64_t count =
        from_environment("SCHEDFARM_MUTATIONS", tests::short_or_long<std::uint64_t>(10000, 100000));
    const std::uint64_t first = from_environment("SCHEDFARM_MUTATION_SEED", 1);
    std::uint64_t understood = 0;
    for (const std::string& text : whole) {
        CHECK(read(text));
    }
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        Dice dice(seed);
        CAPTURE(seed);
        understood += read(damaged_text(whole[seed % whole.size()], dice)) ? 1U : 0U;
    }
    MESSAGE(understood, " of ", count, " understood");
    CHECK(understood > count / 200);
    CHECK(understood < count);
}

}  // namespace

TEST_CASE("answers of policies are understood or refused in words, however they are damaged") {
    PolicyAnswer answer;
    expect_read_or_refused(
        {R"({"start": [3, 17], "wake": 12.5})",
         R"({"start": [{"job": 3, "clusters": [[0, 4], [1, 2]]}], "wake": [1.5, 2e3]})",
         R"({"start": [{"job": 9, "processors": [[0, 2], [7, 2]]}, 12]})",
         R"({})"},
        [&answer](const std::string& text) {
            try {
                read_answer(text, answer);
            } catch (const std::runtime_error& error) {
                expect_words(error);
                return false;
            }
            for (const AskedStart& start : answer.starts) {
                CHECK(start.job <= (std::uint64_t{1} << 53));
            }
            return true;
        }
    );
}

TEST_CASE("the row behind a library is read or refused in words, however it is damaged") {
    const std::string row = fmt::format(
        R"({{"compiler":"GNU 12.2.0","interface":"{}","name":"mine","parameters":[{{"default":4,)"
        R"("meaning":"an even number","name":"even","range":[null,9.0,true,false],"type":"integer",)"
        R"("unit":"","words":[]}},{{"default":null,"meaning":"how","name":"how","range":)"
        R"([null,null,true,true],"type":"text","unit":"","words":["so","thus"]}}],"source":"mine.cpp",)"
        R"("summary":"Starts nothing.","traits":[true,false,false,true,false,true,false,false]}})",
        plugin_interface()
    );
    std::uint64_t number = 0;
    expect_read_or_refused({row}, [&number](const std::string& text) {
        // A file of another name each time: a known one is not read again.
        const std::filesystem::path library =
            std::filesystem::temp_directory_path()
            / fmt::format("schedfarm-row-{}-{}.so", ::getpid(), ++number);
        std::ofstream(library, std::ios::binary)
            << "\x7f"
               "ELF"
            << text << "schedfarm-policy" << fmt::format("{:08}", text.size());
        bool is_read = true;
        try {
            is_read = !plugin_row(library).summary.empty();
        } catch (const ExternalPolicyError& error) {
            expect_words(error);
            is_read = false;
        }
        std::filesystem::remove(library);
        return is_read;
    });
}

TEST_CASE("expressions of metrics are read or refused in words, however they are damaged") {
    std::vector<double> stack;
    const engine::JobRecord job{
        .index = 3,
        .submit_time = 1,
        .start_time = 4,
        .finish_time = 9,
        .service_time = 5,
        .size = 2};
    expect_read_or_refused(
        {"wait / sqrt(service_time)",
         "processors * log(1 + response_time) - 2 * min(wait, 2.5, start_time)",
         "max(finish_time - submit_time, 1e-3) / 60 * weight + 0 * wait"},
        [&](const std::string& text) {
            try {
                const engine::OwnMetric metric("mine", text);
                const double value = metric.of_job(job, stack);
                CHECK(std::isfinite(value));
            } catch (const engine::ExpressionError& error) {
                CHECK(error.offset() <= text.size());
                CHECK_FALSE(std::string(error.what()).empty());
                return false;
            } catch (const std::runtime_error& error) {  // of this job
                CHECK(std::string(error.what()).find("of job 3 is not a finite number") < 2000);
                return false;
            }
            return true;
        }
    );
}

}  // namespace schedfarm::policies
