// uniform and constant: low + floor(word · sizes / 2^32).
#include <algorithm>
#include <cstddef>
#include <string>

#include "engine/foundation/cpu_dispatch.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/random/distribution_families.hpp"

namespace schedfarm::engine {

namespace {

SCHEDFARM_VECTOR_CLONES
void map_uniformly(
    const std::uint32_t* words,
    std::uint32_t* out,
    std::size_t count,
    std::uint32_t low,
    std::uint32_t sizes
) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = low + scaled_word(words[i], sizes);
    }
}

class Uniform final : public SizeDistribution {
  public:
    Uniform(std::uint32_t low, std::uint32_t high) : low_(low), high_(high) {}

    std::uint32_t low() const override { return low_; }
    std::uint32_t high() const override { return high_; }
    double mean() const override { return 0.5 * (double{1} * low_ + high_); }

    std::vector<double> probabilities() const override {
        std::vector<double> result(std::size_t{high_} + 1, 0.0);
        std::fill(result.begin() + low_, result.end(), 1.0 / (high_ - low_ + 1));
        return result;
    }

    void map(std::span<const std::uint32_t> words, std::span<std::uint32_t> out) const override {
        SCHEDFARM_EXPECT(words.size() == out.size(), "one word for each size");
        map_uniformly(words.data(), out.data(), words.size(), low_, high_ - low_ + 1);
    }

  private:
    std::uint32_t low_;
    std::uint32_t high_;
};

std::uint32_t size_of(const Parameters& parameters, const char* name) {
    return static_cast<std::uint32_t>(parameters.integer(name));
}

std::vector<ParameterProblem> uniform_problems(const Parameters& parameters) {
    const std::int64_t low = parameters.integer("low");
    const std::int64_t high = parameters.integer("high");
    if (low <= high) {
        return {};
    }
    return {
        {"low",
         "low = " + std::to_string(low) + " is above high = " + std::to_string(high)
             + " (no size lies between them)",
         "Exchange them."}};
}

}  // namespace

SizeFamily uniform_family() {
    return {
        {.name = "uniform",
         .summary = "Every size from low to high equally often.",
         .parameters =
             {size_parameter("low", "smallest size"), size_parameter("high", "largest size")},
         .check = uniform_problems},
        [](const Parameters& p) {
            return std::make_unique<Uniform>(size_of(p, "low"), size_of(p, "high"));
        }};
}

SizeFamily constant_family() {
    return {
        {.name = "constant",
         .summary = "Always the same size.",
         .parameters = {size_parameter("size", "the size")}},
        [](const Parameters& p) {
            return std::make_unique<Uniform>(size_of(p, "size"), size_of(p, "size"));
        }};
}

}  // namespace schedfarm::engine
