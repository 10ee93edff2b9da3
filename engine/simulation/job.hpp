// A job: what a workload model says of it, for all experiments of this program. Times are in the
// workload's own unit (seconds for traces, mean service times for queueing models).
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace schedfarm::engine {

/// A job while it is in the system: a dense small number, used again after the job has left, so
/// that policies can keep their own data in arrays.
struct JobId {
    std::uint32_t value = 0;
    friend bool operator==(JobId, JobId) = default;
};

struct ClusterId {
    std::uint32_t value = 0;
    friend bool operator==(ClusterId, ClusterId) = default;
};

/// Number of a processor, 0 … P − 1 over the clusters in order.
struct ProcessorId {
    std::uint32_t value = 0;
    friend bool operator==(ProcessorId, ProcessorId) = default;
};

/// Where the components of a job may go (Bucur & Epema, section 2.2).
enum class RequestStructure : std::uint8_t {
    total,      ///< any processors of any clusters
    ordered,    ///< component i on cluster i
    unordered,  ///< every component on a cluster of its own
    grouped,    ///< components may share a cluster, as many as possible on one
};

/// Processing times of a moldable job: times[k − 1] on k processors.
struct MoldableTimes {
    std::span<const double> times;
};

struct SubmittedRequest;  // engine/simulation/submitted_request.hpp

inline constexpr double no_fixed_start = -std::numeric_limits<double>::infinity();

struct Job {
    std::uint64_t index = 0;  ///< number in submit order, from 0
    double submit_time = 0;
    double service_time = 0;  ///< on the processors requested
    double estimate = 0;      ///< requested run time; equals service_time where the model has none
    std::uint32_t size = 0;   ///< processors over all components
    std::uint32_t job_class = 0;
    std::uint32_t user = 0;
    std::uint16_t origin = 0;  ///< cluster at which it was submitted
    RequestStructure structure = RequestStructure::total;
    std::span<const std::uint32_t> components;  ///< processors of each component, as drawn

    std::uint32_t queue = 0;
    std::int32_t priority = 0;
    double weight = 1;
    double memory_per_processor = 0;
    double fixed_start = no_fixed_start;        ///< advance reservation
    const MoldableTimes* moldable = nullptr;    ///< owned by the model; null for a rigid job
    const SubmittedRequest* request = nullptr;  ///< owned by the model; null where no log says more
};

}  // namespace schedfarm::engine
