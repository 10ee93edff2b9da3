#include "models/rigid/tsafrir_estimates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "engine/foundation/elementary.hpp"

namespace schedfarm::models {

namespace {

using engine::Parameters;
using engine::ParameterType;
using engine::Stream;

constexpr double minute_s = 60;
constexpr double hour_s = 3600;
constexpr std::size_t head_size = 20;
constexpr double head_percent = 89;

/// Draws of the histogram lie beyond those of all jobs.
constexpr std::uint64_t first_histogram_draw = std::uint64_t{1} << 62;

/// Row: time rank in the head, 0 the largest value, then upwards. Columns: the popularity rank that
/// this value has in the logs SDSC-SP2, CTC-SP2, KTH-SP2, SDSC-BLUE.
constexpr std::array<std::array<std::uint8_t, 4>, head_size> popularity{
    {{3, 1, 1, 1},     {1, 3, 4, 6},     {4, 4, 10, 5},    {17, 2, 14, 3},  {13, 12, 20, 7},
     {7, 9, 2, 2},     {8, 8, 3, 18},    {18, 18, 7, 19},  {2, 6, 12, 4},   {6, 7, 6, 11},
     {16, 11, 19, 20}, {10, 20, 5, 9},   {5, 16, 18, 10},  {15, 5, 16, 14}, {14, 14, 9, 13},
     {19, 13, 17, 16}, {11, 10, 15, 15}, {12, 15, 13, 17}, {9, 17, 8, 8},   {20, 19, 11, 12}}};

/// The values that all four logs have among their 20 most popular ones.
constexpr std::array<double, 15> common_minutes{
    5, 10, 15, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 720, 1080};
/// Multiples of these fill the head up, from the largest value downwards.
constexpr std::array<double, 10> round_minutes{12000, 6000, 3000, 600, 300, 120, 60, 20, 10, 5};

class Draws {
  public:
    Draws(const Stream& stream, std::uint64_t first) : stream_(stream), next_(first) {}

    /// A whole number below n.
    std::size_t below(std::size_t n) {
        const auto word = static_cast<std::uint32_t>(stream_.draw(next_++) >> 32);
        return engine::scaled_word(word, static_cast<std::uint32_t>(n));
    }

    template <typename T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t left = values.size(); left > 1; --left) {
            std::swap(values[left - 1], values[below(left)]);
        }
    }

  private:
    const Stream& stream_;
    std::uint64_t next_;
};

/// The largest value first, the others increasing.
std::vector<double> head_values(double max_estimate) {
    std::set<double> values;
    for (const double minutes : common_minutes) {
        if (minutes * minute_s < max_estimate) {
            values.insert(minutes * minute_s);
        }
    }
    for (const double minutes : round_minutes) {
        const double step = minutes * minute_s;
        double value = std::floor(max_estimate / step) * step;
        for (; value > 0 && values.size() + 1 < head_size; value -= step) {
            if (value < max_estimate) {
                values.insert(value);
            }
        }
    }
    std::vector<double> result{max_estimate};
    result.insert(result.end(), values.begin(), values.end());
    return result;
}

/// Percent of the jobs by popularity rank, from rank 1; ranks 2 … 20 decrease exponentially.
std::vector<double> head_shares() {
    std::vector<double> shares{head_percent};
    for (std::size_t rank = 2; rank <= head_size; ++rank) {
        const auto x = static_cast<double>(rank);
        shares.push_back(14.0491 * engine::exponential(-0.177531 * x) + 0.462513);
        shares.front() -= shares.back();
    }
    return shares;
}

/// The last row in which a popularity occurs.
std::size_t last_row(std::uint8_t rank) {
    std::size_t last = 0;
    for (std::size_t row = 0; row < head_size; ++row) {
        if (std::count(popularity[row].begin(), popularity[row].end(), rank) > 0) {
            last = row;
        }
    }
    return last;
}

