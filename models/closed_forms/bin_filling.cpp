#include "models/closed_forms/bin_filling.hpp"

#include <algorithm>

#include "engine/foundation/expect.hpp"

namespace schedfarm::models::closed_forms {

namespace {

constexpr double negligible = 1e-30;

/// The sums of the components on one cluster over k jobs, for every number j of jobs of the first
/// kind among them. The same for all clusters but for the capacity.
class JobSums {
  public:
    JobSums(const ComponentProbabilities& components, std::size_t limit)
        : components_(components), limit_(limit), weights_{1.0}, sums_{{1.0}} {}

    /// From k to k + 1 jobs.
    void add_job() {
        const double p = components_.first_probability;
        std::vector<double> weights(weights_.size() + 1, 0.0);
        std::vector<SizeProbabilities> sums(weights.size());
        for (std::size_t j = 0; j < weights.size(); ++j) {
            const double from_second = j < weights_.size() ? weights_[j] * (1 - p) : 0;
            const double from_first = j > 0 ? weights_[j - 1] * p : 0;
            weights[j] = from_second + from_first;
            if (from_second > 0) {
                sums[j] = sum_of(sums_[j], components_.second, limit_);
            } else if (from_first > 0) {
                sums[j] = sum_of(sums_[j - 1], components_.first, limit_);
            }
        }
        weights_ = std::move(weights);
        sums_ = std::move(sums);
    }

    std::size_t kinds() const { return weights_.size(); }
    double weight(std::size_t j) const { return weights_[j]; }
    const SizeProbabilities& sum(std::size_t j) const { return sums_[j]; }

  private:
    const ComponentProbabilities& components_;
    std::size_t limit_;
    std::vector<double> weights_;          // binomial, of j jobs of the first kind
    std::vector<SizeProbabilities> sums_;  // empty where the weight is 0
};

/// P(sum <= capacity) and E[sum; sum <= capacity].
struct WithinCapacity {
    double probability = 0;
    double mean = 0;
};

WithinCapacity within(const SizeProbabilities& sum, std::uint32_t capacity) {
    WithinCapacity result;
    for (std::size_t n = 0; n < sum.size() && n <= capacity; ++n) {
        result.probability += sum[n];
        result.mean += static_cast<double>(n) * sum[n];
    }
    return result;
}

/// All sums within their capacities: the probability, and the mean of the total on that event.
WithinCapacity within_all(
    const SizeProbabilities& sum, const std::vector<std::uint32_t>& capacities
) {
    WithinCapacity all{1, 0};
    for (const std::uint32_t capacity : capacities) {
        const WithinCapacity one = within(sum, capacity);
        all.mean = all.mean * one.probability + all.probability * one.mean;
        all.probability *= one.probability;
    }
    return all;
}

}  // namespace

Fill fill_in_order(
    const ComponentProbabilities& components, const std::vector<std::uint32_t>& capacities
) {
    SCHEDFARM_EXPECT(!capacities.empty(), "a fill needs a cluster");
    JobSums sums(components, *std::max_element(capacities.begin(), capacities.end()));
    Fill fill{.at_least = {1.0}};
    while (true) {
        sums.add_job();
        WithinCapacity placed;
        for (std::size_t j = 0; j < sums.kinds(); ++j) {
            if (sums.weight(j) > 0) {
                const WithinCapacity given_j = within_all(sums.sum(j), capacities);
                placed.probability += sums.weight(j) * given_j.probability;
                placed.mean += sums.weight(j) * given_j.mean;
            }
        }
        if (placed.probability < negligible) {
            return fill;
        }
        fill.mean_placed += placed.mean / static_cast<double>(fill.at_least.size());
        fill.at_least.push_back(placed.probability);
    }
}

double mean_jobs(const Fill& fill) {
    double mean = 0;
    for (std::size_t k = fill.at_least.size(); k-- > 1;) {
        mean += fill.at_least[k];
    }
    return mean;
}

double mean_inverse_jobs(const Fill& fill) {
    const std::size_t most = fill.at_least.size() - 1;
    SCHEDFARM_EXPECT(
        most >= 1 && fill.at_least[1] > 1 - 1e-9, "some job does not fit an empty system"
    );
    double mean = 0;
    for (std::size_t k = most; k >= 1; --k) {
        const double next = k < most ? fill.at_least[k + 1] : 0;
        mean += (fill.at_least[k] - next) / static_cast<double>(k);
    }
    return mean;
}

}  // namespace schedfarm::models::closed_forms
