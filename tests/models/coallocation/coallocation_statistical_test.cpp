// Jobs of the co-allocation model against stated probabilities, and fills of them by a plain loop
// against the exact values that theory states for the cell.
#include <cmath>
#include <numeric>

#include <doctest/doctest.h>

#include "models/coallocation/component_sizes.hpp"

#include "tests/models/settings.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::Parameters;
using tests::coallocation;
using tests::coallocation_parameters;
using tests::uniform;

constexpr double z = 4;
constexpr int blocks = 400;

/// |share − p| within z standard errors.
void check_share(double count, double n, double p) {
    CAPTURE(count / n);
    CAPTURE(p);
    CHECK(std::abs(count / n - p) <= z * std::sqrt(p * (1 - p) / n));
}

/// The number of jobs of consecutive components that fit, and what is left.
struct PlainFill {
    double jobs = 0;
    double idle = 0;
};

class PlainFiller {
  public:
    PlainFiller(const Parameters& parameters, const std::vector<std::uint32_t>& clusters)
        : is_total_(parameters.text("request") == "total")
        , clusters_(clusters)
        , model_(coallocation().make(
              parameters, tests::context_of(clusters, ExperimentKind::bin_filling)
          )) {}

    PlainFill fill() {
        std::vector<std::int64_t> free(clusters_.begin(), clusters_.end());
        if (is_total_) {
            free = {std::accumulate(free.begin(), free.end(), std::int64_t{0})};
        }
        for (PlainFill result;; result.jobs += 1) {
            const engine::Job job = next();
            std::vector<std::int64_t> left = free;
            for (std::size_t c = 0; c < job.components.size(); ++c) {
                left[is_total_ ? 0 : c] -= job.components[c];
            }
            for (const std::int64_t processors : left) {
                if (processors < 0) {
                    const auto idle = std::accumulate(free.begin(), free.end(), std::int64_t{0});
                    result.idle = static_cast<double>(idle);
                    return result;
                }
            }
            free = left;
        }
    }

  private:
    engine::Job next() {
        if (position_ == block_.count) {
            model_->next(block_);
            position_ = 0;
        }
        return block_.job(position_++);
    }

    bool is_total_;
    std::vector<std::uint32_t> clusters_;
    std::unique_ptr<engine::WorkloadModel> model_;
    engine::JobBlock block_;
    std::size_t position_ = 0;
};

void check_mean(const std::vector<double>& values, double expected) {
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    CAPTURE(mean);
    CAPTURE(expected);
    CHECK(std::abs(mean - expected) <= z * std::sqrt(squares / (n - 1) / n) + 1e-12);
}

void check_fills(const Parameters& parameters, const std::vector<std::uint32_t>& clusters) {
    CAPTURE(parameters.text());
    engine::TheoryContext theory;
    theory.system.clusters = clusters;
    theory.experiment = ExperimentKind::bin_filling;
    PlainFiller filler(parameters, clusters);
    std::vector<double> losses;
    std::vector<double> jobs;
    for (int i = 0; i < 50'000; ++i) {
        const PlainFill fill = filler.fill();
        losses.push_back(fill.idle / theory.system.processors());
        jobs.push_back(fill.jobs);
    }
    int checked = 0;
    for (const engine::KnownValue& known : coallocation().known_values(parameters, theory)) {
        if (known.is_exact && known.metric == "capacity_loss") {
            check_mean(losses, known.value);
            ++checked;
        }
        if (known.is_exact && known.metric == "jobs_placed") {
            check_mean(jobs, known.value);
            ++checked;
        }
    }
    CHECK(checked == 2);
}

}  // namespace

TEST_CASE("all components of a job share the part of the mixture with the stated probability") {
    // Parts that do not overlap tell which one a component came from.
    const engine::Choice low = uniform(1, 3);
    const engine::Choice high = uniform(4, 8);
    const engine::Choice sizes =
        tests::choice("mixture", {{"probability", 0.7}, {"first", low}, {"second", high}});
    const auto jobs = tests::draw(
        coallocation_parameters("ordered", 4, sizes), tests::context_of({8, 8, 8, 8}), blocks
    );
    double first = 0;
    for (std::size_t i = 0; i < jobs.sizes.size(); ++i) {
        const bool is_first = jobs.components[4 * i] <= 3;
        first += is_first ? 1 : 0;
        for (std::size_t c = 1; c < 4; ++c) {
            CHECK((jobs.components[4 * i + c] <= 3) == is_first);
        }
    }
    check_share(first, static_cast<double>(jobs.sizes.size()), 0.7);
}

TEST_CASE("components of the mixture of section 4.4 have the stated probabilities") {
    const auto jobs = tests::draw(
        coallocation_parameters("ordered", 4, tests::mixture_of_section_4_4()),
        tests::context_of({8, 8, 8, 8}),
        blocks
    );
    // Normalized (q, 3 q², q³, 3 q⁴, q⁵, q⁶, q⁷, 3 q⁸), q = 0.9, with 0.7; uniform on 1 … 4 else.
    std::vector<double> weights(9, 0.0);
    double total = 0;
    for (std::size_t n = 1; n <= 8; ++n) {
        const bool is_favoured = n == 2 || n == 4 || n == 8;
        weights[n] = std::pow(0.9, static_cast<double>(n)) * (is_favoured ? 3 : 1);
        total += weights[n];
    }
    // One component of each job, so that the draws are independent.
    std::vector<double> counts(9, 0.0);
    for (std::size_t i = 0; i < jobs.sizes.size(); ++i) {
        counts.at(jobs.components[4 * i + 2]) += 1;
    }
    for (std::size_t n = 1; n <= 8; ++n) {
        const double p = 0.7 * weights[n] / total + (n <= 4 ? 0.3 / 4 : 0);
        check_share(counts[n], static_cast<double>(jobs.sizes.size()), p);
    }
}

TEST_CASE("plain fills agree with the exact values that theory states") {
    check_fills(coallocation_parameters("total", 1, uniform(1, 16)), {32});
    check_fills(coallocation_parameters("total", 4, uniform(1, 4)), {32});
    check_fills(coallocation_parameters("total", 2, tests::mixture_of_section_4_4()), {12, 20});
    check_fills(coallocation_parameters("ordered", 0, uniform(1, 8)), {8, 8, 8, 8});
    check_fills(
        coallocation_parameters("ordered", 0, tests::mixture_of_section_4_4()), {8, 8, 8, 8}
    );
    check_fills(coallocation_parameters("ordered", 0, uniform(1, 24)), {128, 24, 24, 24});
    check_fills(coallocation_parameters("ordered", 2, uniform(2, 5)), {9, 16, 4});
}

}  // namespace schedfarm::models
