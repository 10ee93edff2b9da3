#include "app/campaign/plan/analyses/claims.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/expression.hpp"

#include "app/campaign/plan/analyses/claim_places.hpp"
#include "app/campaign/yaml/numbers.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

using engine::Expression;
using engine::ExpressionError;

constexpr const char* class_mark = "[class]";

/// Parses at its position in the file.
std::optional<Expression> parsed(
    const NamedText& text, const std::string& key_path, Problems& problems
) {
    try {
        return Expression::parse(text.text);
    } catch (const ExpressionError& error) {
        SourcePosition at = text.at;
        at.column += static_cast<int>(error.offset());
        problems.add(at, key_path, error.what());
        return std::nullopt;
    }
}

/// " at policy vanilla, class 0": what no place says because it is the same at all of them.
std::string fixed_levels(const std::vector<ClaimAxis>& axes) {
    std::string text;
    for (const ClaimAxis& axis : axes) {
        if (axis.values.size() == 1 && axis.values.front() != "all") {
            text +=
                fmt::format("{} {} {}", text.empty() ? " at" : ",", axis.name, axis.values.front());
        }
    }
    return text;
}

/// Of "normalized[3]{policy=easy}" what stands before the brackets.
std::string name_of(const std::string& path) {
    return path.substr(0, path.find_first_of("[{"));
}

/// A number made of the observations of one replication.
struct Quantity {
    std::string name;
    Expression expression;
    bool per_class = false;
};

bool is_observed(const Cell& cell, const std::string& column) {
    return std::any_of(
        cell.measures->columns.begin(),
        cell.measures->columns.end(),
        [&](const auto& observed) { return observed.name == column; }
    );
}

/// The column that a quantity's path means: "[class]" becomes the class.
std::string column_of_class(const std::string& path, std::uint32_t job_class) {
    const std::size_t mark = path.find(class_mark);
    return mark == std::string::npos ? path
                                     : path.substr(0, mark) + fmt::format("[class={}]", job_class);
}

bool observes(const Cell& cell, const Quantity& quantity, std::uint32_t job_class) {
    const std::vector<std::string> paths = quantity.expression.paths();
    return std::all_of(paths.begin(), paths.end(), [&](const std::string& path) {
        return is_observed(cell, column_of_class(path, job_class));
    });
}

/// Quantities and names by name, and how a claim's paths are resolved with them.
class ClaimLayout {
  public:
    ClaimLayout(
        const ClaimsRequest& request,
        const std::vector<Cell>& cells,
        ClaimsPlan& plan,
        Problems& problems
    )
        : cells_(cells), places_(cells), plan_(plan), problems_(problems) {
        for (const NamedText& text : request.quantities) {
            add_quantity(text);
        }
        for (const NamedText& text : request.names) {
            add_name(text);
        }
    }

    void add(const ClaimRequest& request) {
        const auto value = parsed(request.value, "claims.list.value", problems_);
        if (!value || stands_on_broken(*value)) {
            return;
        }
        ClaimPlan claim{request, request.value.text + fixed_levels(request.in), {}};
        try {
            for (const ClaimPlace& place : places_.of(request.in)) {
                claim.instances.push_back({place.label, value_at(*value, place)});
            }
        } catch (const ClaimError& error) {
            problems_.add(
                request.value.at,
                "claims.list.value",
                fmt::format("claim '{}': {}", request.id, error.what()),
                error.suggestion()
            );
            return;
        }
        plan_.list.push_back(std::move(claim));
    }

  private:
    struct Name {
        std::string name;
        Expression expression;
        std::vector<double> numbers;  ///< not empty: in place of it
    };

