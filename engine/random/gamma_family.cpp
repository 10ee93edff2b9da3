// gamma: one draw per value, inverted.
#include "engine/random/distribution_families.hpp"
#include "engine/random/uniforms.hpp"
#include "engine/random/unit_gamma.hpp"

namespace schedfarm::engine {

namespace {

class Gamma final : public TimeDistribution {
  public:
    Gamma(double shape, double mean) : unit_(shape), mean_(mean) {}

    double mean() const override { return mean_; }
    double squared_variation() const override { return 1.0 / unit_.shape(); }
    bool has_mean_reciprocal() const override { return unit_.shape() > 1; }

    void fill(const Stream& stream, std::uint64_t first, std::span<double> out) const override {
        fill_uniforms(stream, first, out);
        for (double& value : out) {
            value = unit_.quantile(value) * (mean_ / unit_.shape());
        }
    }

  private:
    UnitGamma unit_;
    double mean_;
};

}  // namespace

TimeFamily gamma_family() {
    return {
        {.name = "gamma",
         .summary = "Gamma with the given shape and mean; the scale is mean / shape.",
         .parameters =
             {{.name = "shape",
               .meaning = "1: exponential; whole numbers: erlang; the squared variation is 1/shape",
               .range = {.low = 0.02, .high = 10000.0}},
              mean_parameter()}},
        [](const Parameters& p) {
            return std::make_unique<Gamma>(p.real("shape"), p.real("mean"));
        }};
}

}  // namespace schedfarm::engine
