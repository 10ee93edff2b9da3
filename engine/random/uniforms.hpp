// Uniform values in (0, 1) in bulk, the first step of every time distribution. Distributions use
// the complement 1 − u in −ln(1 − u), so that every inversion increases with the draw.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/random/stream.hpp"

namespace schedfarm::engine {

/// Values handled at a time; buffers of this length live on the stack.
inline constexpr std::size_t uniforms_chunk = 512;

/// out[i] = unit_interval(draw first + i); any length.
void fill_uniforms(const Stream& stream, std::uint64_t first, std::span<double> out);

/// out[i] = −ln(1 − unit_interval(draw first + i)): exponential values of mean 1; any length.
void fill_unit_exponentials(const Stream& stream, std::uint64_t first, std::span<double> out);

/// Calls work(first, part) for consecutive parts of `out` of at most `length` values.
template <typename Work>
void for_each_part(std::uint64_t first, std::span<double> out, std::size_t length, Work&& work) {
    while (!out.empty()) {
        const std::size_t count = std::min(length, out.size());
        work(first, out.first(count));
        out = out.subspan(count);
        first += count;
    }
}

}  // namespace schedfarm::engine
