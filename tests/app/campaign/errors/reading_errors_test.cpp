// Files that are no campaigns: one clear message and never a crash.
#include <doctest/doctest.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

TEST_CASE("what is not YAML is refused where it breaks") {
    CHECK(
        errors_of({{2, "name: [a"}})
        == "a.yaml:3:5: this is not YAML: end of sequence flow not found"
    );
    CHECK(errors_of({{2, "name: \"a"}}) ==
"a.yaml:1:1: 'seed' is missing (seed of all random numbers, unless it is a factor). Add 'seed: 1'?\n"
"a.yaml:1:1: 'experiment' is missing (what a replication simulates). Add 'experiment: open'?\n"
"a.yaml:1:1: 'system' is missing (the simulated machine). Add 'system: {clusters: [32]}'?\n"
"a.yaml:1:1: 'workload' is missing (the workload model and its parameters). Add 'workload: {model: …}'?\n"
"a.yaml:1:1: 'policy' is missing (the scheduling policy). Add 'policy: …'?\n"
"a.yaml:1:1: neither 'replications' nor 'precision' is given (a cell would never be finished). Add 'replications: 100'?");
    CHECK(errors_of({{10, "a: b: c"}}) == "a.yaml:10:5: this is not YAML: illegal map value");
    CHECK(
        errors_of({{2, "name: &a x"}, {10, "description: *b"}})
        == "a.yaml:10:14: this is not YAML: the referenced anchor is not defined"
    );
    CHECK(errors_of({{10, "- a"}}) == "a.yaml:10:1: this is not YAML: end of map not found");
    CHECK(
        errors_of({{2, "name: *x"}})
        == "a.yaml:2:7: this is not YAML: the referenced anchor is not defined"
    );
}

TEST_CASE("duplicate keys are refused") {
    CHECK(
        errors_of({{10, "seed: 2"}})
        == "a.yaml:10:1: key 'seed' is given twice (the first is in line 3). Remove one?"
    );
    CHECK(
        errors_of({{5, "system: {clusters: [32], clusters: [3]}"}})
        == "a.yaml:5:26: key 'clusters' is given twice (the first is in line 5). Remove one?"
    );
    CHECK(
        errors_of(
            {{6,
              "workload: {model: coallocation, component_size: {uniform: {low: 1, low: 2, high: "
              "3}}}"}}
        )
        == "a.yaml:6:68: key 'low' is given twice (the first is in line 6). Remove one?"
    );
}

TEST_CASE("tabs and bytes that are no text are refused") {
    CHECK(
        errors_of({{2, "\011name: x"}})
        == "a.yaml:2:1: a tab in the indentation (YAML indents with spaces). Use spaces?"
    );
    CHECK(
        errors_of({{2, "name: \"\001\""}})
        == "a.yaml:2:8: byte 0x01 is not text. Is this a campaign file, written in UTF-8?"
    );
    CHECK(
        errors_of({{2, "name: \377"}})
        == "a.yaml:2:7: byte 0xff is not text. Is this a campaign file, written in UTF-8?"
    );
    CHECK(
        errors_of({{2, "name: \303("}})
        == "a.yaml:2:7: byte 0xc3 is not text. Is this a campaign file, written in UTF-8?"
    );
}

TEST_CASE("tags and further documents and odd keys are refused") {
    CHECK(
        errors_of({{2, "name: !!int 5"}})
        == "a.yaml:2:7: a tag has no meaning in a campaign ('tag:yaml.org,2002:int'). Remove it?"
    );
    CHECK(
        errors_of({{10, "---\nfoo: bar"}})
        == "a.yaml:10:1: a second document begins (a campaign is one). Remove the '---'?"
    );
    CHECK(
        errors_of({{10, "[a]: b"}})
        == "a.yaml:10:1: a key is not a text. Is a '- ' or a quote missing?"
    );
    CHECK(
        errors_of({{10, "? {a: b}\n: c"}})
        == "a.yaml:10:3: a key is not a text. Is a '- ' or a quote missing?"
    );
}

TEST_CASE("deep nesting and alias bombs are refused") {
    CHECK(
        errors_of(
            {{10,
              "description: "
              "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]"
              "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"}}
        )
        == "a.yaml:10:77: nested more than 64 levels deep"
    );
    CHECK(
        errors_of(
            {{10,
              "a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, "
              "*a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, "
              "*c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\nf: [*e, *e, *e, "
              "*e, *e, *e, *e, *e, *e, *e]"}}
        )
        == "a.yaml:15:5: more than 200000 values (aliases counted)"
    );
    CHECK(
        errors_of({{10, "a: &a [*a]"}})
        == "a.yaml:10:8: an alias stands inside the value that it names. Write the value out?"
    );
}

}  // namespace schedfarm::app::tests
