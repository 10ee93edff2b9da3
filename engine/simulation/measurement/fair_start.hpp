// When each job of a log would have started, had it been treated fairly: the hybrid reference of
// Sabin & Sadayappan (Unfairness metrics for space-sharing parallel job schedulers, JSSPP 2005) and
// Leung, Sabin & Sadayappan (Parallel job scheduling policies to improve fairness: a case study,
// ICPP Workshops 2010). At the submission of a job, the jobs that run keep their processors until
// they really finish, and those that wait are put behind them in the order of their submission,
// with their real run times: each starts when enough processors are free for it and for all before
// it. Where the job comes to lie is its fair start. It depends on the state that the policy has
// brought about, but on nothing that the policy does later. A pure function of the log.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/simulation/logs/job_log.hpp"

namespace schedfarm::engine {

/// The fair start of every job. Processors count, whichever they are; a job that pauses holds its
/// own until it finishes. Of the jobs of one instant, those submitted before count as waiting.
/// REQUIRES: every job has a record, submit times do not decrease, no job is larger than the
/// machine.
/// Cost: O(log running) per job while jobs start in the order of their submission; behind a queue
/// in which they do not, O((waiting + running) log (waiting + running)). 40 bytes per job. On
/// the log CTC SP2 under backfilling, 1.5 us per job; longer queues take longer in proportion.
std::vector<double> fair_starts(const JobLog& log, std::uint32_t processors);

}  // namespace schedfarm::engine
