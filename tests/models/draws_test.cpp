// Single draws against those in bulk.
#include "models/draws.hpp"

#include <array>

#include <doctest/doctest.h>

#include "engine/random/uniforms.hpp"

#include "tests/models/settings.hpp"

namespace schedfarm::models {

TEST_CASE("a single draw is that of the bulk") {
    const engine::Stream stream =
        stream_of(tests::context_of({32}), engine::Purpose::service);  // seed 2001, replication 3
    const engine::Stream same(2001, engine::Purpose::service, 3);
    std::array<double, 600> uniforms{};
    std::array<double, 600> exponentials{};
    engine::fill_uniforms(same, 7, uniforms);
    engine::fill_unit_exponentials(same, 7, exponentials);
    for (std::size_t i = 0; i < uniforms.size(); ++i) {
        CHECK(uniform_draw(stream, 7 + i) == uniforms[i]);
        CHECK(exponential_draw(stream, 7 + i) == exponentials[i]);
    }
}

}  // namespace schedfarm::models
