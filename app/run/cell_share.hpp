// The part of a campaign's cells that one of several jobs computes, such as a task of a job array.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/farm/journal/journal.hpp"

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// Share number `index` (from 0) of `count` shares. REQUIRES: index < count.
struct CellShare {
    std::uint32_t index = 0;
    std::uint32_t count = 1;

    bool is_whole() const { return count == 1; }
    friend bool operator==(const CellShare&, const CellShare&) = default;
};

/// Which cells belong to the share. Cells that are decided together (a comparison with a precision,
/// a selection) and pilots with the cells that wait for them stay together; these sets, in the
/// order of their first cells, are dealt out in turn.
std::vector<bool> cells_of_share(const Plan& plan, const CellShare& share);

/// "2/4" is share 1 of 4, counted from 0; absent where the text is no share.
std::optional<CellShare> share_of_text(std::string_view text);
/// Empty: all cells.
std::string text_of(const CellShare& share);

/// The share that a journal is of. Throws JournalError where it says nothing that is a share.
CellShare share_in(const engine::JournalContent& content);

}  // namespace schedfarm::app
