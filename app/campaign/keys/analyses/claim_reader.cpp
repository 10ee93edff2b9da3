#include "app/campaign/keys/analyses/claim_reader.hpp"

#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/expression.hpp"

#include "app/campaign/keys/section_lists.hpp"
#include "app/campaign/keys/section_reader.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/numbers.hpp"

namespace schedfarm::app {

namespace {

const Section& claims_section() {
    static const Section section =
        Section(
            "claims",
            "What a paper says in words, held against the replications. `schedfarm report` prints "
            "the table of claims; asking for it changes no replication."
        )
            .real("confidence", ranges::probability)
            .means("confidence level of every claim", 0.95)
            .other("quantities")
            .optional(
                "numbers made of the observations of every single replication",
                "mapping of names to expressions of observed columns; with `[class]` behind a "
                "column: one number for each job class, of its jobs in all replications"
            )
            .other("names")
            .optional(
                "abbreviations for the values of claims",
                "mapping of names to expressions, or to lists of numbers, one for each job class"
            )
            .other("list")
            .optional("the claims", "list of sections `claims.list`");
    return section;
}

const Section& claim_section() {
    static const Section section =
        Section(
            "claims.list",
            "One claim. `value` is an expression of the means of quantities over the "
            "replications, with the interval of the jackknife; it is measured in every "
            "combination of the values in `in`. Exactly one of `above`, `below` and `between`."
        )
            .text("id")
            .required("short name of the claim")
            .text("paper")
            .required("the paper's sentence")
            .text("where")
            .optional("section of the paper")
            .text("printed")
            .optional("the paper's number, or direction")
            .text("value")
            .required("what is measured", "expression")
            .other("in")
            .optional(
                "where it is measured",
                "mapping of factors, or `class`, to a value, a list of values, or `all` levels"
            )
            .real("above")
            .optional("the claim is that the value is greater")
            .real("below")
            .optional("the claim is that the value is smaller")
            .reals("between")
            .optional(
                "the claim is that the value is neither smaller nor greater than these",
                "list of two numbers"
            )
            .word("needs", {"every", "most", "some"})
            .means("where it must be so", "every")
            .word("expect", {"holds", "does not hold"})
            .means("what a good reading of the paper gives", "holds")
            .text("note")
            .optional("what is known about it");
    return section;
}

/// An expression begins behind its quote.
void check_expression(const Node& text, const std::string& key_path, Problems& problems) {
    try {
        engine::Expression::parse(text.scalar);
    } catch (const engine::ExpressionError& error) {
        SourcePosition at = text.at;
        at.column += (text.style == Node::Style::quoted ? 1 : 0) + static_cast<int>(error.offset());
        problems.add(at, key_path, error.what());
    }
}

void check_numbers(const Node& list, const std::string& key_path, Problems& problems) {
    for (const Node& item : list.items) {
        if (!item.is_scalar() || !parse_real(item.scalar)) {
            problems.add(
                item.at,
                key_path,
                fmt::format("'{}' must be a list of numbers, not of {}", key_path, what_is(item)),
                "Write [1, 2]."
            );
            return;
        }
    }
}

enum class Lists : std::uint8_t { refused, admitted };

/// A mapping of names to expressions, and to lists of numbers where these are admitted.
void check_named(const Node& section, const char* key, Lists lists, Problems& problems) {
    const Node* map = section.find(key);
    const std::string path = fmt::format("claims.{}", key);
    if (map == nullptr || map->is_null()) {
        return;
    }
    const char* const example = "Write {stretch: response_time.mean / service_time.mean}.";
    expect_kind(*map, Node::Kind::map, path, example, problems);
    for (const Node::Entry& entry : map->entries) {
        const std::string own = path + "." + entry.key;
        if (entry.value->is_scalar()) {
            check_expression(entry.value, own, problems);
        } else if (lists == Lists::admitted && entry.value->is_list()) {
            check_numbers(entry.value, own, problems);
        } else {
            problems.add(
                entry.value->at,
                own,
                fmt::format("'{}' must be an expression, not {}", own, what_is(entry.value)),
                "Write it as one text, in quotes."
            );
        }
    }
}

void check_axes(const Node& claim, Problems& problems) {
    const Node* map = claim.find("in");
    if (map == nullptr || map->is_null()) {
        return;
    }
    expect_kind(*map, Node::Kind::map, "claims.list.in", "Write {class: [0, 1, 2]}.", problems);
    for (const Node::Entry& entry : map->entries) {
        const std::string own = "claims.list.in." + entry.key;
        if (entry.value->is_list() && !entry.value->items.empty()) {
            read_names(entry.value, own, problems);
        } else if (!entry.value->is_scalar()) {
            problems.add(
                entry.value->at,
                own,
                fmt::format("'{}' needs a value or a list of values", entry.key),
                fmt::format("Write {}: [1, 2].", entry.key)
            );
        }
    }
}

/// Exactly one thing, and an interval from the lower end.
bool has_one_rule(const engine::Parameters& claim) {
    const int rules = (claim.contains("above") ? 1 : 0) + (claim.contains("below") ? 1 : 0)
                      + (claim.contains("between") ? 1 : 0);
    const std::vector<double> ends =
        claim.contains("between") ? claim.reals("between") : std::vector<double>{0, 0};
    return rules == 1 && ends.size() == 2 && ends[0] <= ends[1];
}

void check_claim(const Node& node, std::set<std::string>& names, Problems& problems) {
    const auto written = read_section(&node, claim_section(), node.at, problems);
    if (!written) {
        return;
    }
    if (!has_one_rule(*written)) {
        problems.add(
            node.at,
            "claims.list",
            "a claim needs one of 'above', 'below' and 'between' (which says when it holds)",
            "Write 'above: 1', or 'between: [2, 4]'."
        );
        return;
    }
    check_expression(*node.find("value"), "claims.list.value", problems);
    check_axes(node, problems);
    const std::string& id = written->text("id");
    if (!names.insert(id).second) {
        problems.add(
            node.at, "claims.list", fmt::format("two claims are called '{}'", id), "Rename one."
        );
    }
}

}  // namespace

std::vector<Section> claim_sections() {
    return {claims_section(), claim_section()};
}

void check_claims(const Node& campaign, Problems& problems) {
    const Node* node = campaign.find("claims");
    if (node == nullptr || node->is_null()
        || !read_section(node, claims_section(), node->at, problems)) {
        return;
    }
    check_named(*node, "quantities", Lists::refused, problems);
    check_named(*node, "names", Lists::admitted, problems);
    const Node* list = node->find("list");
    if (list == nullptr || list->is_null()) {
        return;
    }
    expect_kind(*list, Node::Kind::list, "claims.list", "Write [{…}].", problems);
    std::set<std::string> names;
    for (const Node& item : list->items) {
        check_claim(item, names, problems);
    }
}

}  // namespace schedfarm::app
