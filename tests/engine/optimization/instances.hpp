// Instances for the tests of this folder: random ones of several families, and what all schedules
// of a small one can reach at best.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "engine/optimization/dual_approximation.hpp"
#include "engine/optimization/moldable_instance.hpp"

namespace schedfarm::engine::testing {

/// Owns the times, row by row.
struct OwnedInstance {
    std::uint32_t processors = 1;
    std::vector<double> weights;
    std::vector<std::vector<double>> times;

    MoldableInstance view() const;
};

enum class Family : std::uint8_t {
    weak,       ///< X about 0.1: hardly faster on more processors
    high,       ///< X about 0.9
    mixed,      ///< 70 % small weak ones, 30 % large high ones
    integer,    ///< small integers where areas allow: many ties
    equal,      ///< all tasks alike
    linear,     ///< twice as fast on twice as many, up to some number: areas all alike
    arbitrary,  ///< not monotone
};
inline constexpr std::array all_families{
    Family::weak,
    Family::high,
    Family::mixed,
    Family::integer,
    Family::equal,
    Family::linear,
    Family::arbitrary};
inline constexpr std::array monotone_families{
    Family::weak, Family::high, Family::mixed, Family::integer, Family::equal, Family::linear};

OwnedInstance random_instance(
    Family family, std::size_t tasks, std::uint32_t processors, std::mt19937_64& random
);
/// Of 1 to 6 tasks on 1 to 4 processors, for brute_force().
OwnedInstance random_small_instance(Family family, std::mt19937_64& random);

/// Uniform on [low, high).
double uniform(std::mt19937_64& random, double low, double high);
std::uint32_t integer(std::mt19937_64& random, std::uint32_t low, std::uint32_t high);

struct Optimum {
    double makespan = 0;
    double minsum = 0;
};

/// Over all allotments and all orders, each task on the processors that are free first: sorted by
/// start, the tasks of any schedule start no later this way, so that the optima are among them.
Optimum brute_force(const MoldableInstance& instance);

/// What is wrong with a schedule, in words; empty: nothing. No processor twice, every task for its
/// time on at least its processors.
std::string fault_of(const MoldableInstance& instance, const std::vector<PlacedTask>& schedule);

}  // namespace schedfarm::engine::testing
