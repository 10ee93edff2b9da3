// geometric, weights and values: inversion of a table of cumulative probabilities.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string>

#include "engine/foundation/expect.hpp"
#include "engine/random/distribution_families.hpp"

namespace schedfarm::engine {

namespace {

/// Size n for the words from 2^32 F(n − 1) up to 2^32 F(n), both rounded to integers: probabilities
/// are exact to 2^-32. A guide table on the leading bits of the word gives the first candidate.
class Weighted final : public SizeDistribution {
  public:
    /// weights[i] belongs to size i + 1. REQUIRES: a positive weight.
    explicit Weighted(const std::vector<double>& weights) {
        double total = 0.0;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            total += weights[i];
            if (weights[i] > 0.0) {
                low_ = low_ == 0 ? static_cast<std::uint32_t>(i + 1) : low_;
                high_ = static_cast<std::uint32_t>(i + 1);
            }
        }
        probabilities_.assign(std::size_t{high_} + 1, 0.0);
        end_.assign(std::size_t{high_} + 1, 0);
        double sum = 0.0;
        for (std::uint32_t size = 1; size <= high_; ++size) {
            sum += weights[size - 1];
            probabilities_[size] = weights[size - 1] / total;
            mean_ += probabilities_[size] * size;
            end_[size] = static_cast<std::uint64_t>(std::llround(sum / total * 0x1p32));
        }
        end_[high_] = std::uint64_t{1} << 32;
        make_guide();
    }

    std::uint32_t low() const override { return low_; }
    std::uint32_t high() const override { return high_; }
    double mean() const override { return mean_; }
    std::vector<double> probabilities() const override { return probabilities_; }

    void map(std::span<const std::uint32_t> words, std::span<std::uint32_t> out) const override {
        SCHEDFARM_EXPECT(words.size() == out.size(), "one word for each size");
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::uint32_t word = words[i];
            std::uint32_t size = guide_[word >> guide_shift_];
            while (word >= end_[size]) {
                ++size;
            }
            out[i] = size;
        }
    }

  private:
    /// About 32 cells per size, so that few cells hold a boundary and the loop in map() is
    /// predictable; between 2^8 and 2^14 cells, to stay in the first-level cache.
    void make_guide() {
        const int bits = std::clamp(static_cast<int>(std::bit_width(32U * high_)), 8, 14);
        guide_shift_ = 32 - bits;
        std::uint32_t size = low_;
        for (std::uint64_t cell = 0; cell < std::uint64_t{1} << bits; ++cell) {
            while ((cell << guide_shift_) >= end_[size]) {
                ++size;
            }
            guide_.push_back(size);
        }
    }

    std::uint32_t low_ = 0;
    std::uint32_t high_ = 0;
    double mean_ = 0.0;
    int guide_shift_ = 0;
    std::vector<double> probabilities_;  // of sizes 0 … high_
    std::vector<std::uint64_t> end_;     // the first word beyond those of each size 0 … high_
    std::vector<std::uint32_t> guide_;   // the size of the first word of each cell
};

std::vector<double> powers(double ratio, std::int64_t count) {
    std::vector<double> result;
    double power = 1.0;
    for (std::int64_t i = 0; i < count; ++i) {
        result.push_back(power);
        power *= ratio;
    }
    return result;
}

/// The problem, where that is so.
std::vector<ParameterProblem> no_positive_weight(const std::vector<double>& weights) {
    if (std::any_of(weights.begin(), weights.end(), [](double w) { return w > 0.0; })) {
        return {};
    }
    return {
        {"weights",
         "no weight is positive (no size could be drawn)",
         "Give at least one size a positive weight."}};
}

std::vector<ParameterProblem> weights_problems(const Parameters& parameters) {
    const std::vector<double> weights = parameters.reals("weights");
    if (weights.size() > largest_size) {
        return {
            {"weights",
             std::to_string(weights.size()) + " weights (sizes end at "
                 + std::to_string(largest_size) + ")",
             "Leave the last ones out."}};
    }
    return no_positive_weight(weights);
}

/// For the sizes 1, 2, …: those of the listed sizes added up; all 1 when none are given.
std::vector<double> weights_of_values(const Parameters& parameters) {
    const std::vector<double> sizes = parameters.reals("sizes");
    std::vector<double> weights = parameters.reals("weights");
    if (weights.empty()) {
        weights.assign(sizes.size(), 1.0);
    }
    std::vector<double> result(
        static_cast<std::size_t>(*std::max_element(sizes.begin(), sizes.end())), 0.0
    );
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        result[static_cast<std::size_t>(sizes[i]) - 1] += weights[i];
    }
    return result;
}

std::vector<ParameterProblem> values_problems(const Parameters& parameters) {
    const std::vector<double> sizes = parameters.reals("sizes");
    const std::vector<double> weights = parameters.reals("weights");
    if (sizes.empty()) {
        return {{"sizes", "the list is empty (there is nothing to draw)", "Give a size."}};
    }
    if (!weights.empty() && weights.size() != sizes.size()) {
        return {
            {"weights",
             std::to_string(sizes.size()) + " sizes and " + std::to_string(weights.size())
                 + " weights (every size needs one)",
             "Give both lists the same length, or leave the weights out."}};
    }
    return weights.empty() ? std::vector<ParameterProblem>() : no_positive_weight(weights);
}

}  // namespace

SizeFamily geometric_family() {
    return {
        {.name = "geometric",
         .summary = "Truncated geometric: the frequency of size n is proportional to ratio^n on "
                    "1 ... high.",
         .parameters =
             {{.name = "ratio",
               .meaning = "frequency of a size relative to the size below it",
               .range = {.low = 0.0, .high = 1.0, .low_is_open = true}},
              size_parameter("high", "largest size")}},
        [](const Parameters& p) {
            return std::make_unique<Weighted>(powers(p.real("ratio"), p.integer("high")));
        }};
}

SizeFamily weights_family() {
    return {
        {.name = "weights",
         .summary = "Sizes 1, 2, ... with the given relative frequencies.",
         .parameters =
             {{.name = "weights",
               .meaning = "relative frequencies of the sizes 1, 2, ...; they need not add up to 1",
               .type = ParameterType::real_list,
               .range = {.low = 0.0, .high = 1e9}}},
         .check = weights_problems},
        [](const Parameters& p) {
            return std::make_unique<Weighted>(p.reals("weights"));
        }};
}

SizeFamily values_family() {
    return {
        {.name = "values",
         .summary = "One of the given sizes, drawn with replacement.",
         .parameters =
             {{.name = "sizes",
               .meaning = "the sizes; repeated ones count as often as they stand there",
               .unit = "processors",
               .type = ParameterType::integer_list,
               .range = {.low = 1, .high = largest_size}},
              {.name = "weights",
               .meaning = "relative frequencies of the sizes; empty: all alike",
               .type = ParameterType::real_list,
               .default_value = Value::List{},
               .range = {.low = 0.0, .high = 1e9}}},
         .check = values_problems},
        [](const Parameters& p) {
            return std::make_unique<Weighted>(weights_of_values(p));
        }};
}

}  // namespace schedfarm::engine
