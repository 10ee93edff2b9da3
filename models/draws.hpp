// What workload models draw: the stream of a purpose, and single values of it. Pure.
#pragma once

#include <cstdint>

#include "engine/foundation/elementary.hpp"
#include "engine/random/stream.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::models {

/// Of the replication of the context.
inline engine::Stream stream_of(const engine::WorkloadContext& context, engine::Purpose purpose) {
    return {context.seed, purpose, context.replication, context.generator};
}

/// Draw number `draw`, in (0, 1).
inline double uniform_draw(const engine::Stream& stream, std::uint64_t draw) {
    return engine::unit_interval(stream.draw(draw));
}

/// The exponential value of mean 1 that draw number `draw` gives; increasing with it.
inline double exponential_draw(const engine::Stream& stream, std::uint64_t draw) {
    return -engine::logarithm(1 - uniform_draw(stream, draw));
}

}  // namespace schedfarm::models
