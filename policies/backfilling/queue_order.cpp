#include "policies/backfilling/queue_order.hpp"

#include <string>

namespace schedfarm::policies {

using engine::ParameterDescription;
using engine::Parameters;
using engine::ParameterType;

ParameterDescription queue_order_parameter() {
    return {
        .name = "order",
        .meaning =
            "order of the queue: by arrival, shortest request, largest expansion factor, "
            "smallest area (processors x request) or (wait / request)^3 x processors",
        .type = ParameterType::text,
        .default_value = "fcfs",
        .words = {"fcfs", "sjf", "lxf", "smallest_area", "wfp"}};
}

QueueOrder queue_order(const Parameters& parameters) {
    const std::string& word = parameters.text("order");
    if (word == "sjf") {
        return QueueOrder::sjf;
    }
    if (word == "lxf") {
        return QueueOrder::lxf;
    }
    if (word == "smallest_area") {
        return QueueOrder::smallest_area;
    }
    return word == "wfp" ? QueueOrder::wfp : QueueOrder::fcfs;
}

}  // namespace schedfarm::policies
