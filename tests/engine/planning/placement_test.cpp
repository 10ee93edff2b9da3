#include "engine/planning/placement.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/placement.hpp"

#include "tests/support/dice.hpp"

namespace {

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace)
using schedfarm::tests::Dice;
using Counts = std::vector<std::uint32_t>;

constexpr std::array rules = {
    PlacementRule::first_fit,
    PlacementRule::best_fit,
    PlacementRule::worst_fit,
    PlacementRule::first_fit_decreasing};

Job job_of(RequestStructure structure, const Counts& components) {
    Job job;
    job.structure = structure;
    job.components = components;
    job.size = std::accumulate(components.begin(), components.end(), 0U);
    return job;
}

/// "cluster:count" in the order of placing; "-" when the job does not fit.
std::string placed(
    PlacementRule rule, RequestStructure structure, const Counts& components, const Counts& free
) {
    Placer placer(rule);
    std::string text;
    for (const ClusterShare& share : placer.place(job_of(structure, components), free)) {
        text += (text.empty() ? "" : " ") + std::to_string(share.cluster.value) + ":"
                + std::to_string(share.count);
    }
    return text.empty() ? "-" : text;
}

/// Whether some assignment of components to clusters (distinct ones or not) fits.
bool can_be_assigned(
    const Counts& components, std::size_t next, const Counts& free, RequestStructure structure
) {
    if (next == components.size()) {
        return true;
    }
    for (std::size_t cluster = 0; cluster < free.size(); ++cluster) {
        if (free[cluster] < components[next]) {
            continue;
        }
        Counts left = free;
        left[cluster] =
            structure == RequestStructure::unordered ? 0 : left[cluster] - components[next];
        if (can_be_assigned(components, next + 1, left, structure)) {
            return true;
        }
    }
    return false;
}

Counts random_counts(Dice& dice, std::size_t size, std::uint32_t low, std::uint32_t high) {
    Counts result(size);
    std::generate(result.begin(), result.end(), [&] { return low + dice.below(high - low + 1); });
    return result;
}

void check_shares(const Job& job, std::span<const ClusterShare> shares, const Counts& free) {
    Counts counts(free.size(), 0);
    for (const ClusterShare& share : shares) {
        CHECK(counts[share.cluster.value] == 0);
        counts[share.cluster.value] += share.count;
        CHECK(counts[share.cluster.value] <= free[share.cluster.value]);
    }
    CHECK(is_placed_as_requested(job, counts));
}

TEST_CASE("unordered components go largest first to distinct clusters by the rule") {
    const Counts free = {5, 8, 3, 6};
    const Counts components = {2, 4, 3};  // placed in the order 4 3 2
    // First Fit: 4 to cluster 0 (5 free); 3 to cluster 1 (8); 2 to cluster 2 (3).
    CHECK(
        placed(PlacementRule::first_fit, RequestStructure::unordered, components, free)
        == "0:4 1:3 2:2"
    );
    // Best Fit: 4 to 0 (5 is the smallest that suffices); 3 to 2 (3); 2 to 3 (6 < 8).
    CHECK(
        placed(PlacementRule::best_fit, RequestStructure::unordered, components, free)
        == "0:4 2:3 3:2"
    );
    // Worst Fit: clusters by free processors 1 (8) 3 (6) 0 (5).
    CHECK(
        placed(PlacementRule::worst_fit, RequestStructure::unordered, components, free)
        == "1:4 3:3 0:2"
    );
}

TEST_CASE("ties go to the lowest number") {
    for (const PlacementRule rule : rules) {
        CHECK(placed(rule, RequestStructure::unordered, {2, 2}, {4, 4, 4}) == "0:2 1:2");
        CHECK(placed(rule, RequestStructure::grouped, {3, 3}, {4, 4, 4}) == "0:3 1:3");
    }
}

TEST_CASE("unequal clusters of 128 and three times 24") {
    const Counts idle = {128, 24, 24, 24};
    CHECK(
        placed(PlacementRule::first_fit, RequestStructure::unordered, {10, 24, 24, 20}, idle)
        == "0:24 1:24 2:20 3:10"
    );
    CHECK(
        placed(PlacementRule::best_fit, RequestStructure::unordered, {10, 24, 100, 20}, idle)
        == "0:100 1:24 2:20 3:10"
    );
    CHECK(
        placed(PlacementRule::best_fit, RequestStructure::unordered, {10, 24, 24}, idle)
        == "1:24 2:24 3:10"
    );
    CHECK(placed(PlacementRule::worst_fit, RequestStructure::unordered, {25, 25}, idle) == "-");
    CHECK(
        placed(PlacementRule::first_fit, RequestStructure::grouped, {10, 24, 100, 20}, idle)
        == "0:124 1:20 2:10"
    );
    CHECK(placed(PlacementRule::first_fit, RequestStructure::total, {150}, idle) == "0:128 1:22");
}

