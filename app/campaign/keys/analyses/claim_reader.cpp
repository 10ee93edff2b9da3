#include "app/campaign/keys/analyses/claim_reader.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "app/campaign/keys/section_lists.hpp"
#include "app/campaign/keys/section_reader.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/numbers.hpp"

namespace schedfarm::app {

template <>
inline constexpr auto words_of<ClaimNeeds> = std::array{"every", "most", "some"};

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
            .word("needs", all_words_of<ClaimNeeds>())
            .means("where it must be so", "every")
            .word("expect", {"holds", "does not hold"})
            .means("what a good reading of the paper gives", "holds")
            .text("note")
            .optional("what is known about it");
    return section;
}

/// Where the expression begins: behind the quote.
SourcePosition text_position(const Node& node) {
    SourcePosition at = node.at;
    at.column += node.style == Node::Style::quoted ? 1 : 0;
    return at;
}

std::vector<double> numbers_of(const Node& list, const std::string& key_path, Problems& problems) {
    std::vector<double> numbers;
    for (const Node& item : list.items) {
        const auto number = item.is_scalar() ? parse_real(item.scalar) : std::nullopt;
        if (!number) {
            problems.add(
                item.at,
                key_path,
                fmt::format("'{}' must be a list of numbers, not of {}", key_path, what_is(item)),
                "Write [1, 2]?"
            );
            return {};
        }
        numbers.push_back(*number);
    }
    return numbers;
}

enum class Lists : std::uint8_t { refused, admitted };

/// A mapping of names to expressions, and to lists of numbers where these are admitted.
std::vector<NamedText> read_named(
    const Node& section, const char* key, Lists lists, Problems& problems
) {
    const Node* map = section.find(key);
    const std::string path = fmt::format("claims.{}", key);
    if (map == nullptr || map->is_null()) {
        return {};
    }
    const char* const example = "Write {stretch: response_time.mean / service_time.mean}?";
    expect_kind(*map, Node::Kind::map, path, example, problems);
    std::vector<NamedText> texts;
    for (const Node::Entry& entry : map->entries) {
        const std::string own = path + "." + entry.key;
        if (entry.value->is_scalar()) {
            texts.push_back({entry.key, text_position(entry.value), entry.value->scalar, {}});
        } else if (lists == Lists::admitted && entry.value->is_list()) {
            texts.push_back({entry.key, entry.value->at, "", numbers_of(entry.value, own, problems)}
            );
        } else {
            problems.add(
                entry.value->at,
                own,
                fmt::format("'{}' must be an expression, not {}", own, what_is(entry.value)),
                "Write it as one text, in quotes?"
            );
        }
    }
    return texts;
}

std::vector<ClaimAxis> read_axes(const Node& claim, Problems& problems) {
    const Node* map = claim.find("in");
    std::vector<ClaimAxis> axes;
    if (map == nullptr || map->is_null()) {
        return axes;
    }
    expect_kind(*map, Node::Kind::map, "claims.list.in", "Write {class: [0, 1, 2]}?", problems);
    for (const Node::Entry& entry : map->entries) {
        ClaimAxis axis{entry.key, entry.at, {}};
        if (entry.value->is_list() && !entry.value->items.empty()) {
            axis.values = read_names(entry.value, "claims.list.in." + entry.key, problems);
        } else if (entry.value->is_scalar()) {
            axis.values = {entry.value->scalar};
        } else {
            problems.add(
                entry.value->at,
                "claims.list.in." + entry.key,
                fmt::format("'{}' needs a value or a list of values", entry.key),
                fmt::format("Write {}: [1, 2]?", entry.key)
            );
        }
        axes.push_back(std::move(axis));
    }
    return axes;
}

/// Absent unless the claim says exactly one thing.
std::optional<ClaimRegion> region_of(const engine::Parameters& claim) {
    using Kind = ClaimRegion::Kind;
    const auto above = real_in(claim, "above");
    const auto below = real_in(claim, "below");
    const bool is_between = claim.contains("between");
    if ((above ? 1 : 0) + (below ? 1 : 0) + (is_between ? 1 : 0) != 1) {
        return std::nullopt;
    }
    if (!is_between) {
        return ClaimRegion{above ? Kind::above : Kind::below, above.value_or(0), below.value_or(0)};
    }
    const std::vector<double> ends = claim.reals("between");
    const bool is_right = ends.size() == 2 && ends[0] <= ends[1];
    return is_right ? std::optional(ClaimRegion{Kind::between, ends[0], ends[1]}) : std::nullopt;
}

std::optional<ClaimRequest> read_claim(const Node& node, Problems& problems) {
    const auto written = read_section(&node, claim_section(), node.at, problems);
    if (!written) {
        return std::nullopt;
    }
    const auto region = region_of(*written);
    if (!region) {
        problems.add(
            node.at,
            "claims.list",
            "a claim needs one of 'above', 'below' and 'between' (which says when it holds)",
            "Write 'above: 1', or 'between: [2, 4]'?"
        );
        return std::nullopt;
    }
    return ClaimRequest{
        .id = written->text("id"),
        .paper = written->text("paper"),
        .where = text_in(*written, "where"),
        .printed = text_in(*written, "printed"),
        .value = {"value", text_position(*node.find("value")), written->text("value"), {}},
        .in = read_axes(node, problems),
        .region = *region,
        .needs = word_as<ClaimNeeds>(written->text("needs")),
        .expected = written->text("expect"),
        .note = text_in(*written, "note")};
}

void expect_new_name(
    const ClaimRequest& claim,
    const std::vector<ClaimRequest>& others,
    const SourcePosition& at,
    Problems& problems
) {
    for (const ClaimRequest& other : others) {
        if (other.id == claim.id) {
            problems.add(
                at,
                "claims.list",
                fmt::format("two claims are called '{}'", claim.id),
                "Rename one?"
            );
        }
    }
}

void read_claim_list(const Node& section, std::vector<ClaimRequest>& claims, Problems& problems) {
    const Node* list = section.find("list");
    if (list == nullptr || list->is_null()) {
        return;
    }
    expect_kind(*list, Node::Kind::list, "claims.list", "Write [{…}]?", problems);
    for (const Node& item : list->items) {
        if (auto claim = read_claim(item, problems)) {
            expect_new_name(*claim, claims, item.at, problems);
            claims.push_back(std::move(*claim));
        }
    }
}

}  // namespace

std::vector<Section> claim_sections() {
    return {claims_section(), claim_section()};
}

ClaimsRequest read_claims(const Node& campaign, Problems& problems) {
    const Node* node = campaign.find("claims");
    if (node == nullptr || node->is_null()) {
        return {};
    }
    const auto written = read_section(node, claims_section(), node->at, problems);
    if (!written) {
        return {};
    }
    ClaimsRequest claims{
        .confidence = written->real("confidence"),
        .quantities = read_named(*node, "quantities", Lists::refused, problems),
        .names = read_named(*node, "names", Lists::admitted, problems)};
    read_claim_list(*node, claims.list, problems);
    return claims;
}

}  // namespace schedfarm::app
