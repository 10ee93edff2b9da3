// Vectors of doubles for loops that are written once and compiled for each instruction set
// (engine/foundation/cpu_dispatch.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace schedfarm::engine {

/// Doubles side by side in a vector of so many bytes.
template <std::size_t bytes>
struct Doubles {
    // NOLINTBEGIN(modernize-use-using): GCC 12 would lose the attributes
    typedef double Lanes __attribute__((vector_size(bytes)));
    typedef double Unaligned __attribute__((vector_size(bytes), aligned(8), may_alias));
    typedef std::int64_t Flags __attribute__((vector_size(bytes)));
    // NOLINTEND(modernize-use-using)
    static constexpr std::size_t lanes = bytes / sizeof(double);

    static Unaligned& at(double* place) { return *reinterpret_cast<Unaligned*>(place); }
    static const Unaligned& at(const double* place) {
        return *reinterpret_cast<const Unaligned*>(place);
    }
};

}  // namespace schedfarm::engine
