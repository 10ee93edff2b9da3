// What it costs to go from one time slice to the next, for every gang scheduling policy: for how
// long nothing works, after which slices, and whether the slice is longer for it (Wang,
// Papaefthymiou & Squillante 1997, sections 6 and 7.1).
//
// All processors switch at the same time, each for itself, so that a switch takes as long for one
// processor as for all. Under `paging` a processor loads the working set of its job page by page
// before the job works: 64 MB in pages of 4 KB at 1,000 pages a second are 16 s (1 MB = 1,000 KB).
// Under `block_paging` the job waits only for the first page of each block; the prefetched fraction
// comes in while it works and costs nothing, also where the slice is over before all pages are in.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/foundation/parameters.hpp"

namespace schedfarm::policies {

/// Whether a slice that follows another one of its row pays a switch too.
enum class SwitchPaid : std::uint8_t { every_slice, row_change };

/// Whether a switch is the first part of its slice, or comes before the quantum begins.
enum class SwitchPlace : std::uint8_t { inside, outside };

struct SwitchCost {
    double seconds = 1;
    SwitchPaid paid = SwitchPaid::every_slice;
    SwitchPlace place = SwitchPlace::inside;
};

std::vector<engine::ParameterDescription> switch_cost_parameters();
SwitchCost switch_cost(const engine::Parameters& given);

/// When the jobs of a slice work at the earliest, and when it is over at the latest.
struct SliceTimes {
    double works_from = 0;
    double end = 0;
};

/// The slices that follow each other on the same processors. Where only a change of the row is paid
/// the first slice pays, and so does the first one after forget().
class SliceClock {
  public:
    explicit SliceClock(const SwitchCost& cost) : cost_(cost) {}

    /// A slice of the row of this class begins.
    SliceTimes begin(double now, std::uint32_t row_class, double quantum_s);
    /// Something else had the processors.
    void forget() { row_.reset(); }

  private:
    SwitchCost cost_;
    std::optional<std::uint32_t> row_;  // of the last slice
};

}  // namespace schedfarm::policies
