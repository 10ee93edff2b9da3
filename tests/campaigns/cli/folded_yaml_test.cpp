#include "campaigns/cli/folded_yaml.hpp"

#include <sstream>

#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include "campaigns/report/wrapped_text.hpp"

using schedfarm::campaigns::display_width;
using schedfarm::campaigns::folded_yaml;

namespace {

/// Both as yaml-cpp writes what it has read.
bool mean_the_same(const std::string& a, const std::string& b) {
    std::ostringstream first;
    std::ostringstream second;
    first << YAML::Load(a);
    second << YAML::Load(b);
    return first.str() == second.str();
}

}  // namespace

TEST_CASE("long lines of YAML are broken behind commas in brackets, and mean the same") {
    const std::string yaml =
        "policy: {easy: {order: fcfs, shadow: recomputed}}\n"
        "factors:\n"
        "  load: [0.1, 0.2, 0.3, 0.4, 0.5]\n"
        "short: [1, 2]\n";
    const std::string folded = folded_yaml(yaml, 30);
    CHECK(
        folded
        == "policy: {easy: {order: fcfs,\n"
           "    shadow: recomputed}}\n"
           "factors:\n"
           "  load: [0.1, 0.2, 0.3, 0.4,\n"
           "      0.5]\n"
           "short: [1, 2]\n"
    );
    CHECK(mean_the_same(yaml, folded));
    CHECK(folded_yaml(yaml, 80) == yaml);
}

TEST_CASE("texts are broken between words, but not at quotes, escapes or two blanks") {
    const std::string yaml =
        "claims: [{paper: \"one, two  three \\\" four \\\\ five six\", labels: ['a, b', c]}]\n";
    for (std::size_t width = 1; width < 80; ++width) {
        CAPTURE(width);
        CHECK(mean_the_same(yaml, folded_yaml(yaml, width)));
    }
    CHECK(folded_yaml(yaml, 1).find("'a, b'") != std::string::npos);
    CHECK(folded_yaml("name: \"aaa bbb ccc\"\n", 12) == "name: \"aaa\n    bbb ccc\"\n");
}

TEST_CASE("what cannot be broken stays") {
    const std::string yaml = "name: a plain text that is long, and has no brackets\n";
    CHECK(folded_yaml(yaml, 20) == yaml);
}