    /// Whether a problem told already is why there is no value; it would be told once more.
    bool stands_on_broken(const Expression& expression) const {
        const std::vector<std::string> paths = expression.paths();
        return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
            const std::string term = name_of(path);
            const auto name = find_name(term);
            return broken_.contains(term)
                   || (name != names_.end() && uses_broken(name->expression));
        });
    }

    /// Of the expression of a name, which has no names in it.
    bool uses_broken(const Expression& expression) const {
        const std::vector<std::string> paths = expression.paths();
        return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
            return broken_.contains(name_of(path));
        });
    }

    void add_quantity(const NamedText& text) {
        auto expression = parsed(text, "claims.quantities." + text.name, problems_);
        if (!expression) {
            broken_.insert(text.name);
            return;
        }
        Quantity quantity{text.name, std::move(*expression), false};
        for (const std::string& path : quantity.expression.paths()) {
            quantity.per_class = quantity.per_class || path.find(class_mark) != std::string::npos;
        }
        const bool is_somewhere = std::any_of(cells_.begin(), cells_.end(), [&](const Cell& cell) {
            return observes(cell, quantity, 0);
        });
        if (!is_somewhere) {
            broken_.insert(text.name);
            problems_.add(
                text.at,
                "claims.quantities." + text.name,
                fmt::format("no cell observes all columns of quantity '{}'", text.name),
                "Add probes, with 'per_class: true' for what is of a class?"
            );
        }
        plan_.quantities.push_back({text.name, text.text});
        quantities_.push_back(std::move(quantity));
    }

    void add_name(const NamedText& text) {
        Name name{text.name, {}, text.numbers};
        if (text.numbers.empty()) {
            auto expression = parsed(text, "claims.names." + text.name, problems_);
            if (!expression) {
                broken_.insert(text.name);
                return;
            }
            name.expression = std::move(*expression);
        }
        names_.push_back(std::move(name));
    }

    std::string value_at(const Expression& value, const ClaimPlace& place) const {
        std::string text =
            value.with_paths([&](const std::string& path) { return operand(path, place); });
        try {
            Expression::parse(text);
        } catch (const ExpressionError&) {
            throw ClaimError("its value is nested too deep with its names written out", "");
        }
        return text;
    }

    std::string operand(const std::string& path, const ClaimPlace& place) const {
        const ClaimTerm term = parse_term(path);
        const auto name = find_name(term.name);
        if (name == names_.end()) {
            return quantity_of(term, place);
        }
        if (!term.levels.empty() || (name->numbers.empty() && term.job_class)) {
            throw ClaimError(
                fmt::format("'{}' stands for a text of its own, which nothing can be put to", path),
                "Write out what '" + name->name + "' stands for?"
            );
        }
        if (name->numbers.empty()) {
            return "(" + name->expression.with_paths([&](const std::string& inner) {
                return operand_of_name(inner, place);
            }) + ")";
        }
        const auto job_class = term.job_class ? term.job_class : place.job_class;
        if (!job_class || *job_class >= name->numbers.size()) {
            throw ClaimError(
                fmt::format("'{}' has a number for each class, but no class is said", path),
                "Add 'in: {class: 0}'?"
            );
        }
        return number_text(name->numbers[*job_class]);
    }

    std::string operand_of_name(const std::string& path, const ClaimPlace& place) const {
        const ClaimTerm term = parse_term(path);
        if (find_name(term.name) != names_.end()) {
            throw ClaimError(
                fmt::format("a name it uses stands for '{}', another name", path),
                "Write out what '" + term.name + "' stands for: names are made of quantities?"
            );
        }
        return quantity_of(term, place);
    }

    std::vector<Name>::const_iterator find_name(const std::string& wanted) const {
        return std::find_if(names_.begin(), names_.end(), [&](const Name& candidate) {
            return candidate.name == wanted;
        });
    }

    /// "normalized[3]{cell=17}"
    std::string quantity_of(const ClaimTerm& term, const ClaimPlace& place) const {
        const auto quantity =
            std::find_if(quantities_.begin(), quantities_.end(), [&](const Quantity& candidate) {
                return candidate.name == term.name;
            });
        if (quantity == quantities_.end()) {
            throw unknown(term.name);
        }
        const Cell& cell = places_.cell_of(term, place);
        const auto job_class = term.job_class ? term.job_class : place.job_class;
        if (quantity->per_class && !job_class) {
            throw ClaimError(
                fmt::format("'{}' is one for each class, but no class is said", term.name),
                "Add 'in: {class: 0}'?"
            );
        }
        const std::string bracket = quantity->per_class ? fmt::format("[{}]", *job_class) : "";
        if (!observes(cell, *quantity, job_class.value_or(0))) {
            const std::string of_class =
                quantity->per_class ? fmt::format(" of class {}", *job_class) : "";
            throw ClaimError(
                fmt::format("cell {} observes no '{}'{}", cell.index, term.name, of_class), ""
            );
        }
        return fmt::format("{}{}{{cell={}}}", term.name, bracket, cell.index);
    }

    ClaimError unknown(const std::string& name) const {
        std::vector<std::string> known = names_of(quantities_, &Quantity::name);
        for (const Name& other : names_) {
            known.push_back(other.name);
        }
        return {
            fmt::format("'{}' is neither a quantity nor a name", name),
            known.empty() ? "Add it to 'claims.quantities'?" : name_suggestion(name, known)};
    }

    const std::vector<Cell>& cells_;
    ClaimPlaces places_;
    ClaimsPlan& plan_;
    Problems& problems_;
    std::vector<Quantity> quantities_;
    std::vector<Name> names_;
    std::set<std::string> broken_;  ///< quantities and names whose problems are told
};

}  // namespace

ClaimsPlan lay_out_claims(
    const ClaimsRequest& request, const std::vector<Cell>& cells, Problems& problems
) {
    ClaimsPlan plan;
    plan.confidence = request.confidence;
    ClaimLayout layout(request, cells, plan, problems);
    for (const ClaimRequest& claim : request.list) {
        layout.add(claim);
    }
    return plan;
}

}  // namespace schedfarm::app
