#include "policies/slurm/site/constraint.hpp"

#include <algorithm>
#include <utility>

#include "policies/slurm/site/fields.hpp"

namespace schedfarm::policies::slurm {

namespace {

/// What stands behind a feature: in brackets "either" and "each" for | and &.
enum class Join : std::uint8_t { both, any, either, each, end };

struct Term {
    const NodeSet* nodes = nullptr;
    std::uint32_t count = 0;
    Join join = Join::end;
    bool is_within = false;  ///< parentheses; the last feature of them is not
};

constexpr std::string_view operators = "&,|*[]()";

/// Takes a number off a text; 0: there is none.
std::uint32_t count_at(std::string_view& text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto count = field<std::uint32_t>(text.substr(0, end), 1, no_limit);
    text.remove_prefix(end);
    return count.value_or(0);
}

std::optional<std::vector<Term>> terms_of(std::string_view text, const FeatureNodes& known) {
    std::vector<Term> terms;
    Term term;
    int brackets = 0;
    int parentheses = 0;
    bool had_brackets = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(operators), text.size());
        if (end > 0) {
            const auto at = known.find(text.substr(0, end));
            if (term.nodes != nullptr || at == known.end()) {
                return std::nullopt;
            }
            term.nodes = &at->second;
            text.remove_prefix(end);
            continue;
        }
        const char sign = text.front();
        text.remove_prefix(1);
        const bool opens = sign == '[' || sign == '(';
        bool is_wrong = opens == (term.nodes != nullptr);
        if (sign == '*') {
            term.count = count_at(text);
            is_wrong = is_wrong || term.count == 0 || parentheses > 0;
        } else if (sign == '[' || sign == ']') {
            brackets += opens ? 1 : -1;
            is_wrong = is_wrong || brackets < 0 || (opens && had_brackets);
            had_brackets = true;
            const Join last = terms.empty() ? Join::end : terms.back().join;
            is_wrong = is_wrong || (last == Join::each && !opens && term.count == 0)
                       || (last == Join::either && !opens && term.count > 0);
        } else if (sign == '(' || sign == ')') {
            parentheses += opens ? 1 : -1;
            is_wrong = is_wrong || parentheses < 0 || parentheses > 1;
        } else {
            const bool is_or = sign == '|';
            const bool divides = brackets > 0 && parentheses == 0;
            term.join =
                divides ? (is_or ? Join::either : Join::each) : (is_or ? Join::any : Join::both);
            term.is_within = parentheses > 0;
            is_wrong = is_wrong || (term.join == Join::each && term.count == 0)
                       || (term.join == Join::either && term.count > 0);
            terms.push_back(term);
            term = {};
        }
        if (is_wrong) {
            return std::nullopt;
        }
    }
    if (brackets != 0 || parentheses != 0) {
        return std::nullopt;
    }
    if (term.nodes != nullptr) {
        terms.push_back(term);
    }
    return terms;
}

void join(NodeSet& nodes, Join by, const NodeSet& more) {
    if (by == Join::both) {
        nodes &= more;
    } else if (by == Join::any) {
        nodes |= more;
    }
}

/// What none of the counts and brackets decide.
NodeSet plain_nodes(const std::vector<Term>& terms, const NodeSet& all) {
    NodeSet whole = all;
    NodeSet within = all;
    Join last = Join::both;
    Join before = Join::both;  // of the parentheses
    bool is_within = false;
    for (const Term& term : terms) {
        if (term.is_within && !is_within) {
            before = std::exchange(last, Join::both);
            within = all;
        }
        NodeSet& nodes = term.is_within || is_within ? within : whole;
        const bool is_divided = term.join == Join::either || term.join == Join::each;
        join(nodes, is_divided ? Join::end : last, *term.nodes);
        if (is_within && !term.is_within) {
            join(whole, before == Join::both ? Join::both : Join::any, within);
        }
        last = term.join;
        is_within = term.is_within;
    }
    return whole;
}

}  // namespace

FeatureNodes feature_nodes(const std::vector<Node>& nodes) {
    FeatureNodes found;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        for (const std::string& feature : nodes[node].features) {
            found.try_emplace(feature, nodes.size()).first->second.insert(node);
        }
    }
    return found;
}

std::optional<Features> features_of(
    std::string_view constraint, const FeatureNodes& known, const NodeSet& all
) {
    const auto terms = terms_of(constraint, known);
    if (!terms) {
        return std::nullopt;
    }
    Features found{.nodes = plain_nodes(*terms, all)};
    const bool has_counts =
        std::ranges::any_of(*terms, [](const Term& term) { return term.count > 0; });
    Join before = Join::both;
    for (std::size_t k = 0; k < terms->size(); ++k) {
        NodeSet nodes = *(*terms)[k].nodes;
        for (; (*terms)[k].is_within; ++k) {
            join(nodes, (*terms)[k].join, *(*terms)[k + 1].nodes);
        }
        const Term& last = (*terms)[k];
        found.apart = found.apart || last.join == Join::each;
        if (has_counts) {
            found.counted.push_back({std::move(nodes), last.count});
        } else if (last.join == Join::either || before == Join::either) {
            found.one_of.push_back(std::move(nodes));
        }
        before = last.join;
    }
    if (has_counts) {
        found.nodes = all;
    }
    return found;
}

}  // namespace schedfarm::policies::slurm
