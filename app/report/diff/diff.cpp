#include "app/report/diff/diff.hpp"

#include "engine/foundation/expect.hpp"

namespace schedfarm::app {

DiffReport diff(const DiffSide& a, const DiffSide& b, const DiffSettings& settings) {
    SCHEDFARM_EXPECT(
        settings.confidence > 0 && settings.confidence < 1, "a confidence lies between 0 and 1"
    );
    switch (settings.mode) {
        case DiffMode::bitwise:
            break;
        case DiffMode::overlap:
            return diff_overlap(a, b, settings);
        case DiffMode::paired:
            return diff_paired(a, b, settings);
    }
    return diff_bitwise(a, b);
}

std::string diff_text(const DiffReport& report, std::size_t width) {
    std::string text;
    for (const std::string& paragraph : report.lines) {
        for (const std::string& line : wrapped(paragraph, width)) {
            text += line + "\n";
        }
    }
    for (const TextTable& table : report.tables) {
        text += "\n" + render(table, ReportFormat::text, width);
    }
    return text;
}

}  // namespace schedfarm::app
