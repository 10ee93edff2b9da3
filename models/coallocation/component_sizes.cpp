#include "models/coallocation/component_sizes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/foundation/expect.hpp"

namespace schedfarm::models {

namespace {

using engine::Alternative;
using engine::Choice;
using engine::ParameterDescription;
using engine::Parameters;
using engine::ParameterType;
using engine::SizeDistribution;
using engine::Value;

Alternative powers_of_two() {
    return {
        .name = "powers_of_two",
        .summary = "Truncated geometric on 1 ... high in which 2, 4, 8, ... count `factor` times.",
        .parameters =
            {{.name = "ratio",
              .meaning = "frequency of a size relative to the size below it, but for the factor",
              .default_value = 0.9,
              .range = {.low = 0.0, .high = 1.0, .low_is_open = true}},
             {.name = "high",
              .meaning = "largest size",
              .unit = "processors",
              .type = ParameterType::integer,
              .default_value = 8,
              .range = {.low = 1, .high = 65536}},
             {.name = "factor",
              .meaning = "how many times more frequent the powers of two from 2 on are",
              .default_value = 3.0,
              .range = {.low = 0.0, .high = 1e6}}},
        .source = "Bucur & Epema 2000, section 4.4"};
}

/// The same as a choice of the engine's `weights`.
Choice weights_of_powers_of_two(const Parameters& given) {
    const Parameters parameters = with_defaults(powers_of_two().parameters, given);
    Value::List weights;
    double weight = 1;
    for (std::int64_t n = 1; n <= parameters.integer("high"); ++n) {
        weight *= parameters.real("ratio");
        const bool is_favoured = n > 1 && std::has_single_bit(static_cast<std::uint64_t>(n));
        weights.emplace_back(is_favoured ? weight * parameters.real("factor") : weight);
    }
    Choice choice{.name = "weights"};
    choice.parameters.set("weights", std::move(weights));
    return choice;
}

/// Distributions of one size; the parts of a mixture.
const std::vector<Alternative>& plain_alternatives() {
    static const std::vector<Alternative> alternatives = [] {
        std::vector<Alternative> all = engine::size_distributions();
        all.push_back(powers_of_two());
        return all;
    }();
    return alternatives;
}

ParameterDescription part_parameter(const char* name, const char* meaning) {
    return {
        .name = name,
        .meaning = meaning,
        .type = ParameterType::choice,
        .alternatives = plain_alternatives};
}

Alternative mixture() {
    return {
        .name = "mixture",
        .summary = "Every job draws one of two distributions, for all its components.",
        .parameters =
            {{.name = "probability",
              .meaning = "share of the jobs that take the first distribution",
              .range = {.low = 0.0, .high = 1.0, .low_is_open = true, .high_is_open = true}},
             part_parameter("first", "distribution of the sizes of these jobs"),
             part_parameter("second", "distribution of the sizes of the other jobs")},
        .source = "Bucur & Epema 2000, section 4.4"};
}

std::unique_ptr<const SizeDistribution> make_plain(const Choice& choice) {
    if (choice.name == "powers_of_two") {
        return make_size_distribution(weights_of_powers_of_two(choice.parameters));
    }
    return make_size_distribution(choice);
}

}  // namespace

const std::vector<Alternative>& component_size_alternatives() {
    static const std::vector<Alternative> alternatives = [] {
        std::vector<Alternative> all = plain_alternatives();
        all.push_back(mixture());
        return all;
    }();
    return alternatives;
}

ComponentSizes::ComponentSizes(const Choice& choice) {
    if (choice.name != "mixture") {
        first_ = make_plain(choice);
        return;
    }
    first_probability_ = choice.parameters.real("probability");
    first_ = make_plain(choice.parameters.choice("first"));
    second_ = make_plain(choice.parameters.choice("second"));
}

std::uint32_t ComponentSizes::low() const {
    return second_ ? std::min(first_->low(), second_->low()) : first_->low();
}

std::uint32_t ComponentSizes::high() const {
    return second_ ? std::max(first_->high(), second_->high()) : first_->high();
}

double ComponentSizes::mean() const {
    if (!second_) {
        return first_->mean();
    }
    return first_probability_ * first_->mean() + (1 - first_probability_) * second_->mean();
}

closed_forms::ComponentProbabilities ComponentSizes::probabilities() const {
    return {
        .first_probability = first_probability_,
        .first = first_->probabilities(),
        .second = second_ ? second_->probabilities() : std::vector<double>{}};
}

void ComponentSizes::fill(
    const SizeStreams& streams,
    std::uint64_t first_job,
    std::size_t components,
    std::span<std::uint32_t> out
) {
    SCHEDFARM_EXPECT(components > 0 && out.size() % components == 0, "components of whole jobs");
    words_.resize(out.size());
    streams.sizes.fill_words(first_job * components, words_);
    first_->map(words_, out);
    if (second_) {
        put_second_parts(streams.job_class, first_job, components, out);
    }
}

/// Replaces the components of the jobs that take the second distribution. A word below
/// 2^32 · first_probability means the first.
void ComponentSizes::put_second_parts(
    const engine::Stream& stream,
    std::uint64_t first_job,
    std::size_t components,
    std::span<std::uint32_t> out
) {
    const auto end_of_first = static_cast<std::uint64_t>(std::llround(first_probability_ * 0x1p32));
    kinds_.resize(out.size() / components);
    others_.resize(out.size());
    stream.fill_words(first_job, kinds_);
    second_->map(words_, others_);
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
        if (kinds_[i] >= end_of_first) {
            for (std::size_t at = i * components; at < (i + 1) * components; ++at) {
                out[at] = others_[at];
            }
        }
    }
}

}  // namespace schedfarm::models
