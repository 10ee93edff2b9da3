// The policies that scan a sorted queue differ in the key alone.
#pragma once

#include <functional>
#include <string>

#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/policy.hpp"

namespace schedfarm::policies {

/// The key of a replication's queue; it may depend on the policy's random stream.
using MakeQueueKey = std::function<engine::QueueKey(const engine::PolicyContext&)>;

/// A policy that starts whatever fits in the order of the keys, with ageing counters.
engine::PolicyDescription describe_sorted_queue(
    std::string name, std::string summary, const MakeQueueKey& make_key
);

/// Processors × requested run time.
double area(const engine::Job& job);

}  // namespace schedfarm::policies
