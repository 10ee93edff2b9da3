// The closed forms against enumeration of every fill and against Markov chains, in tiny systems.
#include "tests/models/closed_forms/enumeration.hpp"

#include <doctest/doctest.h>

#include "models/closed_forms/bin_filling.hpp"
#include "models/closed_forms/saturation.hpp"

#include "tests/models/closed_forms/idle_probabilities.hpp"
#include "tests/models/closed_forms/size_probabilities.hpp"

namespace schedfarm::models::closed_forms {

namespace {

using doctest::Approx;
using tests::capacity_loss;
using tests::Components;
using tests::idle_probabilities;
using tests::independent_components;
using tests::PossibleJob;
using tests::uniform_sizes;

constexpr double rounding = 1e-12;

double mean_size(const std::vector<PossibleJob>& jobs) {
    double mean = 0;
    for (const PossibleJob& job : jobs) {
        mean +=
            job.probability * std::accumulate(job.components.begin(), job.components.end(), 0.0);
    }
    return mean;
}

void check_against_enumeration(
    const ComponentProbabilities& components,
    const std::vector<PossibleJob>& jobs,
    const Components& clusters
) {
    const double processors = std::accumulate(clusters.begin(), clusters.end(), 0.0);
    const tests::EnumeratedFill expected = tests::enumerate_fills(jobs, clusters);
    const Fill fill = fill_in_order(components, clusters);
    CHECK(processors - fill.mean_placed == Approx(expected.idle).epsilon(rounding));
    CHECK(mean_jobs(fill) == Approx(expected.jobs).epsilon(rounding));
    CHECK(mean_inverse_jobs(fill) == Approx(expected.inverse_jobs).epsilon(rounding));
    const double mean = mean_size(jobs);
    CHECK(
        maximal_utilization(fill, mean, static_cast<std::uint32_t>(processors))
        == Approx(tests::SaturatedChain(jobs, clusters).utilization()).epsilon(1e-10)
    );
}

}  // namespace

TEST_CASE("two processors and sizes one or two by hand") {
    // u(0) = 1, u(1) = 1/2, u(2) = 1/2 · 1/2 + 1/2 = 3/4. P(0 idle) = u(2) = 3/4 and
    // P(1 idle) = P(size > 1) u(1) = 1/4, so that the loss is 1/8.
    const SizeProbabilities sizes = uniform_sizes(1, 2);
    CHECK(idle_probabilities(sizes, 2) == std::vector<double>{0.75, 0.25});
    CHECK(capacity_loss(sizes, 2) == 0.125);
    // Two jobs fit when both have size 1: probability 1/4. E[1/n] = 3/4 + 1/4 · 1/2 = 7/8.
    const Fill fill = fill_in_order({.first_probability = 1, .first = sizes, .second = {}}, {2});
    CHECK(fill.at_least == std::vector<double>{1, 1, 0.25});
    CHECK(mean_jobs(fill) == 1.25);
    CHECK(mean_inverse_jobs(fill) == 0.875);
}

TEST_CASE("idle probabilities of a cluster equal enumeration and add up to one") {
    for (const std::uint32_t processors : {3U, 4U, 7U}) {
        for (std::uint32_t low = 1; low <= 3; ++low) {
            const SizeProbabilities sizes = uniform_sizes(low, 3);
            const auto jobs = independent_components({sizes});
            const double expected = tests::enumerate_fills(jobs, {processors}).idle / processors;
            CHECK(capacity_loss(sizes, processors) == Approx(expected).epsilon(rounding));
            double total = 0;
            for (const double p : idle_probabilities(sizes, processors)) {
                total += p;
            }
            CHECK(total == Approx(1).epsilon(rounding));
        }
    }
}

TEST_CASE("a fill and saturation of one cluster equal enumeration and the Markov chain") {
    const SizeProbabilities sizes{0, 0.5, 0.2, 0.3};
    check_against_enumeration(
        {.first_probability = 1, .first = sizes, .second = {}}, independent_components({sizes}), {4}
    );
}

TEST_CASE("ordered requests on equal and unequal clusters equal enumeration and the Markov chain") {
    const SizeProbabilities sizes{0, 0.6, 0.4};
    const ComponentProbabilities components{.first_probability = 1, .first = sizes, .second = {}};
    for (const Components& clusters : {Components{2, 2}, {3, 3}, {2, 4}, {3, 2, 2}}) {
        CAPTURE(clusters.size());
        const auto jobs =
            independent_components(std::vector<SizeProbabilities>(clusters.size(), sizes));
        check_against_enumeration(components, jobs, clusters);
    }
}

TEST_CASE("components that share the draw of a mixture equal enumeration and the Markov chain") {
    const ComponentProbabilities components{
        .first_probability = 0.7, .first = {0, 1}, .second = {0, 0.25, 0.75}};
    for (const Components& clusters : {Components{3}, {3, 3}, {2, 3}}) {
        CAPTURE(clusters.size());
        auto jobs = independent_components(
            std::vector<SizeProbabilities>(clusters.size(), components.first), 0.7
        );
        const auto others = independent_components(
            std::vector<SizeProbabilities>(clusters.size(), components.second), 1 - 0.7
        );
        jobs.insert(jobs.end(), others.begin(), others.end());
        check_against_enumeration(components, jobs, clusters);
    }
}

TEST_CASE("a fill in order and the sum over idle numbers give the same loss") {
    const SizeProbabilities sizes = tests::geometric_sizes(0.9, 24);
    const Fill fill = fill_in_order({.first_probability = 1, .first = sizes, .second = {}}, {50});
    CHECK(1 - fill.mean_placed / 50 == Approx(capacity_loss(sizes, 50)).epsilon(rounding));
}

}  // namespace schedfarm::models::closed_forms
