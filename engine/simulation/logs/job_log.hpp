// The log of one replication: what became of each job, as columns by job index. Whoever wants it
// puts a JobLog into ProbeSet::job_log; the Recorder fills it from its records, so that the general
// kernel and every specialised simulator give the same log and no number changes. 36 bytes per job.
//
// A log serves any experiment but bin filling, one replication at a time; a further one overwrites
// it. It has horizon.jobs rows; saturated, where later jobs may start first, as many as the records
// need. Rows without a record have start NaN: only a saturated replication has such. After a
// replication that ended early the log is empty.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace schedfarm::engine {

struct JobRecord;  // engine/simulation/measurement/recorder.hpp

struct JobLog {
    std::vector<double> submit;       ///< saturated: NaN, for specialised simulators do not find it
    std::vector<double> start;        ///< the first; NaN: no record
    std::vector<double> finish;       ///< saturated without preemption: when it would finish
    std::vector<double> service;      ///< moldable: on the processors chosen
    std::vector<std::uint32_t> size;  ///< moldable: the processors chosen
    std::vector<std::uint32_t> job_class;  ///< of the workload; empty: all are of class 0
    /// Earliest start that a refused advance reservation could have had, where a policy says so;
    /// else NaN; empty: of none.
    std::vector<double> offered;
    /// Jobs that left while they waited, and would have started sooner; they have no row.
    std::uint64_t left_sooner = 0;

    std::size_t jobs() const { return start.size(); }
    bool has(std::size_t job) const { return !std::isnan(start[job]); }
    std::uint32_t class_of(std::size_t job) const { return job_class.empty() ? 0 : job_class[job]; }
    double offer(std::size_t job) const {
        return offered.empty() ? std::numeric_limits<double>::quiet_NaN() : offered[job];
    }

    /// So many rows, all without a record.
    void begin(std::size_t jobs);
    void add(const JobRecord& record);
    void add_offer(std::size_t job, double earliest_start);

  private:
    void grow(std::size_t jobs);
};

}  // namespace schedfarm::engine
