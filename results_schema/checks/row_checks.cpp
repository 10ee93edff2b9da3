#include "results_schema/checks/row_checks.hpp"

namespace schedfarm::results_schema {

namespace {

std::string with_values(std::string_view problem, const Row& row) {
    std::string text;
    for (std::size_t at = problem.find('{'); at != std::string_view::npos; at = problem.find('{')) {
        const std::size_t end = problem.find('}', at);
        text.append(problem, 0, at).append(row.shown(problem.substr(at + 1, end - at - 1)));
        problem.remove_prefix(end + 1);
    }
    return text.append(problem);
}

}  // namespace

void check_rows(const Table& table, Problems& problems, const RowCheck& check) {
    for (const Row& row : rows_of(table)) {
        if (const std::string problem = check(row); !problem.empty()) {
            add_row_problem(problems, table, row.index(), with_values(problem, row));
        }
    }
}

void check_intervals(const Table& table, const IntervalColumns& columns, Problems& problems) {
    const auto& middle = column_of<Reals>(table, columns.estimate);
    const auto& lower = column_of<Reals>(table, columns.lower);
    const auto& upper = column_of<Reals>(table, columns.upper);
    check_rows(table, problems, [&](const Row& row) -> std::string {
        const std::size_t i = row.index();
        if (lower[i] > middle[i] || middle[i] > upper[i]) {
            return fmt::format(
                "{0} {{{0}}} lies outside its interval [{{{1}}}, {{{2}}}]",
                columns.estimate,
                columns.lower,
                columns.upper
            );
        }
        return "";
    });
}

void check_confidence(const Table& table, Problems& problems) {
    const auto& confidence = column_of<Reals>(table, "confidence");
    check_rows(table, problems, [&](const Row& row) {
        const bool is_wrong = confidence[row.index()] <= 0 || confidence[row.index()] >= 1;
        return is_wrong ? "confidence {confidence} is not between 0 and 1" : "";
    });
}

void check_counts(
    const Table& table, std::string_view cell_column, const Table& cells, Problems& problems
) {
    const auto& used = column_of<Counts>(cells, "replications_used");
    const auto& cell = column_of<Counts>(table, cell_column);
    const auto& n = column_of<Counts>(table, "n");
    check_rows(table, problems, [&](const Row& row) -> std::string {
        const std::uint64_t of_cell = used[cell[row.index()]];
        return n[row.index()] <= of_cell
                   ? ""
                   : fmt::format(
                       "rests on {{n}} replications, but cell {{{}}} has {}", cell_column, of_cell
                   );
    });
}

}  // namespace schedfarm::results_schema
