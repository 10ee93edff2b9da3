#include "bench/clp_reference.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include <Clp_C_Interface.h>

namespace schedfarm::bench {

namespace {

constexpr double tolerance = 1e-10;

/// The program column by column; rows are the tasks and then the capacities, nested as they are
/// written.
struct Columns {
    std::vector<CoinBigIndex> starts{0};
    std::vector<int> rows;
    std::vector<double> entries;
    std::vector<double> costs;
};

void add_column(
    Columns& columns,
    const engine::NestedAssignment& problem,
    std::size_t task,
    std::size_t interval
) {
    columns.rows.push_back(static_cast<int>(task));
    columns.entries.push_back(1);
    for (std::size_t row = interval; row < problem.rows(); ++row) {
        columns.rows.push_back(static_cast<int>(problem.tasks + row));
        columns.entries.push_back(problem.area(task, interval));
    }
    columns.starts.push_back(static_cast<CoinBigIndex>(columns.rows.size()));
    columns.costs.push_back(problem.cost(task, interval));
}

Columns columns_of(const engine::NestedAssignment& problem) {
    Columns result;
    for (std::size_t i = 0; i < problem.tasks; ++i) {
        for (std::size_t j = 0; j < problem.intervals; ++j) {
            if (std::isfinite(problem.cost(i, j))) {
                add_column(result, problem, i, j);
            }
        }
    }
    return result;
}

}  // namespace

bool clp_is_present() {
    return true;
}

double clp_least_cost(const engine::NestedAssignment& problem) {
    const Columns columns = columns_of(problem);
    std::vector<double> lower(problem.tasks, 1);
    std::vector<double> upper = lower;
    lower.resize(problem.tasks + problem.rows(), -std::numeric_limits<double>::max());
    upper.insert(upper.end(), problem.capacities.begin(), problem.capacities.end());
    const std::unique_ptr<Clp_Simplex, decltype(&Clp_deleteModel)> model(
        Clp_newModel(), &Clp_deleteModel
    );
    Clp_setLogLevel(model.get(), 0);
    Clp_setPrimalTolerance(model.get(), tolerance);
    Clp_setDualTolerance(model.get(), tolerance);
    Clp_loadProblem(
        model.get(),
        static_cast<int>(columns.costs.size()),
        static_cast<int>(lower.size()),
        columns.starts.data(),
        columns.rows.data(),
        columns.entries.data(),
        nullptr,
        nullptr,
        columns.costs.data(),
        lower.data(),
        upper.data()
    );
    Clp_dual(model.get(), 0);
    if (Clp_status(model.get()) != 0) {
        throw std::runtime_error("CLP found no optimum of the linear program");
    }
    return Clp_objectiveValue(model.get());
}

}  // namespace schedfarm::bench
