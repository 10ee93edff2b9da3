#include "app/run/cell_share.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/foundation/expect.hpp"

namespace schedfarm::app {

namespace {

/// Sets of cells that must stay together; the representative of a set is its first cell.
class CellSets {
  public:
    explicit CellSets(std::size_t cells) : parents_(cells) {
        std::iota(parents_.begin(), parents_.end(), 0U);
    }

    std::uint32_t first_of(std::uint32_t cell) const {
        while (parents_[cell] != cell) {
            cell = parents_[cell];
        }
        return cell;
    }

    void join(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t first = first_of(a);
        const std::uint32_t second = first_of(b);
        parents_[std::max(first, second)] = std::min(first, second);
    }

    void join(const std::vector<CellGroup>& groups) {
        for (const CellGroup& group : groups) {
            for (const std::uint32_t cell : group.cells) {
                join(group.cells.front(), cell);
            }
        }
    }

  private:
    std::vector<std::uint32_t> parents_;
};

/// Cells with one number stay together; numbers count from 0 in the order of first cells.
std::vector<std::uint32_t> numbers_of_sets(const Plan& plan) {
    CellSets sets(plan.cells.size());
    if (plan.comparison && plan.comparison->target) {
        sets.join(plan.comparison->groups);
    }
    if (plan.selection) {
        sets.join(plan.selection->groups);
    }
    for (const Cell& cell : plan.cells) {
        if (cell.placed_load) {
            sets.join(cell.index, cell.placed_load->pilot);
        }
    }
    std::map<std::uint32_t, std::uint32_t> number_of_set;
    std::vector<std::uint32_t> numbers;
    for (const Cell& cell : plan.cells) {
        const auto next = static_cast<std::uint32_t>(number_of_set.size());
        numbers.push_back(number_of_set.emplace(sets.first_of(cell.index), next).first->second);
    }
    return numbers;
}

/// Whether a run of the share would have begun just these cells; those that wait for a load may be
/// missing.
bool tells_of(
    const Plan& plan,
    const std::vector<std::uint32_t>& numbers,
    const std::vector<std::uint64_t>& begun,
    const CellShare& share
) {
    return std::all_of(plan.cells.begin(), plan.cells.end(), [&](const Cell& cell) {
        const bool is_ours = numbers[cell.index] % share.count == share.index;
        const bool is_begun = begun[cell.index] > 0;
        return is_ours == is_begun || (is_ours && cell.placed_load);
    });
}

}  // namespace

std::vector<bool> cells_of_share(const Plan& plan, const CellShare& share) {
    SCHEDFARM_EXPECT(share.index < share.count, "a share beyond the number of shares");
    std::vector<bool> ours;
    for (const std::uint32_t number : numbers_of_sets(plan)) {
        ours.push_back(number % share.count == share.index);
    }
    return ours;
}

std::optional<CellShare> share_begun(const Plan& plan, const std::vector<std::uint64_t>& begun) {
    const std::vector<std::uint32_t> numbers = numbers_of_sets(plan);
    const auto again = std::find_if(begun.begin(), begun.end(), [](auto n) { return n > 1; });
    if (again == begun.end() || tells_of(plan, numbers, begun, {})) {
        return std::nullopt;
    }
    const std::uint32_t number = numbers[static_cast<std::size_t>(again - begun.begin())];
    for (std::uint32_t count = 2; count <= begun.size(); ++count) {
        if (const CellShare share{number % count, count}; tells_of(plan, numbers, begun, share)) {
            return share;
        }
    }
    return std::nullopt;
}

}  // namespace schedfarm::app