/// The popularity of every row. The largest value is the most popular. A rank that occurs in no
/// later row is taken now; otherwise the smaller of two picked from the rows so far.
std::vector<std::uint8_t> popularity_ranks(Draws& draws) {
    std::vector<std::uint8_t> ranks{1};
    std::vector<std::uint8_t> pool;
    const auto is_taken = [&](std::uint8_t rank) {
        return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
    };
    for (std::size_t row = 0; row < head_size; ++row) {
        pool.insert(pool.end(), popularity[row].begin(), popularity[row].end());
        std::erase_if(pool, is_taken);
        if (row == 0) {
            continue;
        }
        std::uint8_t chosen = 0;
        for (std::uint8_t rank = head_size; rank >= 1; --rank) {
            if (!is_taken(rank) && last_row(rank) <= row) {
                chosen = rank;
            }
        }
        if (chosen == 0) {
            const std::uint8_t first = pool[draws.below(pool.size())];
            chosen = std::min(first, pool[draws.below(pool.size())]);
        }
        ranks.push_back(chosen);
    }
    return ranks;
}

/// `count` values, or fewer where whole minutes and the ten-second steps beside them are taken.
std::vector<double> tail_values(
    double max_estimate, std::uint32_t bins, std::size_t count, std::set<double> taken
) {
    const double a = 1 + 12.1039 * engine::power(bins, -0.6026);
    std::vector<double> values;
    for (std::size_t i = 1; i <= count; ++i) {
        const double x = static_cast<double>(i) / static_cast<double>(count);
        const double seconds = (a - 1) * x / (a - x) * max_estimate;
        const double whole = std::floor(seconds / minute_s + 0.5) * minute_s;
        for (const double offset : {0, 30, -30, 20, -20, 10, -10}) {
            const double value = whole + offset;
            if (value > 0 && value < max_estimate && taken.insert(value).second) {
                values.push_back(value);
                break;
            }
        }
    }
    return values;
}

std::vector<double> tail_shares(std::size_t count) {
    std::vector<double> shares;
    for (std::size_t i = 0; i < count; ++i) {
        shares.push_back(795.6 * engine::power(static_cast<double>(head_size + 1 + i), -2.267));
    }
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) {
        share *= (100 - head_percent) / sum;
    }
    return shares;
}

/// Rounded, at least 1, then one more or fewer from the largest bin on until the sum is right.
void count_jobs(
    std::vector<EstimateBin>& bins, const std::vector<double>& shares, std::uint32_t jobs
) {
    std::vector<std::size_t> order(bins.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return shares[a] > shares[b];
    });
    std::int64_t missing = jobs;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const double rounded = std::floor(shares[i] * jobs / 100 + 0.5);
        bins[i].jobs = static_cast<std::uint32_t>(std::max(1.0, rounded));
        missing -= bins[i].jobs;
    }
    for (std::size_t i = 0; missing != 0; i = (i + 1) % order.size()) {
        EstimateBin& bin = bins[order[i]];
        if (missing > 0) {
            ++bin.jobs;
            --missing;
        } else if (bin.jobs > 1) {
            --bin.jobs;
            ++missing;
        }
    }
}

class Tsafrir final : public EstimateModel {
  public:
    Tsafrir(const Parameters& parameters, const Stream& stream)
        : jobs_(static_cast<std::uint32_t>(parameters.integer("jobs")))
        , max_estimate_(parameters.real("max_estimate"))
        , stream_(stream) {}

    std::size_t window() const override { return jobs_; }

    void assign(std::uint64_t first, std::span<const double> run, std::span<double> estimate)
        const override {
        std::copy(run.begin(), run.end(), estimate.begin());
        const std::vector<std::size_t> order = by_decreasing_run(run);
        std::vector<double> left = estimates_for(order.size());
        for (std::size_t j = 0; j < order.size(); ++j) {
            left[j] = left[j] < run[order[j]] ? max_estimate_ : left[j];
        }
        std::sort(left.rbegin(), left.rend());
        Draws draws(stream_, first);
        for (std::size_t j = 0, enough = 0; j < order.size(); ++j) {
            enough = std::max(enough, j);
            while (enough + 1 < left.size() && left[enough + 1] >= run[order[j]]) {
                ++enough;
            }
            std::swap(left[j], left[j + draws.below(enough - j + 1)]);
            estimate[order[j]] = left[j];
        }
    }

