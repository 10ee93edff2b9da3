#include "app/report/sections/sections.hpp"

#include <fmt/format.h>

#include "app/report/report.hpp"
#include "app/report/result_view.hpp"

namespace schedfarm::app {

std::vector<TextTable> report_sections(const results_schema::ResultFile& results) {
    std::vector<TextTable> all;
    for (auto* section :
         {failure_sections,
          quantity_sections,
          claim_sections,
          comparison_sections,
          selection_sections,
          unmet_sections,
          stability_sections,
          search_sections,
          backlog_sections,
          class_sections,
          cluster_sections,
          user_sections,
          quantile_sections,
          slowdown_sections,
          controlled_sections,
          warm_up_sections}) {
        for (TextTable& table : section(results)) {
            all.push_back(std::move(table));
        }
    }
    return all;
}

TextTable report_warnings(const results_schema::ResultFile& results) {
    TextTable all = text_table("Warnings", {"<section", "<cell", "~warning"}, 2);
    const auto add = [&all](const TextTable& table) {
        for (const auto& row : table.rows) {
            if (table.rows_are_warnings) {
                all.rows.push_back(
                    {table.title,
                     row.front(),
                     fmt::format("{}", fmt::join(row.begin() + 1, row.end(), ", "))}
                );
            }
        }
        for (const std::string& warning : table.warnings) {
            all.rows.push_back({table.title, "", warning});
        }
    };
    add(layout(make_report(results), ReportFormat::text));
    for (const TextTable& section : report_sections(results)) {
        add(section);
    }
    return all;
}

std::string sections_text(
    const results_schema::ResultFile& results, ReportFormat format, std::size_t width
) {
    std::string text;
    if (format != ReportFormat::csv) {
        for (TextTable& section : report_sections(results)) {
            section.label = text_attribute(results, "campaign_name") + " " + section.title;
            text += "\n" + render(section, format, width);
        }
    }
    return text;
}

}  // namespace schedfarm::app
