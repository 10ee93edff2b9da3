// What holds for every policy that is registered. Names none.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/contract_cells.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

bool has_parameter(const PolicyDescription& policy, std::string_view name) {
    for (const ParameterDescription& parameter : policy.alternative.parameters) {
        if (parameter.name == name) {
            return true;
        }
    }
    return false;
}

/// The settings worth running: the defaults, and each word, small integer and boolean in turn.
std::vector<Parameters> settings_of(const PolicyDescription& policy) {
    std::vector<Parameters> settings(1);
    const auto add = [&settings](const std::string& name, const Value& value) {
        settings.emplace_back().set(name, value);
    };
    for (const ParameterDescription& parameter : policy.alternative.parameters) {
        for (const std::string& word : parameter.words) {
            add(parameter.name, word);
        }
        if (parameter.type == ParameterType::integer) {
            for (const int value : {0, 1, 2, 5}) {
                add(parameter.name, value);
            }
        }
        if (parameter.type == ParameterType::boolean) {
            add(parameter.name, true);
            add(parameter.name, false);
        }
    }
    if (policy.alternative.check) {
        const auto is_refused = [&policy](const Parameters& given) {
            return !policy.alternative.check(with_defaults(policy.alternative.parameters, given))
                        .empty();
        };
        settings.erase(
            std::remove_if(settings.begin(), settings.end(), is_refused), settings.end()
        );
    }
    return settings;
}

/// The policies, with settings, whose traits say so; those with a placement use the word given.
std::vector<PolicyUnderTest> first_come_first_served(const char* placement) {
    std::vector<PolicyUnderTest> found;
    for (const PolicyDescription& description : policies_under_test()) {
        for (Parameters given : settings_of(description)) {
            if (has_parameter(description, "placement")) {
                given.set("placement", placement);
            }
            if (has_parameter(description, "inner")) {
                Choice inner{.name = "fcfs"};
                inner.parameters.set("placement", placement);
                given.set("inner", Value::List{inner});
            }
            const PolicyUnderTest policy(description, given);
            if (description.traits(policy.parameters).first_come_first_served) {
                found.push_back(policy);
            }
        }
    }
    return found;
}

/// Cells of every kind and structure.
const std::vector<TestCell>& some_cells() {
    static const std::vector<TestCell> cells = [] {
        std::vector<TestCell> made;
        const std::size_t count = short_or_long(1U, 3U) * structures.size();
        for (const ExperimentKind kind : kinds) {
            for (std::size_t i = 0; i < count; ++i) {
                Dice dice(i);
                made.push_back(random_cell(dice, kind, structures[i % structures.size()]));
            }
        }
        return made;
    }();
    return cells;
}

}  // namespace

TEST_CASE("every policy passes the verifiers, repeats itself, and draws where its traits say so") {
    for (const PolicyDescription& description : policies_under_test()) {
        for (const Parameters& given : settings_of(description)) {
            const PolicyUnderTest policy(description, given);
            CAPTURE(description.alternative.name);
            CAPTURE(policy.parameters.text());
            const bool draws = description.traits(policy.parameters).draws;
            CAPTURE(draws);
            bool has_drawn = false;
            for (const TestCell& cell : some_cells()) {
                if (!serves(description, cell)) {
                    continue;
                }
                const Observations first = run_general(policy, cell);
                const Observations other = run_general(policy, cell, nullptr, 1);
                const Observations second = draws ? run_general(policy, cell) : other;
                REQUIRE(first.fingerprint == second.fingerprint);
                REQUIRE(first.jobs == second.jobs);
                has_drawn = has_drawn || first.fingerprint != other.fingerprint;
            }
            CHECK(has_drawn == draws);
        }
    }
}

TEST_CASE("policies that are first come first served all give the same schedule") {
    const std::array placement = {"first_fit", "best_fit", "worst_fit", "first_fit_decreasing"};
    for (std::uint64_t seed = 0; seed < short_or_long(30U, 100U); ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const ExperimentKind kind = kinds[dice.below(4)];
        const TestCell cell = random_cell(dice, kind, structures[dice.below(4)]);
        std::vector<Observations> schedules;
        for (const PolicyUnderTest& policy : first_come_first_served(placement[dice.below(4)])) {
            schedules.push_back(run_general(policy, cell));
            REQUIRE(schedules.back().fingerprint == schedules.front().fingerprint);
        }
        REQUIRE(schedules.size() >= 2);
    }
}

TEST_CASE("every policy documents itself") {
    for (const PolicyDescription& description : policies_under_test()) {
        CAPTURE(description.alternative.name);
        CHECK(!description.alternative.summary.empty());
        CHECK(!description.alternative.source.empty());
        CHECK(make_own_verifier(
            description,
            with_defaults(description.alternative.parameters),
            {{.clusters = {64}}, Stream(1, Purpose::policy, 0)}
        ));
        for (const ParameterDescription& parameter : description.alternative.parameters) {
            CHECK(!parameter.meaning.empty());
            CHECK(parameter.default_value.has_value());
        }
    }
}

TEST_CASE("processors that leave and come back are served by the general kernel alone") {
    for (const PolicyDescription& description : policies_under_test()) {
        for (std::uint64_t seed = 0; seed < short_or_long(8U, 30U); ++seed) {
            Dice dice(seed);
            TestCell cell = random_cell(dice, ExperimentKind::open, RequestStructure::total);
            const std::uint32_t processors = cell.system.processors();
            cell.system.outages.listed = {{.from = 3, .until = 8, .count = processors}};
            for (const Parameters& given : settings_of(description)) {
                const PolicyUnderTest policy(description, given);
                CAPTURE(description.alternative.name);
                CAPTURE(policy.parameters.text());
                CHECK(!run_specialised(policy, cell));
                if (serves(description, cell)) {
                    CHECK(run_general(policy, cell).jobs == cell.experiment.horizon.jobs);
                }
            }
        }
    }
}

}  // namespace schedfarm::tests
