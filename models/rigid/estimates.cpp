#include "models/rigid/estimates.hpp"

#include <algorithm>

#include "engine/foundation/expect.hpp"
#include "engine/random/uniforms.hpp"

#include "models/rigid/tsafrir_estimates.hpp"

namespace schedfarm::models {

namespace {

using engine::Choice;
using engine::Parameters;
using engine::ParameterType;
using engine::Stream;

class User final : public EstimateModel {
  public:
    void assign(std::uint64_t, std::span<const double>, std::span<double>) const override {}
};

class Exact final : public EstimateModel {
  public:
    void assign(std::uint64_t, std::span<const double> run, std::span<double> estimate)
        const override {
        std::copy(run.begin(), run.end(), estimate.begin());
    }
};

/// run · (1 + (f − 1) v) with v = 1, or uniform: draw number i for job number i.
class FModel final : public EstimateModel {
  public:
    FModel(const Parameters& parameters, const Stream& stream)
        : factor_(parameters.real("factor"))
        , is_uniform_(parameters.text("form") == "uniform")
        , stream_(stream) {}

    void assign(std::uint64_t first, std::span<const double> run, std::span<double> estimate)
        const override {
        if (is_uniform_) {
            engine::fill_uniforms(stream_, first, estimate);
        } else {
            std::fill(estimate.begin(), estimate.end(), 1.0);
        }
        for (std::size_t i = 0; i < run.size(); ++i) {
            estimate[i] = run[i] * (1 + (factor_ - 1) * estimate[i]);
        }
    }

  private:
    double factor_;
    bool is_uniform_;
    Stream stream_;
};

engine::Alternative f_model() {
    return {
        .name = "f_model",
        .summary = "The run time times f, or uniform between the run time and that.",
        .parameters =
            {{.name = "factor",
              .meaning = "f; 1: exact; papers that draw from [run, (f + 1) run] call f what is "
                         "f - 1 here",
              .default_value = 5.0,
              .range = {.low = 1, .high = 1e6}},
             {.name = "form",
              .meaning = "uniform in [run, f run], or always f run",
              .type = ParameterType::text,
              .default_value = "uniform",
              .words = {"uniform", "constant"}}},
        .source = "Mu'alem & Feitelson 2001"};
}

const std::vector<engine::Alternative>& estimate_models() {
    static const std::vector<engine::Alternative> models{
        {.name = "user",
         .summary = "What the workload says itself; the run time where it says nothing.",
         .parameters = {}},
        {.name = "exact", .summary = "The run time.", .parameters = {}},
        f_model(),
        tsafrir_estimates()};
    return models;
}

}  // namespace

engine::ParameterDescription estimates_parameter() {
    return {
        .name = "estimates",
        .meaning =
            "the run times that users request; drawn anew in every replication, from a "
            "stream of their own",
        .type = ParameterType::choice,
        .default_value = Choice{.name = "user"},
        .alternatives = estimate_models};
}

bool are_drawn(const Choice& estimates) {
    return estimates.name != "user" && estimates.name != "exact";
}

std::unique_ptr<const EstimateModel> make_estimates(const Choice& choice, const Stream& stream) {
    const auto& models = estimate_models();
    const auto model = std::find_if(models.begin(), models.end(), [&](const auto& candidate) {
        return candidate.name == choice.name;
    });
    SCHEDFARM_EXPECT(model != models.end(), "no model of estimates '" + choice.name + "'");
    const Parameters parameters = with_defaults(model->parameters, choice.parameters);
    if (choice.name == "f_model") {
        return std::make_unique<FModel>(parameters, stream);
    }
    if (choice.name == "tsafrir") {
        return make_tsafrir_estimates(parameters, stream);
    }
    if (choice.name == "exact") {
        return std::make_unique<Exact>();
    }
    return std::make_unique<User>();
}

}  // namespace schedfarm::models
