#include "models/moldable/speedup.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/random/uniforms.hpp"

#include "models/distribution.hpp"
#include "models/downey_speedup.hpp"
#include "models/draws.hpp"

namespace schedfarm::models {

namespace {

using engine::Alternative;
using engine::Choice;
using engine::Parameters;
using engine::ParameterType;
using engine::Stream;

constexpr double weak = 0.1;
constexpr double strong = 0.9;
constexpr double usual_deviation = 0.2;

constexpr std::uint64_t first_draw(std::uint64_t job) {
    return first_speedup_draw + job * most_speedup_draws;
}

/// Draws of a job: X for k = 2, 3, …, or one for all k.
class Recursive final : public Speedup {
  public:
    Recursive(double mean, double deviation, const Parameters& given, const Stream& stream)
        : distribution_(make_distribution(distribution_choice("normal", {mean, deviation, 0, 1}), 1)
        )
        , is_printed_(given.text("reading") == "printed")
        , is_drawn_once_(given.text("drawn") == "per_job")
        , stream_(stream) {}

    void factors(std::uint64_t job, std::span<double> out) const override {
        const std::span<double> steps = out.subspan(1);
        if (is_drawn_once_) {
            const double x = uniform_draw(stream_, first_draw(job));
            std::fill(steps.begin(), steps.end(), distribution_->value(x));
        } else {
            engine::fill_uniforms(stream_, first_draw(job), steps);
            distribution_->map(steps);
        }
        out[0] = 1;
        for (std::size_t i = 1; i < out.size(); ++i) {
            const auto k = static_cast<double>(i + 1);
            const double ratio = is_printed_ ? (out[i] + k) / (1 + k) : (k - out[i]) / k;
            out[i] = out[i - 1] * ratio;
        }
    }

  private:
    std::unique_ptr<const Distribution> distribution_;  // of X
    bool is_printed_;
    bool is_drawn_once_;
    Stream stream_;
};

/// Draws of a job: A, then sigma.
class Downey final : public Speedup {
  public:
    Downey(const Parameters& given, const Stream& stream, std::uint32_t processors)
        : parallelism_(make_distribution(given.choice("parallelism"), processors))
        , variance_(make_distribution(given.choice("sigma"), processors))
        , stream_(stream) {}

    void factors(std::uint64_t job, std::span<double> out) const override {
        const auto draw = [&](std::uint64_t number) {
            return uniform_draw(stream_, first_draw(job) + number);
        };
        const double a = std::max(1.0, parallelism_->value(draw(0)));
        const double sigma = variance_->value(draw(1));
        double least = 1;
        for (std::size_t i = 0; i < out.size(); ++i) {
            least = std::min(least, downey_inverse_speedup(static_cast<double>(i + 1), a, sigma));
            out[i] = least;
        }
    }

  private:
    std::unique_ptr<const Distribution> parallelism_;
    std::unique_ptr<const Distribution> variance_;
    Stream stream_;
};

std::vector<engine::ParameterDescription> readings() {
    return {
        {.name = "reading",
         .meaning = "working: p(k) = p(k-1) (k - X)/k; printed: p(k-1) (X + k)/(1 + k)",
         .type = ParameterType::text,
         .default_value = "working",
         .words = {"working", "printed"}},
        {.name = "drawn",
         .meaning = "X: for every number of processors anew, or once per job",
         .type = ParameterType::text,
         .default_value = "per_step",
         .words = {"per_step", "per_job"}}};
}

Alternative recursive() {
    std::vector<engine::ParameterDescription> rows{
        {.name = "mean",
         .meaning = "of X, before it is drawn again outside 0 … 1",
         .range = {.low = 0, .high = 1}},
        {.name = "standard_deviation",
         .meaning = "of X, likewise",
         .default_value = usual_deviation,
         .range = {.low = 0, .high = 100, .low_is_open = true}}};
    for (engine::ParameterDescription& row : readings()) {
        rows.push_back(std::move(row));
    }
    return {
        .name = "recursive",
        .summary = "Time on k processors from that on k - 1.",
        .parameters = std::move(rows),
        .source = "Dutot et al. 2004"};
}

const std::vector<Alternative>& speedups() {
    static const std::vector<Alternative> table{
        {.name = "weakly_parallel",
         .summary = "Recursive with mean 0.1: hardly faster on more processors.",
         .parameters = readings(),
         .source = "Dutot et al. 2004"},
        {.name = "highly_parallel",
         .summary = "Recursive with mean 0.9: nearly linear.",
         .parameters = readings(),
         .source = "Dutot et al. 2004"},
        recursive(),
        {.name = "downey",
         .summary = "Downey's speedup for an average parallelism and its variance.",
         .parameters =
             {law_parameter(
                  "parallelism",
                  "average parallelism A; below 1 it is 1",
                  "processors",
                  distribution_choice("log_uniform", {1, 0})
              ),
              law_parameter(
                  "sigma", "variance of parallelism", "", distribution_choice("uniform", {0, 2})
              )},
         .source = "Downey 1997; Cirne & Berman 2001"}};
    return table;
}

}  // namespace

engine::ParameterDescription speedup_parameter(
    std::string name, std::string meaning, const Choice& default_value
) {
    return {
        .name = std::move(name),
        .meaning = std::move(meaning),
        .type = ParameterType::choice,
        .default_value = completed(default_value, speedups()),
        .alternatives = speedups};
}

std::unique_ptr<const Speedup> make_speedup(
    const Choice& choice, const Stream& stream, std::uint32_t processors
) {
    SCHEDFARM_EXPECT(
        processors >= 1 && processors <= most_speedup_draws, "no speedup for such a machine"
    );
    const Parameters given = completed(choice, speedups()).parameters;
    if (choice.name == "downey") {
        return std::make_unique<Downey>(given, stream, processors);
    }
    if (choice.name == "recursive") {
        return std::make_unique<Recursive>(
            given.real("mean"), given.real("standard_deviation"), given, stream
        );
    }
    const double mean = choice.name == "weakly_parallel" ? weak : strong;
    return std::make_unique<Recursive>(mean, usual_deviation, given, stream);
}

}  // namespace schedfarm::models
