// Backfilling policies against second implementations and against each other, start by start, over
// random workloads with many simultaneous events.
#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/backfilling/plain_easy.hpp"
#include "tests/policies/schedule_log.hpp"

namespace schedfarm::tests {

namespace {

/// How estimates differ from run times.
enum class Estimates : std::uint8_t { exact, too_long, any };

Jobs random_jobs(Dice& dice, std::uint32_t count, std::uint32_t processors, Estimates estimates) {
    Jobs jobs;
    const bool has_fractions = dice.below(4) == 0;
    const std::uint32_t spread = 1 + dice.below(6);
    double submit = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        submit += dice.below(3) == 0 ? dice.below(spread) : 0;
        submit += has_fractions ? dice.below(1000) / 997.0 : 0;
        GivenJob job;
        job.submit_time = submit;
        const std::uint32_t most = dice.below(4) == 0 ? processors : (processors + 2) / 3;
        job.components = {1 + dice.below(most)};
        job.service_time = dice.below(10) == 0 ? 0 : 1 + dice.below(9);
        job.service_time *= has_fractions ? 0.1 + dice.below(1000) / 1009.0 : 1;
        if (estimates != Estimates::exact) {
            const double error = dice.below(3) == 0 ? 0 : dice.below(8);
            job.estimate = job.service_time + error;
        }
        if (estimates == Estimates::any && dice.below(4) == 0) {
            job.estimate = job.service_time * dice.below(4) / 4;
        }
        jobs.push_back(job);
    }
    return jobs;
}

Jobs random_jobs(Dice& dice, std::uint32_t count, std::uint32_t processors) {
    constexpr std::array kinds = {Estimates::exact, Estimates::too_long, Estimates::any};
    return random_jobs(dice, count, processors, kinds[dice.below(3)]);
}

const char* one_of(Dice& dice, const std::vector<const char*>& words) {
    return words[dice.below(static_cast<std::uint32_t>(words.size()))];
}

EasyWords random_words(Dice& dice) {
    EasyWords words;
    words.simultaneous =
        one_of(dice, {"batch", "finish_first", "submit_first", "finish_by_finish"});
    words.candidate_time = one_of(dice, {"requested", "requested", "actual"});
    words.running_time = one_of(dice, {"requested", "requested", "actual"});
    words.extra_rule = one_of(dice, {"on", "on", "off"});
    words.shadow = one_of(dice, {"recomputed", "recomputed", "kept"});
    words.order = one_of(dice, {"fcfs", "fcfs", "sjf", "lxf", "smallest_area", "wfp"});
    return words;
}

Parameters parameters_of(const EasyWords& words) {
    return with_words(
        {{"simultaneous", words.simultaneous.c_str()},
         {"candidate_time", words.candidate_time.c_str()},
         {"running_time", words.running_time.c_str()},
         {"extra_rule", words.extra_rule.c_str()},
         {"shadow", words.shadow.c_str()},
         {"order", words.order.c_str()}}
    );
}

}  // namespace

TEST_CASE("EASY starts every job when the plain implementation does with all options") {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const std::uint32_t processors = 2 + dice.below(20);
        const Jobs jobs = random_jobs(dice, 2 + dice.below(50), processors);
        const EasyWords words = random_words(dice);
        const Parameters parameters = parameters_of(words);
        CAPTURE(parameters.text());
        REQUIRE(
            starts_of("easy", parameters, processors, jobs)
            == PlainEasy(words, processors, jobs).run()
        );
    }
}

TEST_CASE("EASY starts every job when the plain implementation does with long queues") {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const Jobs jobs = random_jobs(dice, 400, 64);
        EasyWords words;
        words.simultaneous = one_of(dice, {"batch", "submit_first", "finish_by_finish"});
        REQUIRE(
            starts_of("easy", parameters_of(words), 64, jobs) == PlainEasy(words, 64, jobs).run()
        );
    }
}

TEST_CASE("one reservation is EASY and a thousand million are conservative backfilling") {
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const std::uint32_t processors = 2 + dice.below(20);
        const Jobs jobs = random_jobs(dice, 2 + dice.below(50), processors);
        const char* simultaneous = one_of(dice, {"batch", "finish_first", "submit_first"});
        Parameters parameters = with_words({{"simultaneous", simultaneous}});
        const Times easy = starts_of("easy", parameters, processors, jobs);
        const Times conservative = starts_of("conservative", parameters, processors, jobs);
        parameters.set("reservations", 1);
        REQUIRE(starts_of("k_reservations", parameters, processors, jobs) == easy);
        parameters.set("reservations", 1'000'000'000);
        REQUIRE(starts_of("k_reservations", parameters, processors, jobs) == conservative);
    }
}

// With estimates at least the run times the verifiers compare each instant with a plain plan and
// hold the policy to its first promise (tests/policies/verifiers/plain_reservations_verifier.cpp).
TEST_CASE("policies that reserve keep to a plain plan and their promises") {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const std::uint32_t processors = 2 + dice.below(20);
        const Jobs jobs = random_jobs(
            dice,
            2 + dice.below(50),
            processors,
            dice.below(3) == 0 ? Estimates::exact : Estimates::too_long
        );
        const char* compress = one_of(dice, {"every_finish", "early_finish"});
        const auto drawn_order = [&] {
            return with_words(
                {{"simultaneous", one_of(dice, {"batch", "finish_first", "submit_first"})},
                 {"compress", compress}}
            );
        };
        Parameters parameters = drawn_order();
        REQUIRE_NOTHROW(starts_of("conservative", parameters, processors, jobs));
        parameters.set("expansion_factor", 1.0 + dice.below(5));
        REQUIRE_NOTHROW(starts_of("selective", parameters, processors, jobs));
        Parameters several = drawn_order();
        several.set("reservations", static_cast<int>(dice.below(6)));
        REQUIRE_NOTHROW(starts_of("k_reservations", several, processors, jobs));
    }
}

// Plans of more than 192 steps are searched in another way (engine/planning/profile).
TEST_CASE("policies that reserve keep to a plain plan and their promises with long queues") {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const Jobs jobs = random_jobs(dice, 500, 64, Estimates::too_long);
        const char* compress = one_of(dice, {"every_finish", "early_finish"});
        Parameters parameters = with_words({{"compress", compress}});
        REQUIRE_NOTHROW(starts_of("conservative", parameters, 64, jobs));
        parameters.set("reservations", 300);
        REQUIRE_NOTHROW(starts_of("k_reservations", parameters, 64, jobs));
    }
}

}  // namespace schedfarm::tests
