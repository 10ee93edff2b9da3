#include "models/request_check.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/message_text.hpp"

namespace schedfarm::models {

namespace {

using engine::ParameterProblem;
using engine::RequestStructure;
using Processors = std::vector<std::uint32_t>;

ParameterProblem too_many_components(
    std::size_t components, std::size_t clusters, const std::string& parameter
) {
    return {
        parameter,
        fmt::format(
            "{} components but {} (every component needs a cluster of its own)",
            components,
            engine::counted(clusters, "cluster")
        ),
        "Take fewer components, more clusters, or request total or grouped."};
}

std::optional<ParameterProblem> total_problem(
    const Processors& components, const engine::SystemDescription& system, const std::string& sizes
) {
    const std::uint64_t size =
        std::accumulate(components.begin(), components.end(), std::uint64_t{0});
    if (size <= system.processors()) {
        return std::nullopt;
    }
    return ParameterProblem{
        sizes,
        fmt::format(
            "a request can be of {} processors but the system has {} (the job would never start)",
            size,
            system.processors()
        ),
        "Take smaller sizes or a larger system."};
}

Processors decreasing(Processors values) {
    std::sort(values.begin(), values.end(), std::greater<>());
    return values;
}

/// Component i goes to clusters[i]; `place` says in words where that is.
std::optional<ParameterProblem> pairing_problem(
    const Processors& components,
    const Processors& clusters,
    const std::string& sizes,
    const std::function<std::string(std::size_t)>& place
) {
    for (std::size_t i = 0; i < components.size(); ++i) {
        if (components[i] > clusters[i]) {
            return ParameterProblem{
                sizes,
                fmt::format(
                    "a component can be of {} processors but {} has {} (the job would never start)",
                    components[i],
                    place(i),
                    clusters[i]
                ),
                fmt::format("Take components of at most {}, or larger clusters.", clusters[i])};
        }
    }
    return std::nullopt;
}

std::optional<ParameterProblem> grouped_problem(
    const Processors& components, const Processors& clusters, const std::string& sizes
) {
    Processors free = clusters;
    for (const std::uint32_t component : decreasing(components)) {
        const auto cluster = std::find_if(free.begin(), free.end(), [&](std::uint32_t processors) {
            return processors >= component;
        });
        if (cluster == free.end()) {
            return ParameterProblem{
                sizes,
                fmt::format(
                    "{} components of up to {} processors do not fit the empty system (the job "
                    "would never start)",
                    components.size(),
                    decreasing(components).front()
                ),
                "Take smaller or fewer components, or larger clusters."};
        }
        *cluster -= component;
    }
    return std::nullopt;
}

}  // namespace

const std::vector<std::string>& request_words() {
    static const std::vector<std::string> words{"total", "ordered", "unordered", "grouped"};
    return words;
}

RequestStructure request_structure(const std::string& word) {
    const auto& words = request_words();
    const auto found = std::find(words.begin(), words.end(), word);
    SCHEDFARM_EXPECT(found != words.end(), "no request structure '" + word + "'");
    constexpr std::array structures{
        RequestStructure::total,
        RequestStructure::ordered,
        RequestStructure::unordered,
        RequestStructure::grouped};
    return structures.at(static_cast<std::size_t>(found - words.begin()));
}

std::optional<ParameterProblem> request_problem(
    RequestStructure structure,
    const Processors& components,
    const engine::SystemDescription& system,
    const RequestParameters& names
) {
    const Processors& clusters = system.clusters;
    switch (structure) {
        case RequestStructure::total:
            return total_problem(components, system, names.sizes);
        case RequestStructure::grouped:
            return grouped_problem(components, clusters, names.sizes);
        default:
            break;
    }
    if (components.size() > clusters.size()) {
        return too_many_components(components.size(), clusters.size(), names.count);
    }
    if (structure == RequestStructure::ordered) {
        return pairing_problem(components, clusters, names.sizes, [](std::size_t i) {
            return fmt::format("the cluster of component {}", i + 1);
        });
    }
    return pairing_problem(
        decreasing(components),
        decreasing(clusters),
        names.sizes,
        [](std::size_t i) {
            return i == 0 ? "the largest cluster"
                          : fmt::format("number {} of the clusters by size", i + 1);
        }
    );
}

}  // namespace schedfarm::models
