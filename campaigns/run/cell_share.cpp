#include "campaigns/run/cell_share.hpp"

#include <map>
#include <numeric>

#include "engine/foundation/expect.hpp"

namespace schedfarm::campaigns {

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

}  // namespace

std::vector<bool> cells_of_share(const Plan& plan, const CellShare& share) {
    SCHEDFARM_EXPECT(share.index < share.count, "a share beyond the number of shares");
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
    std::vector<bool> ours(plan.cells.size(), false);
    for (const Cell& cell : plan.cells) {
        const auto next = static_cast<std::uint32_t>(number_of_set.size());
        const std::uint32_t number =
            number_of_set.emplace(sets.first_of(cell.index), next).first->second;
        ours[cell.index] = number % share.count == share.index;
    }
    return ours;
}

}  // namespace schedfarm::campaigns
