#include "app/config/sections/analyses/report_reader.hpp"

#include "app/config/schema/section_lists.hpp"
#include "app/config/sections/section_reader.hpp"

namespace schedfarm::app {

std::vector<Section> report_sections() {
    return {
        table_of<JobLogPlan>().section(),
        table_of<ReportLayout>().section(),
        table_of<FigureRequest>().section()};
}

ReportLayout read_report(const Node& campaign, Problems& problems) {
    return read_table_in(campaign, table_of<ReportLayout>(), problems).value_or(ReportLayout{});
}

std::optional<FigureRequest> read_figure(const Node& node, Problems& problems) {
    return read_table(table_of<FigureRequest>(), &node, node.at, problems);
}

JobLogPlan read_job_log(const Node& campaign, Problems& problems) {
    return read_table_in(campaign, table_of<JobLogPlan>(), problems).value_or(JobLogPlan{});
}

}  // namespace schedfarm::app
