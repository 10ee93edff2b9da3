// The policies that scan a sorted queue differ in the key alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/policy.hpp"

namespace schedfarm::policies {

/// The key of a replication's queue; it may depend on the policy's random stream.
using MakeQueueKey = std::function<
    engine::QueueKey(const engine::Parameters& parameters, const engine::PolicyContext& context)>;

/// A policy that starts whatever fits in the order of the keys, with ageing counters; `max_jumps`
/// is the default.
engine::PolicyDescription describe_sorted_queue(
    std::string name, std::string summary, const MakeQueueKey& make_key, std::int64_t max_jumps
);

/// The key of a job that is taken to run for `run_time`.
using RunTimeKey = double (*)(const engine::Job& job, double run_time, double now);

/// The same, plain unless max_jumps is set, with a key that depends on run times, and the parameter
/// `run_time`: the requested ones (those of a workload without estimates are the actual ones) or
/// always the actual ones.
engine::PolicyDescription describe_run_time_queue(
    std::string name,
    std::string summary,
    RunTimeKey key,
    engine::KeyTime key_time = engine::KeyTime::arrival
);

}  // namespace schedfarm::policies
