// What has been decided about the number of a cell's replications. Whoever decides (the cell's own
// stop rule, a comparison, a selection, a search for a load) says it in these words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace schedfarm::app {

/// Why a cell needs no more replications.
enum class CellEnd : std::uint8_t {
    undecided,       ///< it needs more
    met,             ///< every precision target is met; a search is as narrow as asked for
    fixed,           ///< the fixed number of replications is complete
    cap,             ///< limits.max came first
    budget,          ///< a budget in replications, jobs or events came first
    log,             ///< the log leaves more open than a target allows, however many replications
    variance,        ///< a time of the jobs has an infinite variance, and a target is on a mean
    missing,         ///< a replication lacks the value of a target, which therefore has no mean
    clock,           ///< a budget in core-hours came first: the cell is provisional
    unstable,        ///< the queue grows without bound
    selected,        ///< the best of its group, or its equal to the bit
    eliminated,      ///< not the best of its group
    not_bracketed,   ///< the load searched for lies outside the bounds given
    not_stationary,  ///< a search whose runs are too short for the load that they find
};

/// Two cells, by index: their difference is the first's metric less the second's.
struct ComparedCells {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
};

struct CellDecision {
    CellEnd end = CellEnd::undecided;
    std::uint64_t n = 0;               ///< replications that it rests on, a prefix
    std::uint64_t next_check = 0;      ///< undecided: the prefix that the next decision needs
    std::uint64_t dispatch_limit = 0;  ///< undecided: replications below this may be dispatched
    std::uint64_t predicted = 0;       ///< replications that the cell is expected to need
    std::string most_demanding;        ///< column that needs most; empty without targets
    std::optional<ComparedCells> difference = {};  ///< that needs most: of this column

    bool is_open() const { return end == CellEnd::undecided; }
};

}  // namespace schedfarm::app
