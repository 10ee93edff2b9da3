#include "engine/random/uniforms.hpp"

#include <array>

#include "engine/foundation/cpu_dispatch.hpp"
#include "engine/foundation/elementary.hpp"

namespace schedfarm::engine {

namespace {

SCHEDFARM_VECTOR_CLONES
void to_uniforms(const std::uint64_t* draws, double* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = unit_interval(draws[i]);
    }
}

SCHEDFARM_VECTOR_CLONES
void to_complements(double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = 1.0 - values[i];
    }
}

SCHEDFARM_VECTOR_CLONES
void negate(double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = -values[i];
    }
}

}  // namespace

void fill_uniforms(const Stream& stream, std::uint64_t first, std::span<double> out) {
    std::array<std::uint64_t, uniforms_chunk> draws;  // NOLINT: written before it is read
    for_each_part(first, out, uniforms_chunk, [&](std::uint64_t at, std::span<double> part) {
        stream.fill_draws(at, std::span(draws).first(part.size()));
        to_uniforms(draws.data(), part.data(), part.size());
    });
}

void fill_unit_exponentials(const Stream& stream, std::uint64_t first, std::span<double> out) {
    for_each_part(first, out, uniforms_chunk, [&](std::uint64_t at, std::span<double> part) {
        fill_uniforms(stream, at, part);
        to_complements(part.data(), part.size());
        logarithms(part, part);
        negate(part.data(), part.size());
    });
}

}  // namespace schedfarm::engine
