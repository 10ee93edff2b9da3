// Prints a digest of the bits of what this folder finds for many instances: guesses and schedules
// of the dual approximation, choices of knapsacks, bounds, prices and shares of linear programs.
// portable_bits_test runs it with and without fused multiply-add in the C library.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "engine/foundation/hash.hpp"
#include "engine/optimization/dual_approximation.hpp"
#include "engine/optimization/knapsack.hpp"
#include "engine/optimization/minsum_bound.hpp"

#include "tests/engine/optimization/instances.hpp"

namespace schedfarm::engine {
namespace {

class Digest {
  public:
    void add(std::uint64_t word) { state_ = mix(state_ + word + 1); }
    void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
    void add(const DualApproximation& dual) {
        add(dual.lambda);
        add(dual.lower_bound);
        for (const PlacedTask& placed : dual.schedule) {
            add(placed.start);
            add(placed.finish);
            add(std::uint64_t{placed.first_processor} << 32 | placed.processors);
        }
    }
    void add(const MinsumBound& bound) {
        add(bound.value);
        add(bound.solution.cost);
        for (const double price : bound.solution.prices) {
            add(price);
        }
        for (const AssignedShare& share : bound.solution.shares) {
            add(std::uint64_t{share.task} << 32 | share.interval);
            add(share.fraction);
        }
    }
    unsigned long long state() const { return state_; }

  private:
    std::uint64_t state_ = 0;
};

void add_knapsack(Digest& digest, const MoldableInstance& instance) {
    std::vector<KnapsackItem> items;
    for (std::size_t i = 0; i < instance.size(); ++i) {
        items.push_back({instance.least_processors(i, instance.time(i, 1) / 2), instance.weight(i)}
        );
    }
    Knapsack knapsack;
    digest.add(knapsack.solve(items, instance.processors()));
    for (const std::uint8_t is_chosen : knapsack.chosen()) {
        digest.add(std::uint64_t{is_chosen});
    }
}

void add_instance(Digest& digest, const MoldableInstance& instance) {
    const DualApproximation dual = dual_approximation(instance);
    digest.add(dual);
    add_knapsack(digest, instance);
    digest.add(minsum_bound(instance, dual.lambda, {MinsumProgram::printed}));
    digest.add(minsum_bound(instance, dual.lambda, {MinsumProgram::safe}));
    for (const std::uint32_t steps : {3U, 4U, 7U}) {
        digest.add(minsum_bound(instance, dual.lambda, {MinsumProgram::refined, steps}));
    }
}

unsigned long long optimization_digest() {
    Digest digest;
    std::mt19937_64 random(17);
    for (int repetition = 0; repetition < 60; ++repetition) {
        for (const testing::Family family : testing::all_families) {
            const std::size_t tasks = testing::integer(random, 1, repetition % 10 == 0 ? 300 : 60);
            const std::uint32_t processors = testing::integer(random, 1, 200);
            const testing::OwnedInstance owned = random_instance(family, tasks, processors, random);
            add_instance(digest, owned.view());
        }
    }
    return digest.state();
}

}  // namespace
}  // namespace schedfarm::engine

int main() {
    std::printf("%016llx\n", schedfarm::engine::optimization_digest());
}