TEST_CASE("ordered components go to their own clusters and zeros are absent") {
    CHECK(
        placed(PlacementRule::worst_fit, RequestStructure::ordered, {2, 0, 3}, {2, 9, 3})
        == "0:2 2:3"
    );
    CHECK(placed(PlacementRule::worst_fit, RequestStructure::ordered, {2, 0, 4}, {2, 9, 3}) == "-");
    CHECK(placed(PlacementRule::first_fit, RequestStructure::ordered, {1, 1}, {5}) == "-");
}

TEST_CASE("total requests take any processors that are free") {
    CHECK(
        placed(PlacementRule::worst_fit, RequestStructure::total, {6}, {0, 2, 3, 4})
        == "1:2 2:3 3:1"
    );
    CHECK(placed(PlacementRule::first_fit, RequestStructure::total, {10}, {0, 2, 3, 4}) == "-");
}

TEST_CASE("grouped components share the cluster that takes most of them") {
    // Cluster 0 takes only the 4; cluster 1 takes 4 and 3 (7 of 8, the 2 does not fit any more);
    // cluster 3 takes 4 and 2 of 6. Two each: first fit takes 1, best fit 3, worst fit 1.
    const Counts free = {5, 8, 3, 6};
    CHECK(
        placed(PlacementRule::first_fit, RequestStructure::grouped, {2, 4, 3}, free) == "1:7 0:2"
    );
    CHECK(placed(PlacementRule::best_fit, RequestStructure::grouped, {2, 4, 3}, free) == "3:6 2:3");
    CHECK(
        placed(PlacementRule::worst_fit, RequestStructure::grouped, {2, 4, 3}, free) == "1:7 3:2"
    );
    // All on one cluster where one can hold them.
    CHECK(
        placed(PlacementRule::best_fit, RequestStructure::grouped, {2, 4, 3}, {5, 8, 9, 10})
        == "2:9"
    );
    // A cluster without room for the largest does not count: the second would take as many.
    CHECK(
        placed(PlacementRule::first_fit, RequestStructure::grouped, {3, 1, 1}, {2, 4}) == "1:4 0:1"
    );
}

TEST_CASE("by first fit decreasing grouped components share whatever cluster has room left") {
    constexpr PlacementRule rule = PlacementRule::first_fit_decreasing;
    // In the order 4 3 2: 4 to cluster 0 (1 left), 3 to cluster 1 (5 left), 2 to cluster 1.
    CHECK(placed(rule, RequestStructure::grouped, {2, 4, 3}, {5, 8, 3, 6}) == "0:4 1:5");
    // Though one cluster could hold them all.
    CHECK(placed(rule, RequestStructure::grouped, {2, 4, 3}, {5, 8, 9, 10}) == "0:4 1:5");
    // 4 and 2 fill cluster 0, 3 and 3 cluster 1; 3 and 2 fill cluster 0, 2 and 2 cluster 1; of the
    // last one 2 has no room beside 3 + 3 and 2 + 2 + 2.
    CHECK(placed(rule, RequestStructure::grouped, {4, 3, 3, 2}, {6, 6}) == "0:6 1:6");
    CHECK(placed(rule, RequestStructure::grouped, {3, 2, 2, 2}, {5, 4}) == "0:5 1:4");
    CHECK(placed(rule, RequestStructure::grouped, {3, 3, 2, 2, 2, 2}, {7, 7}) == "-");
    CHECK(placed(rule, RequestStructure::unordered, {2, 2}, {4, 4}) == "0:2 1:2");
}

TEST_CASE("first fit decreasing of grouped components is that of a plain loop") {
    Dice dice(4);
    for (int i = 0; i < 5000; ++i) {
        const Counts free = random_counts(dice, 1 + dice.below(4), 0, 9);
        Counts components = random_counts(dice, 1 + dice.below(5), 1, 6);
        const std::string found = placed(
            PlacementRule::first_fit_decreasing, RequestStructure::grouped, components, free
        );
        Counts taken(free.size(), 0);
        bool fits = true;
        for (; !components.empty() && fits;) {
            const auto largest = std::max_element(components.begin(), components.end());
            std::size_t cluster = 0;
            while (cluster < free.size() && taken[cluster] + *largest > free[cluster]) {
                ++cluster;
            }
            fits = cluster < free.size();
            taken[fits ? cluster : 0] += *largest;
            components.erase(largest);
        }
        std::string expected;
        for (std::size_t c = 0; c < free.size(); ++c) {
            if (taken[c] > 0) {
                expected += (expected.empty() ? "" : " ") + std::to_string(c) + ":"
                            + std::to_string(taken[c]);
            }
        }
        REQUIRE(found == (fits ? expected : "-"));
    }
}

