#include <fmt/format.h>

#include "app/simulate/simulation_text.hpp"

namespace schedfarm::app {

namespace {

std::string ranges_text(const std::vector<engine::ProcessorRange>& ranges) {
    std::string text;
    for (const engine::ProcessorRange& range : ranges) {
        const std::uint32_t first = range.first.value;
        text += text.empty() ? "" : " ";
        text += range.count == 1 ? fmt::format("{}", first)
                                 : fmt::format("{}-{}", first, first + range.count - 1);
    }
    return text;
}

}  // namespace

std::string segments_csv(
    const Simulation& simulation, const std::vector<engine::RunSegment>& segments
) {
    std::string text = "job,submit,start,finish,processors,ranges\n";
    for (const engine::RunSegment& segment : segments) {
        text += fmt::format(
            "{},{},{},{},{},{}\n",
            simulation.source.number(segment.job),
            simulation.log.submit[segment.job],
            segment.begin,
            segment.end,
            segment.size,
            ranges_text(segment.processors)
        );
    }
    return text;
}

}  // namespace schedfarm::app
