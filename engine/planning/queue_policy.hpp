// A policy that scans one queue of rigid jobs with ageing counters (waiting_queue.hpp), in any
// order of the queue; and its parameters. The policies that differ in the order
// alone are made of this.
//
// At one instant, by default: the processors of completed jobs are free already; arrivals join the
// queue, which is then scanned once. Event by event (planning_options.hpp), each is followed by a
// scan, if it leads to one; jobs whose finish is yet to be taken keep their processors until then.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/planning/placement.hpp"
#include "engine/planning/planning_options.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/system.hpp"

namespace schedfarm::engine {

/// Whether an arrival to a queue that is not empty leads to a scan.
enum class ArrivalScan : std::uint8_t { always, only_if_queue_was_empty };

/// When the keys of the queue are judged: once, as jobs arrive, or of all that wait in each scan.
/// A job that was ahead may then be behind; counters stay with their jobs.
enum class KeyTime : std::uint8_t { arrival, scan };

struct QueueSettings {
    std::int64_t max_jumps = 0;
    PlacementRule placement = PlacementRule::first_fit;
    ArrivalScan arrival_scan = ArrivalScan::always;
    KeyTime key_time = KeyTime::arrival;
    Simultaneous simultaneous = Simultaneous::batch;
};

/// The place of a job in the queue at a time: smaller is nearer to the head, equal keys by arrival.
using QueueKey = std::function<double(const Job&, double now)>;

/// `placement`: first_fit, best_fit, worst_fit or first_fit_decreasing.
ParameterDescription placement_parameter();
/// Whether a policy with these parameters places jobs by such a rule.
bool names_placement(const Parameters& parameters);
PlacementRule placement_rule(const Parameters& parameters);

/// As `max_jumps`, more than any job is overtaken.
inline constexpr std::int64_t any_number_of_jumps = 1'000'000'000;

/// `max_jumps` with that default, `placement`, `scan_on_arrival`; the other settings are those of
/// the order.
std::vector<ParameterDescription> queue_parameters(std::int64_t max_jumps);
QueueSettings queue_settings(const Parameters& parameters);

std::unique_ptr<Policy> make_queue_policy(const QueueSettings& settings, QueueKey key);

}  // namespace schedfarm::engine