  private:
    /// Jobs that can have one of the values.
    std::vector<std::size_t> by_decreasing_run(std::span<const double> run) const {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < run.size(); ++i) {
            if (run[i] <= max_estimate_) {
                order.push_back(i);
            }
        }
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return run[a] > run[b];
        });
        return order;
    }

    /// The values of the histogram for that many jobs, each as often as it is used, decreasing.
    std::vector<double> estimates_for(std::size_t count) const {
        const auto jobs = static_cast<std::uint32_t>(std::max<std::size_t>(count, 100));
        std::vector<double> all;
        for (const EstimateBin& bin :
             tsafrir_histogram(jobs, max_estimate_, stream_, first_histogram_draw)) {
            all.insert(all.end(), bin.jobs, bin.value);
        }
        std::vector<double> result;
        for (std::size_t i = 0; i < count; ++i) {
            result.push_back(all[all.size() - 1 - i * all.size() / count]);
        }
        return result;
    }

    std::uint32_t jobs_;
    double max_estimate_;
    Stream stream_;
};

}  // namespace

engine::Alternative tsafrir_estimates() {
    return {
        .name = "tsafrir",
        .summary = "Few popular values, as users choose them.",
        .parameters =
            {{.name = "max_estimate",
              .meaning = "largest value, the most popular one; longer jobs request their run time",
              .unit = "s",
              .default_value = 18 * hour_s,
              .range = {.low = 2 * hour_s, .high = 1e8}},
             {.name = "jobs",
              .meaning = "jobs that share one histogram; a log's jobs always share one",
              .unit = "jobs",
              .type = ParameterType::integer,
              .default_value = 10000,
              .range = {.low = 100, .high = 1e6}}},
        .source = "Tsafrir, Etsion & Feitelson 2005"};
}

std::uint32_t tsafrir_bin_count(std::uint32_t jobs) {
    struct Point {
        double jobs;
        double bins;
    };
    constexpr std::array<Point, 7> points{
        {{0, 0}, {20, 10}, {200, 20}, {1000, 35}, {10000, 90}, {70000, 340}, {250000, 565}}};
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Point& a = points[i - 1];
        const Point& b = points[i];
        if (jobs <= b.jobs) {
            const double slope = (b.bins - a.bins) / (b.jobs - a.jobs);
            return static_cast<std::uint32_t>(std::floor(a.bins + slope * (jobs - a.jobs) + 0.5));
        }
    }
    return static_cast<std::uint32_t>(points.back().bins);
}

std::vector<EstimateBin> tsafrir_histogram(
    std::uint32_t jobs, double max_estimate, const Stream& stream, std::uint64_t first
) {
    Draws draws(stream, first);
    const std::vector<double> values = head_values(max_estimate);
    const std::vector<double> by_rank = head_shares();
    std::vector<EstimateBin> bins;
    std::vector<double> shares;
    const std::vector<std::uint8_t> ranks = popularity_ranks(draws);
    for (std::size_t row = 0; row < values.size(); ++row) {
        bins.push_back({.value = values[row]});
        shares.push_back(by_rank[ranks[row] - 1U]);
    }
    const std::uint32_t count = std::max<std::uint32_t>(tsafrir_bin_count(jobs), head_size + 1);
    std::vector<double> tail =
        tail_values(max_estimate, count, count - head_size, {values.begin(), values.end()});
    draws.shuffle(tail);
    const std::vector<double> of_tail = tail_shares(tail.size());
    for (std::size_t i = 0; i < tail.size(); ++i) {
        bins.push_back({.value = tail[i]});
        shares.push_back(of_tail[i]);
    }
    count_jobs(bins, shares, jobs);
    std::sort(bins.begin(), bins.end(), [](const EstimateBin& a, const EstimateBin& b) {
        return a.value < b.value;
    });
    return bins;
}

std::unique_ptr<const EstimateModel> make_tsafrir_estimates(
    const Parameters& parameters, const Stream& stream
) {
    return std::make_unique<Tsafrir>(parameters, stream);
}

}  // namespace schedfarm::models
