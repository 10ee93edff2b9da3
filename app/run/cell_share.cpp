#include "app/run/cell_share.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

#include "app/campaign/plan/lengthening.hpp"
#include "app/campaign/yaml/numbers.hpp"

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
    if (plan.comparison && (plan.comparison->target || shares_horizons(plan))) {
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

}  // namespace

std::vector<bool> cells_of_share(const Plan& plan, const CellShare& share) {
    SCHEDFARM_EXPECT(share.index < share.count, "a share beyond the number of shares");
    std::vector<bool> ours;
    for (const std::uint32_t number : numbers_of_sets(plan)) {
        ours.push_back(number % share.count == share.index);
    }
    return ours;
}

std::optional<CellShare> share_of_text(std::string_view text) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const std::uint64_t index = parse_natural(text.substr(0, slash)).value_or(0);
    const std::uint64_t count =
        slash == text.size() ? 0 : parse_natural(text.substr(slash + 1)).value_or(0);
    if (index < 1 || index > count || count > std::numeric_limits<std::uint32_t>::max()) {
        return std::nullopt;
    }
    return CellShare{static_cast<std::uint32_t>(index - 1), static_cast<std::uint32_t>(count)};
}

std::string text_of(const CellShare& share) {
    return share.is_whole() ? "" : fmt::format("{}/{}", share.index + 1, share.count);
}

CellShare share_in(const engine::JournalContent& content) {
    if (content.share.empty()) {
        return {};
    }
    const auto share = share_of_text(content.share);
    if (!share) {
        throw engine::JournalError("a journal says of which cells it is in unknown words");
    }
    return *share;
}

}  // namespace schedfarm::app
