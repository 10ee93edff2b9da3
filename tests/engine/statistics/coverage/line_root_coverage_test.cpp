// How often Fieller's interval holds the root of a noisy line, over many independent sets of
// points.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/elementary.hpp"
#include "engine/random/stream.hpp"
#include "engine/statistics/line_root.hpp"

#include "tests/engine/statistics/coverage.hpp"

namespace schedfarm::engine {
namespace {

struct Shape {
    const char* name;
    double growth;        ///< of the noise, from 1 at the lowest point to 1 + growth
    double scale_spread;  ///< of the scales around 1
    bool is_skewed;       ///< exponential noise, not normal
};

class Noise {
  public:
    explicit Noise(std::uint32_t run) : stream_(20261123, Purpose::service, run) {}
    double uniform() { return unit_interval(stream_.draw(position_++)); }
    double draw(bool is_skewed) {
        const double u = uniform();
        return is_skewed ? -logarithm(u) - 1 : normal_quantile(u);
    }

  private:
    Stream stream_;
    std::uint64_t position_ = 0;
};

constexpr double root = 0.7312;

/// `n` points at five places from 0.03 below the root to 0.05 above it.
std::vector<LinePoint> points_of(const Shape& shape, std::uint32_t n, Noise& noise) {
    std::vector<LinePoint> points;
    for (std::uint32_t i = 0; i < n; ++i) {
        const double place = i % 5 / 4.;
        LinePoint point;
        point.at = root - 0.03 + 0.08 * place;
        point.scale = 1 + shape.scale_spread * (2 * noise.uniform() - 1);
        const double deviation = 0.02 * (1 + shape.growth * place);
        point.change = (point.at - root) * point.scale + deviation * noise.draw(shape.is_skewed);
        points.push_back(point);
    }
    return points;
}

}  // namespace

TEST_CASE("Fieller's interval of the root covers as stated") {
    constexpr std::uint32_t runs = 4000;
    for (const Shape& shape :
         {Shape{"plain", 0, 0, false},
          Shape{"noise grows fivefold", 4, 0, false},
          Shape{"scales differ", 1, 0.9, false},
          Shape{"skewed", 0, 0.5, true}}) {
        Coverage coverage;
        for (std::uint32_t run = 0; run < runs; ++run) {
            Noise noise(run);
            const auto found = line_root(points_of(shape, 300, noise), 0.95);
            REQUIRE(found);
            ++coverage.macro_runs;
            coverage.covered += found->interval.contains(root) ? 1U : 0U;
        }
        CAPTURE(std::string(shape.name));
        MESSAGE(std::string(shape.name) << ": " << coverage);
        CHECK(
            std::fabs(coverage.fraction() - 0.95)
            < z * std::sqrt(0.95 * 0.05 / static_cast<double>(runs))
        );
    }
}

}  // namespace schedfarm::engine
