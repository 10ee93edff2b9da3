// exponential and erlang: exponential values and their sums.
#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/foundation/elementary.hpp"
#include "engine/random/distribution_families.hpp"
#include "engine/random/uniforms.hpp"

namespace schedfarm::engine {

namespace {

class Exponential final : public TimeDistribution {
  public:
    explicit Exponential(double mean) : mean_(mean) {}

    double mean() const override { return mean_; }
    double squared_variation() const override { return 1.0; }
    bool has_mean_reciprocal() const override { return false; }

    void fill(const Stream& stream, std::uint64_t first, std::span<double> out) const override {
        for_each_part(first, out, uniforms_chunk, [&](std::uint64_t at, std::span<double> part) {
            fill_unit_exponentials(stream, at, part);
            for (double& value : part) {
                value *= mean_;
            }
        });
    }

  private:
    double mean_;
};

/// The sum of `shape` exponential values; `shape` draws per value.
class Erlang final : public TimeDistribution {
  public:
    Erlang(std::size_t shape, double mean) : shape_(shape), mean_(mean) {}

    double mean() const override { return mean_; }
    double squared_variation() const override { return 1.0 / static_cast<double>(shape_); }
    bool has_mean_reciprocal() const override { return shape_ > 1; }

    void fill(const Stream& stream, std::uint64_t first, std::span<double> out) const override {
        for_each_part(
            first,
            out,
            uniforms_chunk / shape_,
            [&](std::uint64_t at, std::span<double> part) { fill_part(stream, at, part); }
        );
    }

  private:
    /// A logarithm takes the product of up to 16 factors: each is at least 2^-53, so that the
    /// product is at least 2^-848 and no underflow can occur.
    static constexpr std::size_t factors_per_logarithm = 16;

    void fill_part(const Stream& stream, std::uint64_t first, std::span<double> part) const {
        std::array<double, uniforms_chunk> uniforms;  // NOLINT: written before it is read
        std::array<double, uniforms_chunk> products;  // NOLINT: written before it is read
        fill_uniforms(stream, first * shape_, std::span(uniforms).first(part.size() * shape_));
        std::fill(part.begin(), part.end(), 0.0);
        for (std::size_t from = 0; from < shape_; from += factors_per_logarithm) {
            const std::size_t to = std::min(from + factors_per_logarithm, shape_);
            for (std::size_t i = 0; i < part.size(); ++i) {
                double product = 1.0;
                for (std::size_t d = from; d < to; ++d) {
                    product *= 1.0 - uniforms[i * shape_ + d];
                }
                products[i] = product;
            }
            const std::span<double> used = std::span(products).first(part.size());
            logarithms(used, used);
            for (std::size_t i = 0; i < part.size(); ++i) {
                part[i] -= products[i];
            }
        }
        const double mean_of_one = mean_ / static_cast<double>(shape_);
        for (double& value : part) {
            value *= mean_of_one;
        }
    }

    std::size_t shape_;
    double mean_;
};

}  // namespace

TimeFamily exponential_family() {
    return {
        {.name = "exponential",
         .summary = "Exponential with the given mean.",
         .parameters = {mean_parameter()}},
        [](const Parameters& p) {
            return std::make_unique<Exponential>(p.real("mean"));
        }};
}

TimeFamily erlang_family() {
    return {
        {.name = "erlang",
         .summary = "Sum of `shape` exponential phases of equal mean; squared variation 1/shape.",
         .parameters =
             {{.name = "shape",
               .meaning = "number of phases",
               .type = ParameterType::integer,
               .range = {.low = 1, .high = uniforms_chunk}},
              mean_parameter()}},
        [](const Parameters& p) {
            return std::make_unique<Erlang>(
                static_cast<std::size_t>(p.integer("shape")), p.real("mean")
            );
        }};
}

}  // namespace schedfarm::engine
