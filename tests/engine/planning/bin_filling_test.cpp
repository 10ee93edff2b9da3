// Bin filling by hand, against a plain loop, and against exact values.
#include "engine/planning/bin_filling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"

#include "tests/support/dice.hpp"
#include "tests/support/long_form.hpp"

namespace {

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace)
using schedfarm::tests::Dice;
using Components = std::vector<std::uint32_t>;

/// Jobs as listed, again and again, in blocks of `block_size`.
class ListedRequests final : public WorkloadModel {
  public:
    ListedRequests(RequestStructure structure, std::vector<Components> jobs, std::size_t block_size)
        : jobs_(std::move(jobs)), block_size_(block_size) {
        traits_.structure = structure;
        for (const Components& job : jobs_) {
            traits_.max_components = std::max(traits_.max_components, job.size());
            traits_.max_size = std::max(traits_.max_size, size_of(job));
        }
    }

    static std::uint32_t size_of(const Components& job) {
        std::uint32_t sum = 0;
        for (const std::uint32_t count : job) {
            sum += count;
        }
        return sum;
    }

    const WorkloadTraits& traits() const override { return traits_; }

    void next(JobBlock& block) override {
        block = JobBlock{};
        block.first_index = next_;
        block.count = block_size_;
        block.structure = traits_.structure;
        block.component_stride = traits_.max_components;
        for (std::size_t i = 0; i < block.count; ++i) {
            const Components& job = jobs_[next_++ % jobs_.size()];
            block.submit_time.push_back(0);
            block.size.push_back(size_of(job));
            block.components.insert(block.components.end(), job.begin(), job.end());
            block.components.resize((i + 1) * traits_.max_components, 0);
        }
    }

  private:
    std::vector<Components> jobs_;
    std::size_t block_size_;
    std::size_t next_ = 0;
    WorkloadTraits traits_;
};

Observations filled(
    const Components& clusters,
    std::uint64_t fills,
    const std::vector<Components>& jobs,
    RequestStructure structure = RequestStructure::total,
    PlacementRule rule = PlacementRule::first_fit,
    std::size_t block_size = 3
) {
    ListedRequests workload(structure, jobs, block_size);
    return fill_bins(rule, {.clusters = clusters}, fills, workload);
}

/// The fills of row r are number r, r + bin_rows, …; its jobs those of the same numbers.
Observations filled_plainly(
    const Components& clusters,
    std::uint64_t fills,
    const std::vector<Components>& jobs,
    RequestStructure structure,
    PlacementRule rule
) {
    Placer placer(rule);
    Observations result;
    std::vector<double> idle_of;
    for (std::uint64_t row = 0; row < bin_rows; ++row) {
        std::uint32_t hash = 0;
        std::uint64_t next = row;
        for (std::uint64_t fill = row; fill < fills; fill += bin_rows) {
            Components free = clusters;
            std::uint32_t placed = 0;
            for (bool fits = true; fits; next += bin_rows) {
                const Components& components = jobs[next % jobs.size()];
                Job job;
                job.structure = structure;
                job.size = ListedRequests::size_of(components);
                job.components = components;
                const auto shares = placer.place(job, free);
                fits = !shares.empty();
                placed += fits ? 1 : 0;
                for (const ClusterShare& share : shares) {
                    free[share.cluster.value] -= share.count;
                }
            }
            const std::uint32_t idle = ListedRequests::size_of(free);
            idle_of.push_back(idle);
            result.jobs += placed;
            hash = hash * 0x9e3779b1U + (placed << 16) + idle;
        }
        result.fingerprint += mix((row << 32) + hash + 1);
    }
    double sum = 0;
    for (const double idle : idle_of) {
        sum += idle;
    }
    const double processors = ListedRequests::size_of(clusters);
    result.values = {sum / static_cast<double>(fills) / processors};
    return result;
}

std::vector<Components> of_sizes(const Components& sizes) {
    std::vector<Components> jobs;
    for (const std::uint32_t size : sizes) {
        jobs.push_back({size});
    }
    return jobs;
}

}  // namespace

TEST_CASE("two rows of fills by hand") {
    // P = 4, 17 fills: row 0 has fills 0 and 16, the others one. Row 0 offers 2 1 2: placed 2, idle
    // 1, the last dropped; then 3 1 1: placed 2, idle 0. Each other row offers 4 1: placed 1, idle
    // 0.
    const Components row_0 = {2, 1, 2, 3, 1, 1};
    const Components other = {4, 1, 4, 4, 4, 4};
    Components sizes;
    for (std::size_t t = 0; t < row_0.size(); ++t) {
        for (std::size_t row = 0; row < bin_rows; ++row) {
            sizes.push_back(row == 0 ? row_0[t] : other[t]);
        }
    }
    const Observations result = filled({4}, 17, of_sizes(sizes));
    // Idle: one fill of 17 has 1 of 4. Variance of the idle processors (1 − 1/17)/16 = 1/17.
    REQUIRE(result.values.size() == 4);
    CHECK(result.values[0] == 1.0 / 17 / 4);
    CHECK(result.values[1] == doctest::Approx(std::sqrt(1.0 / 17) / 4).epsilon(1e-15));
    CHECK(result.values[2] == 1 - 1.0 / 17 / 4);
    CHECK(result.values[3] == 19.0 / 17);
    CHECK(result.jobs == 19);
    CHECK(result.events == 19 + 17);
    // Row 0: (2 << 16) + 1, then that times the factor plus (2 << 16) + 0.
    const std::uint32_t first = 2U << 16 | 1U;
    std::uint64_t fingerprint = mix(std::uint64_t{first * 0x9e3779b1U + (2U << 16)} + 1);
    for (std::uint64_t row = 1; row < bin_rows; ++row) {
        fingerprint += mix((row << 32) + (1U << 16) + 1);
    }
    CHECK(result.fingerprint == fingerprint);
}

