// Orders of the queue of a backfilling policy, by name. Equal keys by arrival.
//
//   fcfs           arrival
//   sjf            shortest request first
//   smallest_area  least processors × request first
//   lxf            largest expansion factor first, (wait + request) / request (Chiang,
//                  Arpaci-Dusseau & Vernon 2002); changes with time
//   wfp            greatest (wait / request)³ × processors first (Tang, Lan, Desai &
//                  Buettner 2009); changes with time
//
// A job that requests no time comes first under lxf and wfp.
#pragma once

#include <cstdint>
#include <limits>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/job.hpp"

namespace schedfarm::policies {

enum class QueueOrder : std::uint8_t { fcfs, sjf, lxf, smallest_area, wfp };

/// `order`.
engine::ParameterDescription queue_order_parameter();
QueueOrder queue_order(const engine::Parameters& parameters);

/// Whether keys change while jobs wait.
constexpr bool changes_with_time(QueueOrder order) {
    return order == QueueOrder::lxf || order == QueueOrder::wfp;
}

/// What the order needs to know of a job.
struct OrderedJob {
    double submit_time = 0;
    double request = 0;
    std::uint32_t size = 0;
};

inline double relative_wait(const OrderedJob& job, double now) {
    return job.request > 0 ? (now - job.submit_time) / job.request
                           : std::numeric_limits<double>::infinity();
}

/// The place of a job in the queue at `now`: smaller is nearer to the head.
inline double queue_key(QueueOrder order, const OrderedJob& job, double now) {
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
