// What holds for every policy that is registered. Names none.
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

#include "tests/policies/cells.hpp"

namespace schedfarm::tests {

namespace {

constexpr RequestStructure structures[] = {
    RequestStructure::total,
    RequestStructure::ordered,
    RequestStructure::unordered,
    RequestStructure::grouped};

constexpr ExperimentKind kinds[] = {
    ExperimentKind::bin_filling,
    ExperimentKind::open,
    ExperimentKind::saturated,
    ExperimentKind::trace,
    ExperimentKind::offline};

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
    return settings;
}

}  // namespace

TEST_CASE("every policy passes the verifiers and repeats itself") {
    for (const PolicyDescription& description : policies::catalogue()) {
        for (const Parameters& given : settings_of(description)) {
            const PolicyUnderTest policy(description, given);
            for (const ExperimentKind kind : kinds) {
                for (const RequestStructure structure : structures) {
                    for (std::uint64_t seed = 0; seed < 6; ++seed) {
                        CAPTURE(description.alternative.name);
                        CAPTURE(policy.parameters.text());
                        CAPTURE(static_cast<int>(kind));
                        CAPTURE(static_cast<int>(structure));
                        CAPTURE(seed);
                        Dice dice(seed);
                        const TestCell cell = random_cell(dice, kind, structure);
                        const Observations first = run_general(policy, cell);
                        const Observations second = run_general(policy, cell);
                        REQUIRE(first.fingerprint == second.fingerprint);
                        REQUIRE(first.jobs == second.jobs);
                    }
                }
            }
        }
    }
}

TEST_CASE("policies that are first come first served all give the same schedule") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Dice dice(seed);
        const ExperimentKind kind = kinds[dice.below(5)];
        const TestCell cell = random_cell(dice, kind, structures[dice.below(4)]);
        const char* const placement[] = {"first_fit", "best_fit", "worst_fit"};
        const char* const word = placement[dice.below(3)];
        std::vector<Observations> schedules;
        for (const PolicyDescription& description : policies::catalogue()) {
            for (Parameters given : settings_of(description)) {
                if (has_parameter(description, "placement") && !given.contains("placement")) {
                    given.set("placement", word);
                }
                const PolicyUnderTest policy(description, given);
                if (description.traits(policy.parameters).first_come_first_served
                    && policy.parameters.text("placement") == word) {
                    schedules.push_back(run_general(policy, cell));
                }
            }
        }
        REQUIRE(schedules.size() >= 2);
        for (const Observations& schedule : schedules) {
            CAPTURE(seed);
            REQUIRE(schedule.fingerprint == schedules.front().fingerprint);
        }
    }
}

TEST_CASE("bin filling is the same under every policy with the same placement") {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Dice dice(seed);
        const TestCell cell =
            random_cell(dice, ExperimentKind::bin_filling, structures[dice.below(4)]);
        std::vector<Observations> fillings;
        for (const PolicyDescription& description : policies::catalogue()) {
            fillings.push_back(run_general({description, {}}, cell));
            REQUIRE(fillings.back().fingerprint == fillings.front().fingerprint);
        }
    }
}

TEST_CASE("every policy documents itself") {
    for (const PolicyDescription& description : policies::catalogue()) {
        CAPTURE(description.alternative.name);
        CHECK(!description.alternative.summary.empty());
        CHECK(!description.alternative.source.empty());
        CHECK(description.make_verifier);
        for (const ParameterDescription& parameter : description.alternative.parameters) {
            CHECK(!parameter.meaning.empty());
            CHECK(parameter.default_value.has_value());
        }
    }
}

TEST_CASE("processors that leave and come back are served by the general kernel alone") {
    for (const PolicyDescription& description : policies::catalogue()) {
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            Dice dice(seed);
            TestCell cell = random_cell(dice, ExperimentKind::open, RequestStructure::total);
            const std::uint32_t processors = cell.system.processors();
            cell.system.capacity_changes = {
                {.time = 3,
                 .first_processor = 0,
                 .count = processors,
                 .kind = CapacityChange::Kind::down},
                {.time = 8,
                 .first_processor = 0,
                 .count = processors,
                 .kind = CapacityChange::Kind::up}};
            const PolicyUnderTest policy(description, {});
            CHECK(fast_way_of(policy, cell) == nullptr);
            CHECK(run_general(policy, cell).jobs == cell.experiment.horizon.jobs);
        }
    }
}

}  // namespace schedfarm::tests
