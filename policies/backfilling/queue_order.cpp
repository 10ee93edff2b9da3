#include "policies/backfilling/queue_order.hpp"

#include <limits>
#include <string>

namespace schedfarm::policies {

using engine::ParameterDescription;
using engine::Parameters;
using engine::ParameterType;

namespace {

double relative_wait(const OrderedJob& job, double now) {
    return job.request > 0 ? (now - job.submit_time) / job.request
                           : std::numeric_limits<double>::infinity();
}

}  // namespace

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

double queue_key(QueueOrder order, const OrderedJob& job, double now) {
    switch (order) {
        case QueueOrder::fcfs:
            break;
        case QueueOrder::sjf:
            return job.request;
        case QueueOrder::smallest_area:
            return job.request * job.size;
        case QueueOrder::lxf:
            return -relative_wait(job, now);
        case QueueOrder::wfp: {
            const double wait = relative_wait(job, now);
            return -(wait * wait * wait * job.size);
        }
    }
    return 0;
}

}  // namespace schedfarm::policies
