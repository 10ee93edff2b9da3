#include "results_schema/checks/row_checks.hpp"

namespace schedfarm::results_schema {

void check_intervals(const Table& table, const IntervalColumns& columns, Problems& problems) {
    const auto& middle = column_of<Reals>(table, columns.estimate);
    const auto& lower = column_of<Reals>(table, columns.lower);
    const auto& upper = column_of<Reals>(table, columns.upper);
    for (std::size_t row = 0; row < middle.size(); ++row) {
        if (lower[row] > middle[row] || middle[row] > upper[row]) {
            const std::string problem = fmt::format(
                "{} {} lies outside its interval [{}, {}]",
                columns.estimate,
                middle[row],
                lower[row],
                upper[row]
            );
            add_row_problem(problems, table, row, problem);
        }
    }
}

void check_confidence(const Table& table, Problems& problems) {
    const auto& confidence = column_of<Reals>(table, "confidence");
    for (std::size_t row = 0; row < confidence.size(); ++row) {
        if (confidence[row] <= 0 || confidence[row] >= 1) {
            const std::string problem =
                fmt::format("confidence {} is not between 0 and 1", confidence[row]);
            add_row_problem(problems, table, row, problem);
        }
    }
}

void check_counts(
    const Table& table, std::string_view cell_column, const Table& cells, Problems& problems
) {
    const auto& used = column_of<Counts>(cells, "replications_used");
    const auto& cell = column_of<Counts>(table, cell_column);
    const auto& n = column_of<Counts>(table, "n");
    for (std::size_t row = 0; row < n.size(); ++row) {
        if (n[row] > used[cell[row]]) {
            const std::string problem = fmt::format(
                "rests on {} replications, but cell {} has {}", n[row], cell[row], used[cell[row]]
            );
            add_row_problem(problems, table, row, problem);
        }
    }
}

}  // namespace schedfarm::results_schema
