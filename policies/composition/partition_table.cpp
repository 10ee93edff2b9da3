// The table of partitions among a policy's parameters.
#include <array>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "policies/columns.hpp"
#include "policies/composition/partitions.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr std::array columns = {"processors", "smallest_size", "largest_size"};

ParameterDescription column(const char* name, const char* meaning) {
    return {
        .name = name,
        .meaning = meaning,
        .unit = "processors",
        .type = ParameterType::integer_list,
        .default_value = Value::List{},
        .range = {.low = 1, .high = 1e6}};
}

std::uint32_t number(const Parameters& given, const char* name, std::size_t row, double absent) {
    return static_cast<std::uint32_t>(entry(given, name, row, absent));
}

}  // namespace

std::vector<ParameterDescription> partition_parameters() {
    return {
        column(
            "processors",
            "processors of each partition; empty: one partition, the whole machine. Partitions are "
            "made of the processors in order, over the clusters; what they leave over is idle"
        ),
        column("smallest_size", "smallest job of each partition; empty: 1"),
        column(
            "largest_size",
            "largest job of each partition; empty: its processors. A job goes to the first "
            "partition that takes its size; a workload whose largest jobs none takes is "
            "refused"
        )};
}

std::size_t partition_count(const Parameters& given) {
    return row_count(given, columns);
}

std::vector<ParameterProblem> partition_problems(const Parameters& given) {
    std::vector<ParameterProblem> found = length_problems(given, columns, "partition");
    if (!found.empty()) {
        return found;
    }
    for (std::size_t row = 0; row < partition_count(given); ++row) {
        const double smallest = entry(given, "smallest_size", row, 1);
        const double processors = entry(given, "processors", row, 1e9);
        const double largest = entry(given, "largest_size", row, processors);
        if (smallest > largest || largest > processors) {
            found.push_back(
                {largest > processors ? "largest_size" : "smallest_size",
                 fmt::format(
                     "partition {} takes jobs of {} to {} processors and has {} (no such job could "
                     "run on it)",
                     row + 1,
                     smallest,
                     largest,
                     processors
                 ),
                 "Keep smallest_size <= largest_size <= processors."}
            );
        }
    }
    return found;
}

std::vector<ParameterProblem> partition_system_problems(
    const Parameters& given, const SystemDescription& system
) {
    double sum = 0;
    for (std::size_t row = 0; row < partition_count(given); ++row) {
        sum += entry(given, "processors", row, system.processors());
    }
    if (sum <= system.processors()) {
        return {};
    }
    return {
        {"processors",
         fmt::format(
             "the partitions have {} processors together and the system {} (they share none)",
             sum,
             system.processors()
         ),
         "Make the partitions smaller."}};
}

std::vector<PartShape> partition_shapes(const Parameters& given, const SystemDescription& system) {
    PartCutter cutter(system);
    std::vector<PartShape> shapes;
    for (std::size_t row = 0; row < partition_count(given); ++row) {
        shapes.push_back(cutter.processors(number(given, "processors", row, system.processors())));
    }
    return shapes;
}

std::vector<SizeRange> partition_sizes(const Parameters& given, const SystemDescription& system) {
    std::vector<SizeRange> sizes;
    for (std::size_t row = 0; row < partition_count(given); ++row) {
        const std::uint32_t processors = number(given, "processors", row, system.processors());
        sizes.push_back(
            {number(given, "smallest_size", row, 1), number(given, "largest_size", row, processors)}
        );
    }
    return sizes;
}

}  // namespace schedfarm::policies
