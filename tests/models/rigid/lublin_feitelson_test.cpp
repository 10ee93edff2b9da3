// The parts of the model of Lublin & Feitelson 2003 against independent calculations.
#include <cmath>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "models/rigid/daily_cycle.hpp"
#include "models/rigid/lublin_run_times.hpp"
#include "models/rigid/lublin_sizes.hpp"

#include "tests/models/settings.hpp"
#include "tests/support/within.hpp"

namespace schedfarm::models {

namespace {

const LublinSizeParameters batch{
    .serial = 0.2927,
    .power_of_two = 0.6686,
    .low = 1.2,
    .medium = 5,
    .high = 7,
    .low_share = 0.875};

/// A size as the paper draws it: `type` decides serial, power of two or other, `stage` the stage
/// and `place` the place in it.
std::uint32_t drawn_size(const LublinSizeParameters& p, double type, double stage, double place) {
    if (type < p.serial) {
        return 1;
    }
    const double low = stage < p.low_share ? p.low : p.medium;
    const double high = stage < p.low_share ? p.medium : p.high;
    const double log = low + place * (high - low);
    const double kept = type < p.serial + p.power_of_two ? std::floor(log + 0.5) : log;
    return static_cast<std::uint32_t>(std::floor(std::exp2(kept) + 0.5));
}

/// The share of each size on a grid of equally probable draws in each dimension; the powers of two
/// and the others lie on alternate levels, of different fineness, to spare time.
std::vector<double> shares_on_grid(const LublinSizeParameters& p, std::uint32_t largest) {
    constexpr int types = 100;
    constexpr int stages = 200;
    constexpr int places = 500;
    std::vector<double> share(largest + 1);
    for (int t = 0; t < types; ++t) {
        const int step = t % 2 == 0 ? 1 : 10;
        for (int s = 0; s < stages; ++s) {
            for (int k = 0; k < places; k += step) {
                const double place = (k + 0.5 * step) / places;
                const auto n = drawn_size(p, (t + 0.5) / types, (s + 0.5) / stages, place);
                share.at(n) += 1.0 * step / places / types / stages;
            }
        }
    }
    return share;
}

/// ∫ f(x) times the gamma density over 0 … limit, by Simpson's rule.
template <typename F>
double over_gamma(double shape, double scale, double limit, const F& f) {
    const int n = 40'000;
    const double h = limit / n;
    const double log_gamma = std::lgamma(shape);  // NOLINT(concurrency-mt-unsafe)
    double sum = 0;
    for (int i = 1; i <= n; ++i) {
        const double x = h * i;
        const double density =
            std::exp((shape - 1) * std::log(x / scale) - x / scale - log_gamma) / scale;
        sum += (i == n ? 1 : i % 2 == 1 ? 4 : 2) * density * f(x);
    }
    return sum * h / 3;
}

}  // namespace

TEST_CASE("probabilities of sizes are those of the two-stage draws") {
    for (const LublinSizeParameters& p :
         {batch,
          LublinSizeParameters{0.1541, 0.625, 1, 3, 5.5, 0.705},
          LublinSizeParameters{0.244, 0.576, 0.8, 4.5, 7, 0.86}}) {
        const LublinSizes sizes(p);
        const std::vector<double>& probabilities = sizes.probabilities();
        const std::vector<double> share = shares_on_grid(p, sizes.largest());
        CHECK(std::accumulate(share.begin(), share.end(), 0.0) == doctest::Approx(1).epsilon(1e-9));
        for (std::size_t n = 0; n < share.size(); ++n) {
            CAPTURE(n);
            CHECK(std::abs(probabilities[n] - share[n]) < 6e-3);
        }
        const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
        CHECK(sum == doctest::Approx(1).epsilon(1e-14));
    }
}

TEST_CASE("probabilities of some sizes by hand") {
    const LublinSizes sizes(batch);
    const auto& p = sizes.probabilities();
    CHECK(sizes.largest() == 128);
    CHECK(p[1] == doctest::Approx(0.2927));  // 2^1.2 > 1.5: no parallel job rounds to 1
    // log2 in 1.2 … 1.5 of the 3.8 long first stage gives the power 2. An other job has size 2
    // where 2^x < 2.5, x < 1.321928.
    const double first = 0.875 / 3.8;
    CHECK(p[2] == doctest::Approx(0.6686 * 0.3 * first + 0.0387 * 0.121928095 * first));
    // 128: powers from 6.5 to 7 of the 2 long second stage; others from log2 127.5 = 6.994353.
    CHECK(p[128] == tests::within(1e-5, 0.6686 * 0.25 * 0.125 + 0.0387 * 0.0625 * 0.0056466));
    CHECK(p[127] == tests::within(1e-5, 0.0387 * 0.0625 * std::log2(127.5 / 126.5)));
    CHECK(sizes.size(0.2926) == 1);
    CHECK(sizes.size(0.2928) == 2);
    CHECK(sizes.size(1 - 0x1p-53) == 128);
    CHECK(
        LublinSizes(
            {.serial = 0, .power_of_two = 1, .low = 1, .medium = 3, .high = 5.5, .low_share = 0.7}
        )
            .largest()
        == 45
    );
}

TEST_CASE("run times have the mean of the gamma distributions cut at the limit") {
    struct Case {
        double shape;
        double scale;
    };
    for (const auto& [shape, scale] :
         {Case{6.57, 0.823}, Case{639.1, 0.0156}, Case{3.8351, 0.6605}, Case{7.073, 0.6856}}) {
        const double limit = 12;
        const ExpGamma time(shape, scale, limit);
        const double kept = over_gamma(shape, scale, limit, [](double) { return 1.0; });
        const double sum = over_gamma(shape, scale, limit, [](double x) { return std::exp(x); });
        CHECK(time.kept() == doctest::Approx(kept).epsilon(1e-8));
        CHECK(time.mean() == doctest::Approx(sum / kept).epsilon(1e-8));
        // The value of a uniform u is its quantile among the values kept.
        for (const double u : {0.01, 0.5, 0.99}) {
            const double log = std::log(time.value(u));
            const double below = over_gamma(shape, scale, log, [](double) { return 1.0; });
            CHECK(below / kept == doctest::Approx(u).epsilon(1e-6));
        }
        CHECK(time.value(1 - 0x1p-53) <= std::exp(12.0) * (1 + 1e-12));
    }
}

TEST_CASE("the mixture of two gammas is repeated as a whole when the limit is passed") {
    // First kept with probability a, second with b: of the repeated mixture the first has the share
    // p a / (p a + (1 − p) b).
    const ExpGamma first(6.57, 0.823, 12);
    const ExpGamma second(639.1, 0.0156, 12);
    const HyperGammaTime both(first, second);
    const double p = 0.6;
    const double share = p * first.kept() / (p * first.kept() + (1 - p) * second.kept());
    CHECK(both.mean(p) == doctest::Approx(share * first.mean() + (1 - share) * second.mean()));
    CHECK(both.value(p, share - 1e-9, 0.3) == first.value(0.3));
    CHECK(both.value(p, share + 1e-9, 0.3) == second.value(0.3));
    CHECK(both.mean(1.5) == first.mean());
    CHECK(both.mean(-0.1) == second.mean());
}

TEST_CASE("points pass through the slots of a day in proportion to their weights") {
    std::array<double, day_slots> weights{};
    weights.fill(1);
    weights[0] = 0.5;
    weights[1] = 1.5;
    const DailyCycle cycle(weights);
    CHECK(cycle.seconds(0) == 0);
    CHECK(cycle.seconds(0.25) == 900);  // half of slot 0
    CHECK(cycle.seconds(0.5) == 1800);
    CHECK(cycle.seconds(1.25) == 2700);  // half of slot 1
    CHECK(cycle.seconds(47.5) == 47.5 * 1800);
    CHECK(cycle.seconds(48) == 86400);
    CHECK(cycle.seconds(3 * 48 + 0.25) == 3 * 86400 + 900);
}

TEST_CASE("the daily cycle has the published shape") {
    // The density of the gamma distribution with shape a and scale b (half hours) is largest at
    // (a − 1) b: batch (6.1271 − 1) 5.274 = 27.04, interactive (8.9186 − 1) 3.668 = 29.05. Slot
    // i − 1 holds i − 1/2 … i + 1/2, so the peaks are the slots 26 (13:00) and 28 (14:00); least
    // happens at night.
    struct Case {
        double shape;
        double scale;
        std::size_t peak;
        double mode;
    };
    for (const Case& c : {Case{6.1271, 5.274, 26, 27}, Case{8.9186, 3.668, 28, 29}}) {
        const std::size_t peak = c.peak;
        const DailyCycle cycle = DailyCycle::gamma_peak(c.shape, c.scale);
        const auto& w = cycle.weights();
        CHECK(std::accumulate(w.begin(), w.end(), 0.0) == doctest::Approx(48));
        CHECK(std::max_element(w.begin(), w.end()) - w.begin() == static_cast<long>(peak));
        const auto least = std::min_element(w.begin(), w.end()) - w.begin();
        CHECK((least >= 8 && least <= 12));
        // Ratios of slots are those of the probabilities; by Simpson's rule, 23:30 is i = 48 and
        // 0:00 … 0:30 follows with i = 49.
        const auto probability = [&](double i) {
            return over_gamma(c.shape, c.scale, i + 0.5, [](double) { return 1.0; })
                   - over_gamma(c.shape, c.scale, i - 0.5, [](double) { return 1.0; });
        };
        const double at_peak = probability(c.mode);
        CHECK(w[47] / w[peak] == doctest::Approx(probability(48) / at_peak).epsilon(1e-6));
        CHECK(w[0] / w[peak] == doctest::Approx(probability(49) / at_peak).epsilon(1e-6));
        CHECK(w[10] / w[peak] == doctest::Approx(probability(11) / at_peak).epsilon(1e-6));
        CHECK(w[9] / w[peak] == doctest::Approx(probability(58) / at_peak).epsilon(1e-6));
    }
}

TEST_CASE("parameters of the model of Lublin and Feitelson that cannot work are refused") {
    const auto* model = find_model("lublin_feitelson");
    REQUIRE(model != nullptr);
    const auto problem = [&](const char* name, const engine::Value& value) {
        engine::Parameters given;
        given.set(name, value);
        const auto all = with_defaults(model->alternative.parameters, given);
        const auto problems = model->alternative.check(all);
        return problems.empty() ? "" : problems[0].parameter + ": " + problems[0].reason;
    };
    using List = engine::Value::List;
    CHECK(problem("jobs", "batch").empty());
    CHECK(
        problem("batch_size", List{0.3, 0.8, 1.0, 5.0, 7.0, 0.9}).find("batch_size: no shares") == 0
    );
    CHECK(
        problem("batch_size", List{0.3, 0.6, 1.0, 8.0, 7.0, 0.9}).find("do not increase")
        != std::string::npos
    );
    CHECK(
        problem("batch_run_time", List{1.0, 1.2, 3.0, 0.5, 0.0, 0.5}).find("no gamma")
        != std::string::npos
    );
    CHECK(problem("batch_interarrival", List{1.0}).find("no gamma") != std::string::npos);
    CHECK(problem("batch_cycle", List{6.0, 100.0}).find("no daily cycle") != std::string::npos);
    CHECK(problem("typeless_cycle", List{}).empty());  // not used
    const auto defaults = with_defaults(model->alternative.parameters);
    CHECK(model->check_system(defaults, {.clusters = {128}}).empty());
    for (const std::uint32_t small : {1U, 40U, 100U, 127U}) {  // one size would be large enough
        const auto problems = model->check_system(defaults, {.clusters = {small}});
        REQUIRE(problems.size() == 1);
        CHECK(problems[0].parameter == "batch_size");
        CHECK(problems[0].suggestion == "Take a system of 128 processors, or smaller jobs.");
    }
}

}  // namespace schedfarm::models