TEST_CASE("components on two clusters by hand") {
    // 2 × 4, one fill of row 0: (3, 1) leaves 1 and 3 free; (3) goes to the other cluster; (2) fits
    // nowhere. As total requests the three are 4 + 3 of 8, and 2 more do not fit either: 1 idle.
    std::vector<Components> jobs(48, {4});
    jobs[0] = {3, 1};
    jobs[16] = {3};
    jobs[32] = {2};
    for (const RequestStructure structure :
         {RequestStructure::unordered, RequestStructure::total}) {
        const Observations result = filled({4, 4}, 1, jobs, structure);
        CHECK(result.values[0] == 1.0 / 8);
        CHECK(result.values[3] == 2);
        CHECK(result.events == 3);
    }
    // Ordered, the second asks for cluster 0, which has one left: 4 of 8 idle.
    CHECK(filled({4, 4}, 1, jobs, RequestStructure::ordered).values[0] == 4.0 / 8);
}

TEST_CASE("fills are those of a plain loop") {
    constexpr std::array rules = {
        PlacementRule::first_fit,
        PlacementRule::best_fit,
        PlacementRule::worst_fit,
        PlacementRule::first_fit_decreasing};
    constexpr std::array structures = {
        RequestStructure::total,
        RequestStructure::ordered,
        RequestStructure::unordered,
        RequestStructure::grouped};
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const Components clusters(1 + dice.below(4), 2 + dice.below(9));
        std::vector<Components> jobs(500 + dice.below(2000));
        for (Components& job : jobs) {
            job.resize(1 + dice.below(clusters.size()));
            for (std::uint32_t& count : job) {
                count = 1 + dice.below(clusters.front());
            }
        }
        const std::uint64_t fills = 1 + dice.below(200);
        const auto rule = rules[dice.below(4)];
        const auto structure = structures[seed % 4];
        const Observations result =
            filled(clusters, fills, jobs, structure, rule, 1 + dice.below(600));
        const Observations plain = filled_plainly(clusters, fills, jobs, structure, rule);
        REQUIRE(result.fingerprint == plain.fingerprint);
        REQUIRE(result.jobs == plain.jobs);
        REQUIRE(result.values[0] == doctest::Approx(plain.values[0]).epsilon(1e-12));
    }
}

TEST_CASE("a single changed fill shows in the fingerprint") {
    Components sizes(400, 4);
    const Observations full = filled({4}, 32, of_sizes(sizes));
    sizes[5 + 2 * bin_rows] = 3;  // the second ended the fill, the third begins another
    CHECK(filled({4}, 32, of_sizes(sizes)).fingerprint != full.fingerprint);
    CHECK(full.values[0] == 0);
}

TEST_CASE("the spread of a single fill does not exist") {
    CHECK(std::isnan(filled({4}, 1, of_sizes({4, 4})).values[1]));
}

TEST_CASE("what does not fit on the empty system is an error") {
    CHECK_THROWS_WITH_AS(
        filled({4, 4}, 1, {{5}}, RequestStructure::ordered),
        doctest::Contains("does not fit on the empty system"),
        ContractViolation
    );
    CHECK_THROWS_AS(filled({4}, 0, of_sizes({4})), ContractViolation);
}

TEST_CASE("bins are filled as theory says") {
    // Capacity loss on 32 processors, components uniform on 1 … n (Bucur and Epema, Table 1, exact
    // values by dynamic programming). Bound: 4 standard errors.
    struct Cell {
        std::uint32_t largest;
        double loss;
    };
    for (const Cell& cell : {Cell{4, .03125002}, Cell{5, .04166655}, Cell{16, .15342253}}) {
        const std::uint64_t fills = schedfarm::tests::short_or_long(40'000U, 120'000U);
        Dice dice(cell.largest);
        Components sizes(4'000'000);
        for (std::uint32_t& size : sizes) {
            size = 1 + dice.below(cell.largest);
        }
        const Observations result = filled(
            {32}, fills, of_sizes(sizes), RequestStructure::total, PlacementRule::first_fit, 512
        );
        const double error = result.values[1] / std::sqrt(static_cast<double>(fills));
        CHECK(std::abs(result.values[0] - cell.loss) < 4 * error);
    }
}
