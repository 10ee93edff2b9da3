// A recorded schedule of a real Slurm (tests/slurm/recorded): the site's files, what became of
// every job, and the instants of the passes where they were logged.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "policies/slurm/jobs.hpp"
#include "policies/slurm/settings.hpp"

namespace schedfarm::tests {

struct RecordedJob {
    policies::slurm::WaitingJob job = {};
    std::int64_t start = 0;  ///< where it never started: when it left
    std::int64_t end = 0;
    bool ran = false;
    bool was_preempted = false;
    bool was_released = false;  ///< it was held
    std::uint32_t cpus = 0;     ///< that it held
    policies::slurm::NodeSet nodes = {};
    std::string name;  ///< of its row: JobID
    std::string user = {};
    std::string account = {};
    std::string partition = {};
    std::string quality = {};
};

/// What sprio and sshare said at one instant.
struct Snapshot {
    std::int64_t second = 0;
    std::map<std::uint64_t, double> priorities = {};  ///< by RecordedJob::job.id
    std::map<std::string, double> fair_share = {};    ///< by user
};

/// Nodes that take no jobs.
struct RecordedOutage {
    std::int64_t from = 0;
    std::int64_t until = 0;
    policies::slurm::NodeSet nodes = {};
};

struct Recording {
    policies::slurm::Settings settings = {};
    std::vector<RecordedJob> jobs = {};
    std::vector<std::int64_t> main_passes = {};  ///< seconds in which one began; none: not logged
    std::vector<std::int64_t> backfill_passes = {};  ///< the same
    std::int64_t controller_start = 0;               ///< 0: not logged
    std::vector<Snapshot> snapshots = {};
    std::vector<RecordedOutage> outages = {};

    std::int64_t first_second() const;
    std::int64_t last_start() const;
};

/// Of a folder such as backfill/run1. Throws std::runtime_error with the file where it cannot be
/// read.
Recording read_recording(const std::string& folder);

}  // namespace schedfarm::tests
