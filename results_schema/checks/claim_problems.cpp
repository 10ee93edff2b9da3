#include <map>
#include <utility>

#include "results_schema/checks/row_checks.hpp"
#include "results_schema/checks/validation.hpp"

namespace schedfarm::results_schema {

namespace {

struct Sides {
    std::uint64_t places = 0;
    std::uint64_t inside = 0;
    std::uint64_t outside = 0;
};

std::map<std::string, Sides> sides_by_claim(const Table& places) {
    const auto& claim = column_of<Texts>(places, "claim");
    const auto& side = column_of<Texts>(places, "side");
    std::map<std::string, Sides> sides;
    for (std::size_t row = 0; row < places.rows(); ++row) {
        Sides& of_claim = sides[claim[row]];
        ++of_claim.places;
        of_claim.inside += side[row] == "inside" ? 1U : 0U;
        of_claim.outside += side[row] == "outside" ? 1U : 0U;
    }
    return sides;
}

/// What is wrong with a row of `claims`; empty: nothing.
std::string problem_of(const Table& claims, std::size_t row, const Sides& sides) {
    const std::uint64_t places = column_of<Counts>(claims, "places")[row];
    const std::uint64_t needed = column_of<Counts>(claims, "needed")[row];
    const std::string& verdict = column_of<Texts>(claims, "verdict")[row];
    if (sides.places != places) {
        return fmt::format("{} places, but {} values", places, sides.places);
    }
    if (needed == 0 || needed > places) {
        return fmt::format("{} of {} places are needed", needed, places);
    }
    const bool is_groundless =
        (verdict == "holds" && sides.inside < needed)
        || (verdict == "does not hold" && sides.outside < places - needed + 1);
    return is_groundless ? fmt::format("verdict '{}' does not follow from its values", verdict)
                         : "";
}

/// The classes of a cell are 0, 1, 2, …, each with a name of its own.
void check_classes(const Table& classes, Problems& problems) {
    const auto& cell = column_of<Counts>(classes, "cell");
    const auto& number = column_of<Counts>(classes, "class");
    const auto& name = column_of<Texts>(classes, "name");
    std::map<std::uint64_t, std::uint64_t> next;
    std::map<std::pair<std::uint64_t, std::string>, std::size_t> row_of_name;
    for (std::size_t row = 0; row < classes.rows(); ++row) {
        if (number[row] != next[cell[row]]++) {
            add_row_problem(
                problems,
                classes,
                row,
                fmt::format("a class before class {} lacks a name", number[row])
            );
            return;
        }
        if (name[row].empty()) {
            add_row_problem(problems, classes, row, "the class has no name");
            continue;
        }
        const auto [other, is_new] = row_of_name.try_emplace({cell[row], name[row]}, row);
        if (!is_new) {
            add_row_problem(
                problems,
                classes,
                row,
                fmt::format(
                    "'{}' is the name of class {} of this cell already",
                    name[row],
                    number[other->second]
                )
            );
        }
    }
}

}  // namespace

std::vector<std::string> claim_problems(const ResultFile& results) {
    Problems problems;
    if (const Table* classes = results.find("job_classes")) {
        check_classes(*classes, problems);
    }
    if (const Table* quantities = results.find("quantities")) {
        check_intervals(*quantities, {"mean"}, problems);
        check_confidence(*quantities, problems);
        check_counts(*quantities, "cell", *results.find("cells"), problems);
    }
    const Table* claims = results.find("claims");
    const Table* places = results.find("claim_values");
    if (claims == nullptr || places == nullptr) {
        if (claims != places) {
            problems.emplace_back("of the tables 'claims' and 'claim_values' one is missing");
        }
        return problems;
    }
    check_intervals(*places, {"value"}, problems);
    check_confidence(*claims, problems);
    check_confidence(*places, problems);
    std::map<std::string, Sides> sides = sides_by_claim(*places);
    const auto& ids = column_of<Texts>(*claims, "claim");
    for (std::size_t row = 0; row < claims->rows(); ++row) {
        const std::string problem = problem_of(*claims, row, sides[ids[row]]);
        if (!problem.empty()) {
            add_row_problem(problems, *claims, row, problem);
        }
    }
    return problems;
}

}  // namespace schedfarm::results_schema
