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

/// Claims agree with the sides on which their values lie.
void check_verdicts(const Table& claims, const Table& places, Problems& problems) {
    std::map<std::string, Sides> sides_of;
    for (const Row& row : rows_of(places)) {
        Sides& sides = sides_of[row.text("claim")];
        ++sides.places;
        sides.inside += row.text("side") == "inside" ? 1U : 0U;
        sides.outside += row.text("side") == "outside" ? 1U : 0U;
    }
    check_rows(claims, problems, [&](const Row& row) -> std::string {
        const Sides& sides = sides_of[row.text("claim")];
        const std::uint64_t all = row.count("places");
        const std::uint64_t needed = row.count("needed");
        if (sides.places != all) {
            return fmt::format("{{places}} places, but {} values", sides.places);
        }
        if (needed == 0 || needed > all) {
            return "{needed} of {places} places are needed";
        }
        const bool is_groundless =
            (row.text("verdict") == "holds" && sides.inside < needed)
            || (row.text("verdict") == "does not hold" && sides.outside < all - needed + 1);
        return is_groundless ? "verdict '{verdict}' does not follow from its values" : "";
    });
}

/// The classes of a cell are 0, 1, 2, …, each with a name of its own.
void check_classes(const Table& classes, Problems& problems) {
    std::map<std::uint64_t, std::uint64_t> next;
    std::map<std::pair<std::uint64_t, std::string>, std::uint64_t> class_of_name;
    check_rows(classes, problems, [&](const Row& row) -> std::string {
        const std::uint64_t number = row.count("class");
        if (std::exchange(next[row.count("cell")], number + 1) != number) {
            return "a class before class {class} lacks a name";
        }
        if (row.text("name").empty()) {
            return "the class has no name";
        }
        const auto [other, is_new] =
            class_of_name.try_emplace({row.count("cell"), row.text("name")}, number);
        return is_new ? ""
                      : fmt::format(
                          "'{{name}}' is the name of class {} of this cell already", other->second
                      );
    });
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
    check_verdicts(*claims, *places, problems);
    return problems;
}

}  // namespace schedfarm::results_schema
