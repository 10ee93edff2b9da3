#include "engine/statistics/steady_state/mser.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/hash.hpp"

namespace schedfarm::engine {
namespace {

/// Every number five times: a series whose batches of 5 have these means.
std::vector<double> batches(const std::vector<double>& means) {
    std::vector<double> series;
    for (const double mean : means) {
        series.insert(series.end(), 5, mean);
    }
    return series;
}

double normal(std::uint64_t seed, std::uint64_t i) {
    const std::uint64_t draw = mix(mix(seed + 1) + i);
    return normal_quantile((static_cast<double>(draw >> 12U) + 0.5) * 0x1p-52);
}

double mean_from(const std::vector<double>& series, std::size_t first) {
    double sum = 0;
    for (std::size_t i = first; i < series.size(); ++i) {
        sum += series[i];
    }
    return sum / static_cast<double>(series.size() - first);
}

/// The definition, read aloud.
std::size_t cut_by_definition(const std::vector<double>& series) {
    const std::size_t count = series.size() / 5;
    std::vector<double> means;
    for (std::size_t j = 0; j < count; ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < 5; ++i) {
            sum += series[5 * j + i];
        }
        means.push_back(sum / 5);
    }
    std::size_t best = 0;
    double smallest = INFINITY;
    for (std::size_t d = 0; d <= count / 2; ++d) {
        const double mean = mean_from(means, d);
        double squares = 0;
        for (std::size_t j = d; j < count; ++j) {
            squares += (means[j] - mean) * (means[j] - mean);
        }
        const double statistic = squares / std::pow(static_cast<double>(count - d), 2);
        if (statistic < smallest) {
            smallest = statistic;
            best = d;
        }
    }
    return 5 * best;
}

TEST_CASE("MSER-5 of a hand-worked series") {
    // Batches 10 2 1 3. d = 0: mean 4, (36 + 4 + 9 + 1) / 16 = 3.125; d = 1: mean 2,
    // (0 + 1 + 1) / 9 = 0.222; d = 2: mean 2, (1 + 1) / 4 = 0.5.
    const MserCut cut = mser5(batches({10, 2, 1, 3}));
    CHECK(cut.cut == 5);
    CHECK_FALSE(cut.is_at_limit);
}

TEST_CASE("MSER-5 averages within its batches") {
    // The same batch means 10 2 1 3 from unequal values, and a rest of four that is left out.
    const std::vector<double> series{8,  12, 10, 9, 11, 0, 4, 2, 1, 3, 1,  1,
                                     -1, 3,  1,  3, 3,  3, 4, 2, 9, 9, 99, 99};
    CHECK(mser5(series).cut == 5);
}

TEST_CASE("a minimum at the end of the admitted half says so") {
    // Batches 9 9 1 1. d = 0: mean 5, 64/16 = 4; d = 1: mean 11/3, 42.67/9 = 4.74; d = 2: 0.
    const MserCut cut = mser5(batches({9, 9, 1, 1}));
    CHECK(cut.cut == 10);
    CHECK(cut.is_at_limit);
    // A straight line never settles: every value less shortens the spread.
    std::vector<double> line(500);
    for (std::size_t i = 0; i < line.size(); ++i) {
        line[i] = static_cast<double>(i);
    }
    CHECK(mser5(line).cut == 250);
    CHECK(mser5(line).is_at_limit);
}

TEST_CASE("a constant series is not cut") {
    for (const std::size_t n : {20U, 23U, 1000U}) {
        const MserCut cut = mser5(std::vector<double>(n, 0.1));
        CHECK(cut.cut == 0);
        CHECK_FALSE(cut.is_at_limit);
    }
}

TEST_CASE("a short series is not cut") {
    CHECK(mser5({}).cut == 0);
    const MserCut cut = mser5(std::vector<double>{9, 1, 1, 1, 1, 1, 1, 1, 1});
    CHECK(cut.cut == 0);
    CHECK_FALSE(cut.is_at_limit);
}

TEST_CASE("MSER-5 agrees with its definition on random series") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        std::vector<double> series;
        for (std::uint64_t i = 0; i < 10 + 3 * seed; ++i) {
            const double decay = std::exp(-static_cast<double>(i) / 30);
            series.push_back(normal(seed, i) + 3 * decay);
        }
        CAPTURE(seed);
        CHECK(mser5(series).cut == cut_by_definition(series));
    }
}

TEST_CASE("MSER-5 cuts a known transient") {
    // 1 + 10 e^(−i/50) with noise of 0.5, 1000 values: uncut, the mean is off by 10 · 50 / 1000 =
    // 0.5. At 150 the transient is down to the noise, at 300 to 0.025.
    double cuts = 0;
    double bias = 0;
    double uncut_bias = 0;
    constexpr int seeds = 200;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        std::vector<double> series;
        for (std::uint64_t i = 0; i < 1000; ++i) {
            const double transient = 10 * std::exp(-static_cast<double>(i) / 50);
            series.push_back(1 + transient + 0.5 * normal(seed, i));
        }
        const MserCut cut = mser5(series);
        CHECK_FALSE(cut.is_at_limit);
        CHECK(cut.cut >= 100);
        cuts += static_cast<double>(cut.cut) / seeds;
        bias += (mean_from(series, cut.cut) - 1) / seeds;
        uncut_bias += (mean_from(series, 0) - 1) / seeds;
    }
    MESSAGE("mean cut " << cuts << ", bias " << bias << " instead of " << uncut_bias);
    CHECK(cuts > 150);
    CHECK(cuts < 350);
    CHECK(std::fabs(uncut_bias - 0.5) < 0.02);
    CHECK(std::fabs(bias) < 0.05 * uncut_bias);
}

TEST_CASE("Welch's average of a hand-worked series") {
    const std::vector<double> series{1, 2, 3, 4, 5, 9};
    CHECK(welch_average(series, 0) == series);
    // The first alone, then three neighbours: (4 + 5 + 9) / 3 = 6; the last has no neighbour.
    CHECK(welch_average(series, 1) == std::vector<double>{1, 2, 3, 4, 6});
    // 1, (1 + 2 + 3) / 3, (1 + … + 5) / 5, (2 + 3 + 4 + 5 + 9) / 5 = 4.6.
    CHECK(welch_average(series, 2) == std::vector<double>{1, 2, 3, 4.6});
    CHECK(welch_average(series, 5) == std::vector<double>{1});
    CHECK(welch_average(series, 6).empty());
    CHECK(welch_average({}, 3).empty());
}

}  // namespace
}  // namespace schedfarm::engine
