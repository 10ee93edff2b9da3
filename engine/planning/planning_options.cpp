#include "engine/planning/planning_options.hpp"

#include <string>

namespace schedfarm::engine {

ParameterDescription simultaneous_parameter() {
    return {
        .name = "simultaneous",
        .meaning =
            "several events at one instant: batch: all are taken, then the policy looks "
            "once; finish_first, submit_first: it looks after every event, in this order",
        .type = ParameterType::text,
        .default_value = "batch",
        .words = {"batch", "finish_first", "submit_first"}};
}

Simultaneous simultaneous(const Parameters& parameters) {
    const std::string& word = parameters.text("simultaneous");
    if (word == "finish_first") {
        return Simultaneous::finish_first;
    }
    if (word == "finish_by_finish") {
        return Simultaneous::finish_by_finish;
    }
    return word == "submit_first" ? Simultaneous::submit_first : Simultaneous::batch;
}

ParameterDescription run_time_parameter(const char* name, const char* meaning) {
    return {
        .name = name,
        .meaning = meaning,
        .type = ParameterType::text,
        .default_value = "requested",
        .words = {"requested", "actual"}};
}

RunTime run_time(const Parameters& parameters, const char* name) {
    return parameters.text(name) == "actual" ? RunTime::actual : RunTime::requested;
}

}  // namespace schedfarm::engine
