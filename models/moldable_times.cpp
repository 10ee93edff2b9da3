#include "models/moldable_times.hpp"

#include <string>

#include "engine/foundation/expect.hpp"

namespace schedfarm::models {

namespace {

/// What rounding may take from the work of a job that is as fast as can be.
constexpr double rounding = 1e-12;

void expect_monotone(std::span<const double> times) {
    for (std::size_t i = 1; i < times.size(); ++i) {
        const auto k = static_cast<double>(i + 1);
        SCHEDFARM_EXPECT(
            times[i] <= times[i - 1] && k * times[i] >= (k - 1) * times[i - 1] * (1 - rounding),
            "a moldable job is not monotone from " + std::to_string(i) + " processors to one more"
        );
    }
}

}  // namespace

const engine::MoldableTimes* MoldableTimesStore::add(
    double time, std::span<const double> factors, std::uint32_t base
) {
    Entry& entry = entries_.emplace_back();
    const double of_base = factors[base - 1];
    entry.times.reserve(factors.size());
    for (const double factor : factors) {
        entry.times.push_back(time * (factor / of_base));
    }
    expect_monotone(entry.times);
    entry.moldable.times = entry.times;
    return &entry.moldable;
}

}  // namespace schedfarm::models
