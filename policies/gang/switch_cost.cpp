#include "policies/gang/switch_cost.hpp"

#include <string>

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

constexpr double kb_per_mb = 1000;

std::vector<ParameterDescription> model_parameters() {
    return {
        {.name = "switch_cost_s",
         .meaning = "time of a switch, in which nothing works",
         .unit = "s",
         .default_value = 1.0,
         .range = {.low = 0}},
        {.name = "switch_model",
         .meaning = "fixed: a switch takes switch_cost_s; paging: as long as a processor loads its "
                    "job's working set; block_paging: the same without what is prefetched",
         .type = ParameterType::text,
         .default_value = "fixed",
         .words = {"fixed", "paging", "block_paging"}},
        {.name = "working_set_mb",
         .meaning = "working set of a job on each processor; paging only",
         .unit = "MB of 1000 KB",
         .default_value = 64.0,
         .range = {.low = 0}},
        {.name = "page_kb",
         .meaning = "size of a page; paging only",
         .unit = "KB",
         .default_value = 4.0,
         .range = {.low = 0, .low_is_open = true}},
        {.name = "pages_per_s",
         .meaning = "pages that a processor loads in a second; paging only",
         .unit = "1/s",
         .default_value = 1000.0,
         .range = {.low = 0, .low_is_open = true}},
        {.name = "prefetched_fraction",
         .meaning = "of the working set, loaded while the job works already; 1 - 1/b where blocks "
                    "have b pages; block_paging only",
         .default_value = 0.9,
         .range = {.low = 0, .high = 1}}};
}

double seconds(const Parameters& given) {
    const std::string& model = given.text("switch_model");
    if (model == "fixed") {
        return given.real("switch_cost_s");
    }
    const double pages = given.real("working_set_mb") * kb_per_mb / given.real("page_kb");
    const double all = pages / given.real("pages_per_s");
    return model == "paging" ? all : all * (1 - given.real("prefetched_fraction"));
}

}  // namespace

std::vector<ParameterDescription> switch_cost_parameters() {
    std::vector<ParameterDescription> table = model_parameters();
    table.push_back(
        {.name = "switch_paid",
         .meaning = "which time slices begin with a switch. every_slice; row_change: not those "
                    "that follow one of their own row",
         .type = ParameterType::text,
         .default_value = "every_slice",
         .words = {"every_slice", "row_change"}}
    );
    table.push_back(
        {.name = "switch_place",
         .meaning = "inside: a switch is the first part of its time slice; outside: the time slice "
                    "is longer by it",
         .type = ParameterType::text,
         .default_value = "inside",
         .words = {"inside", "outside"}}
    );
    return table;
}

SwitchCost switch_cost(const Parameters& given) {
    return {
        .seconds = seconds(given),
        .paid = given.text("switch_paid") == "every_slice" ? SwitchPaid::every_slice
                                                           : SwitchPaid::row_change,
        .place =
            given.text("switch_place") == "inside" ? SwitchPlace::inside : SwitchPlace::outside};
}

SliceTimes SliceClock::begin(double now, std::uint32_t row_class, double quantum_s) {
    const bool is_free = cost_.paid == SwitchPaid::row_change && row_ == row_class;
    row_ = row_class;
    const double works_from = is_free ? now : now + cost_.seconds;
    const double begin = cost_.place == SwitchPlace::inside ? now : works_from;
    return {.works_from = works_from, .end = begin + quantum_s};
}

}  // namespace schedfarm::policies
