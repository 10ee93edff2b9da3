#include "app/campaign/keys/describe.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>
#include <variant>

#include <doctest/doctest.h>

#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/yaml/config_error.hpp"

namespace schedfarm::app {

namespace {

std::size_t lines_of_80_columns(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    std::size_t count = 0;
    while (std::getline(lines, line)) {
        CAPTURE(line);
        CHECK(line.size() <= 80);
        ++count;
    }
    return count;
}

/// Between single spaces, without commas.
std::string between_spaces(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    std::string result;
    while (words >> word) {
        result += " " + word.substr(0, word.find(','));
    }
    return result + " ";
}

}  // namespace

TEST_CASE("every policy and model and probe is listed with every parameter") {
    const std::string names = between_spaces(list_text(""));
    for (const AlternativeGroup& group : documented_groups()) {
        const std::string topic = list_text(group.topic);
        CHECK(topic.find(group.heading) != std::string::npos);
        for (const engine::Alternative& alternative : group.alternatives) {
            CAPTURE(alternative.name);
            CHECK(names.find(" " + alternative.name + " ") != std::string::npos);
            CHECK(topic.find("\n" + alternative.name + "\n") != std::string::npos);
            CHECK(!alternative.summary.empty());
            const std::string own = list_text(alternative.name);
            for (const engine::ParameterDescription& row : alternative.parameters) {
                CHECK(own.find("    " + row.name + ": ") != std::string::npos);
                CHECK(!row.meaning.empty());
            }
        }
    }
    CHECK(registered_catalogues().policies.size() >= 8);
}

// What a campaign is written back as is read as the same campaign.
TEST_CASE("the defaults of real parameters are real numbers") {
    for (const AlternativeGroup& group : documented_groups()) {
        for (const engine::Alternative& alternative : group.alternatives) {
            CAPTURE(alternative.name);
            for (const engine::ParameterDescription& row : alternative.parameters) {
                CAPTURE(row.name);
                if (!row.default_value) {
                    continue;
                }
                if (row.type == engine::ParameterType::real) {
                    CHECK(std::holds_alternative<double>(row.default_value->data()));
                } else if (row.type == engine::ParameterType::real_list) {
                    for (const engine::Value& element : row.default_value->as_list()) {
                        CHECK(std::holds_alternative<double>(element.data()));
                    }
                }
            }
        }
    }
}

// A check may read a parameter that its own table lacks.
TEST_CASE("every alternative admits its own defaults") {
    for (const AlternativeGroup& group : documented_groups()) {
        for (const engine::Alternative& alternative : group.alternatives) {
            CAPTURE(alternative.name);
            const auto& table = alternative.parameters;
            const bool has_all = std::all_of(table.begin(), table.end(), [](const auto& row) {
                return row.default_value.has_value();
            });
            // Jobs are listed or in a file: one of both must be given; so must a command.
            const bool needs_one = alternative.name == "listed" || alternative.name == "external";
            if (has_all && alternative.check && !needs_one) {
                CHECK(alternative.check(engine::with_defaults(table)).empty());
            }
        }
    }
}

TEST_CASE("nothing is documented twice under one topic") {
    std::set<std::pair<std::string, std::string>> documented;
    for (const AlternativeGroup& group : documented_groups()) {
        // Models beside distributions: both are values of parameters.
        const std::string kind = group.topic == "distributions" ? "models" : group.topic;
        for (const engine::Alternative& alternative : group.alternatives) {
            CAPTURE(alternative.name);
            CHECK(documented.insert({kind, alternative.name}).second);
        }
    }
}

TEST_CASE("lists fit a terminal of 80 columns, and all names one of 24 lines") {
    CHECK(lines_of_80_columns(list_text("")) <= 23);  // and the prompt
    for (const AlternativeGroup& group : documented_groups()) {
        lines_of_80_columns(list_text(group.topic));
        for (const engine::Alternative& alternative : group.alternatives) {
            lines_of_80_columns(list_text(alternative.name));
        }
    }
}

TEST_CASE("a topic or a name lists less and another word is refused") {
    CHECK(list_text("probes").find("fcfs") == std::string::npos);
    CHECK(list_text("probes").find("slowdown") != std::string::npos);
    CHECK(list_text("fpfs").find("max_jumps: integer") != std::string::npos);
    CHECK(list_text("policies").find("max_jumps: integer") == std::string::npos);
    const auto message_of = [](const char* topic) -> std::string {
        try {
            return "accepted: " + list_text(topic);
        } catch (const ConfigErrors& errors) {
            return errors.what();
        }
    };
    CHECK(message_of("polices") == "unknown topic 'polices'. Did you mean 'policies'?");
    CHECK(message_of("fpsf") == "unknown topic 'fpsf'. Did you mean 'fpfs'?");
    CHECK(
        message_of("backfilling")
        == "unknown topic 'backfilling'. See easy, conservative, k_reservations, selective"
    );
    CHECK(
        message_of("clusters")
        == "unknown topic 'clusters'. Known: policies, models, distributions, probes, experiments, "
           "or the name of one of them"
    );
}

}  // namespace schedfarm::app
