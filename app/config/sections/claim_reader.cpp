#include "app/config/sections/claim_reader.hpp"

#include <utility>

#include <fmt/format.h>

#include "app/config/sections/section_reader.hpp"
#include "app/config/sections/value_reader.hpp"
#include "app/config/yaml/numbers.hpp"

namespace schedfarm::app {

namespace {

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
    if (!map->is_map()) {
        problems.add(
            map->at,
            path,
            fmt::format("'{}' must be a mapping, not {}", path, what_is(*map)),
            "Write {stretch: response_time.mean / service_time.mean}?"
        );
    }
    std::vector<NamedText> texts;
    for (const Node::Entry& entry : map->entries) {
        const std::string own = path + "." + entry.key;
        if (entry.value.is_scalar()) {
            texts.push_back({entry.key, text_position(entry.value), entry.value.scalar, {}});
        } else if (lists == Lists::admitted && entry.value.is_list()) {
            texts.push_back({entry.key, entry.value.at, "", numbers_of(entry.value, own, problems)}
            );
        } else {
            problems.add(
                entry.value.at,
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
    if (!map->is_map()) {
        problems.add(
            map->at,
            "claims.list.in",
            fmt::format("'in' must be a mapping, not {}", what_is(*map)),
            "Write {class: [0, 1, 2]}?"
        );
    }
    for (const Node::Entry& entry : map->entries) {
        ClaimAxis axis{entry.key, entry.at, {}};
        if (entry.value.is_list() && !entry.value.items.empty()) {
            axis.values = read_names(entry.value, "claims.list.in." + entry.key, problems);
        } else if (entry.value.is_scalar()) {
            axis.values = {entry.value.scalar};
        } else {
            problems.add(
                entry.value.at,
                "claims.list.in." + entry.key,
                fmt::format("'{}' needs a value or a list of values", entry.key),
                fmt::format("Write {}: [1, 2]?", entry.key)
            );
        }
        axes.push_back(std::move(axis));
    }
    return axes;
}

std::optional<ClaimRegion> read_region(
    const Node& claim, const engine::Parameters& given, Problems& problems
) {
    const int count = (given.contains("above") ? 1 : 0) + (given.contains("below") ? 1 : 0)
                      + (given.contains("between") ? 1 : 0);
    ClaimRegion region;
    bool is_right = count == 1;
    if (given.contains("above")) {
        region = {ClaimRegion::Kind::above, given.real("above"), 0};
    } else if (given.contains("below")) {
        region = {ClaimRegion::Kind::below, 0, given.real("below")};
    } else if (given.contains("between")) {
        const std::vector<double> ends = given.reals("between");
        is_right = is_right && ends.size() == 2 && ends[0] <= ends[1];
        if (is_right) {
            region = {ClaimRegion::Kind::between, ends[0], ends[1]};
        }
    }
    if (!is_right) {
        problems.add(
            claim.at,
            "claims.list",
            "a claim needs one of 'above', 'below' and 'between' (which says when it holds)",
            "Write 'above: 1', or 'between: [2, 4]'?"
        );
    }
    return is_right ? std::optional(region) : std::nullopt;
}

ClaimNeeds needs_of(const std::string& word) {
    if (word == "most") {
        return ClaimNeeds::most;
    }
    return word == "some" ? ClaimNeeds::some : ClaimNeeds::every;
}

std::optional<ClaimRequest> read_claim(const Node& node, Problems& problems) {
    const auto given = read_section(&node, "claims.list", node.at, problems, {"in"});
    if (!given) {
        return std::nullopt;
    }
    const auto region = read_region(node, *given, problems);
    if (!region) {
        return std::nullopt;
    }
    ClaimRequest claim;
    claim.id = given->text("id");
    claim.paper = given->text("paper");
    claim.where = given->text("where");
    claim.printed = given->text("printed");
    claim.value = {"value", text_position(*node.find("value")), given->text("value"), {}};
    claim.in = read_axes(node, problems);
    claim.region = *region;
    claim.needs = needs_of(given->text("needs"));
    claim.expected = given->text("expect");
    claim.note = given->text("note");
    return claim;
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
    if (!list->is_list()) {
        problems.add(
            list->at,
            "claims.list",
            fmt::format("'claims.list' must be a list, not {}", what_is(*list)),
            "Write [{…}]?"
        );
    }
    for (const Node& item : list->items) {
        if (auto claim = read_claim(item, problems)) {
            expect_new_name(*claim, claims, item.at, problems);
            claims.push_back(std::move(*claim));
        }
    }
}

}  // namespace

ClaimsRequest read_claims(const Node& campaign, Problems& problems) {
    ClaimsRequest claims;
    const Node* node = campaign.find("claims");
    if (node == nullptr || node->is_null()) {
        return claims;
    }
    const auto given =
        read_section(node, "claims", node->at, problems, {"quantities", "names", "list"});
    if (!given) {
        return claims;
    }
    claims.confidence = given->real("confidence");
    claims.quantities = read_named(*node, "quantities", Lists::refused, problems);
    claims.names = read_named(*node, "names", Lists::admitted, problems);
    read_claim_list(*node, claims.list, problems);
    return claims;
}

}  // namespace schedfarm::app