TEST_CASE("components of no processors are absent") {
    for (const RequestStructure structure :
         {RequestStructure::unordered, RequestStructure::grouped}) {
        CHECK(placed(PlacementRule::first_fit, structure, {0, 2, 0, 0}, {3, 3, 3}) == "0:2");
    }
}

TEST_CASE("a grouped request may fail though another way of packing exists") {
    // 3 + 2 + 2 on each cluster of 7 would do; the greedy way puts 3 + 3 on one, 2 + 2 + 2 on the
    // other, and the last 2 finds no room.
    const Counts components = {3, 3, 2, 2, 2, 2};
    CHECK(placed(PlacementRule::first_fit, RequestStructure::grouped, components, {7, 7}) == "-");
    CHECK(can_be_assigned(components, 0, {7, 7}, RequestStructure::grouped));
}

TEST_CASE("the greedy check on sorted components is exact for unordered requests") {
    Dice dice(1);
    int fitting = 0;
    for (int i = 0; i < 20000; ++i) {
        const Counts free = random_counts(dice, 1 + dice.below(4), 0, 6);
        const Counts components = random_counts(dice, 1 + dice.below(4), 1, 6);
        const Job job = job_of(RequestStructure::unordered, components);
        const bool fits = can_be_assigned(components, 0, free, RequestStructure::unordered);
        fitting += fits ? 1 : 0;
        for (const PlacementRule rule : rules) {
            Placer placer(rule);
            const auto shares = placer.place(job, free);
            REQUIRE(!shares.empty() == fits);
            if (fits) {
                check_shares(job, shares, free);
            }
        }
    }
    CHECK(fitting > 4000);
    CHECK(fitting < 16000);
}

TEST_CASE("grouped requests are placed rightly and wherever unordered ones or one cluster would do"
) {
    Dice dice(2);
    int fitting = 0;
    int missed = 0;
    for (int i = 0; i < 20000; ++i) {
        const Counts free = random_counts(dice, 1 + dice.below(4), 0, 9);
        const Counts components = random_counts(dice, 1 + dice.below(5), 1, 6);
        const Job job = job_of(RequestStructure::grouped, components);
        const bool fits = can_be_assigned(components, 0, free, RequestStructure::grouped);
        const bool must_fit = can_be_assigned(components, 0, free, RequestStructure::unordered)
                              || *std::max_element(free.begin(), free.end()) >= job.size;
        for (const PlacementRule rule : rules) {
            Placer placer(rule);
            const auto shares = placer.place(job, free);
            if (must_fit) {
                REQUIRE(!shares.empty());
            }
            if (!shares.empty()) {
                REQUIRE(fits);
                check_shares(job, shares, free);
            }
            fitting += fits ? 1 : 0;
            missed += fits && shares.empty() ? 1 : 0;
        }
    }
    MESSAGE("packings that the greedy way misses: " << missed << " of " << fitting);
    CHECK(fitting > 10000);
    CHECK(missed * 20 < fitting);
}

TEST_CASE("total and ordered requests are placed if and only if they fit") {
    Dice dice(3);
    for (int i = 0; i < 5000; ++i) {
        const Counts free = random_counts(dice, 1 + dice.below(4), 0, 6);
        const Counts components = random_counts(dice, free.size(), 0, 4);
        const Job ordered = job_of(RequestStructure::ordered, components);
        const Job total = job_of(RequestStructure::total, components);
        if (total.size == 0) {
            continue;
        }
        bool each_fits = true;
        for (std::size_t c = 0; c < free.size(); ++c) {
            each_fits = each_fits && components[c] <= free[c];
        }
        Placer placer(rules[dice.below(3)]);
        CHECK(!placer.place(ordered, free).empty() == each_fits);
        const auto shares = placer.place(total, free);
        CHECK(!shares.empty() == (std::accumulate(free.begin(), free.end(), 0U) >= total.size));
        if (!shares.empty()) {
            check_shares(total, shares, free);
        }
    }
}

}  // namespace
