#include "app/report/sections/sections.hpp"

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
