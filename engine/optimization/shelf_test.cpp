#include "engine/optimization/shelf_test.hpp"

#include <limits>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

double mean_load_bound(const MoldableInstance& instance, double work) {
    const double rounding =
        static_cast<double>(instance.size() + 4) * std::numeric_limits<double>::epsilon()
        + instance.area_loss();
    return work * (1 - rounding) / instance.processors();
}

double ShelfTest::least_work(double lambda) {
    if (!sort_tasks(lambda)) {
        return std::numeric_limits<double>::infinity();
    }
    return small_work_ + knapsack_.least_cost(items_, instance_.processors());
}

std::vector<ShelfTask> ShelfTest::partition(double lambda) {
    const bool fits = sort_tasks(lambda);
    SCHEDFARM_EXPECT(fits, "only an accepted guess has shelves");
    knapsack_.solve(items_, instance_.processors());
    std::vector<ShelfTask> result(instance_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const bool is_first = knapsack_.chosen()[i] != 0;
        result[item_tasks_[i]] = is_first ? ShelfTask{Shelf::first, items_[i].size}
                                          : ShelfTask{Shelf::second, second_[i]};
    }
    return result;
}

/// False: some task takes longer than λ on all processors.
bool ShelfTest::sort_tasks(double lambda) {
    const std::uint32_t all = instance_.processors();
    items_.clear();
    item_tasks_.clear();
    second_.clear();
    small_work_ = 0;
    for (std::uint32_t task = 0; task < instance_.size(); ++task) {
        if (instance_.time(task, 1) <= lambda / 2) {
            small_work_ += instance_.time(task, 1);
            continue;
        }
        const std::uint32_t first = instance_.least_processors(task, lambda);
        const std::uint32_t second = instance_.least_processors(task, lambda / 2);
        if (first > all) {
            return false;
        }
        const double outside =
            second > all ? std::numeric_limits<double>::infinity() : instance_.area(task, second);
        items_.push_back({first, outside, instance_.area(task, first)});
        item_tasks_.push_back(task);
        second_.push_back(second);
    }
    return true;
}

}  // namespace schedfarm::engine
