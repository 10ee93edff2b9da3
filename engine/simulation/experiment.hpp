// What one replication simulates, and for how long.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace schedfarm::engine {

struct ExperimentFacts;  // engine/simulation/experiment_facts.hpp

/// A kind of experiment: how it is called, how its jobs come, and, through its facts, what it
/// observes and how it drives the kernel. There are five, told apart by identity.
class ExperimentKind {
  public:
    static const ExperimentKind bin_filling;
    static const ExperimentKind open;
    static const ExperimentKind saturated;
    static const ExperimentKind trace;
    static const ExperimentKind offline;

    /// Of campaigns: "open".
    const char* name() const;
    /// One sentence.
    const char* summary() const;

    bool has_time() const;            ///< jobs run; else they are only placed
    bool has_arrivals() const;        ///< jobs come at their submit times
    bool is_open() const;             ///< jobs keep coming, at the load that is given
    bool keeps_backlog() const;       ///< a constant number of jobs waits
    bool starts_with_all() const;     ///< all jobs are there at time 0
    bool has_response_times() const;  ///< jobs come and complete
    const ExperimentFacts& facts() const { return *facts_; }

    friend constexpr bool operator==(ExperimentKind, ExperimentKind) = default;

  private:
    explicit constexpr ExperimentKind(const ExperimentFacts& facts) : facts_(&facts) {}

    const ExperimentFacts* facts_;
};

extern const ExperimentFacts bin_filling_facts;
extern const ExperimentFacts open_facts;
extern const ExperimentFacts saturated_facts;
extern const ExperimentFacts trace_facts;
extern const ExperimentFacts offline_facts;
inline constexpr ExperimentKind ExperimentKind::bin_filling{bin_filling_facts};
inline constexpr ExperimentKind ExperimentKind::open{open_facts};
inline constexpr ExperimentKind ExperimentKind::saturated{saturated_facts};
inline constexpr ExperimentKind ExperimentKind::trace{trace_facts};
inline constexpr ExperimentKind ExperimentKind::offline{offline_facts};

/// All of them, in the order of the manual.
std::span<const ExperimentKind> experiment_kinds();
std::vector<ExperimentKind> experiments_with_response_times();

/// Counts only, never clocks, so that a replication is a pure function of its seed.
struct Horizon {
    /// open, trace, offline: jobs counted, all of which run to completion; the workload must have
    /// as many (open: more may come, run_end.hpp). saturated: jobs started. bin_filling: unused.
    std::uint64_t jobs = 0;
    /// Jobs 0 … warm_up_jobs − 1 (by index; saturated: by order of start) are not measured.
    std::uint64_t warm_up_jobs = 0;
    /// saturated: waiting jobs at every instant.
    std::uint64_t backlog = 0;
    /// bin_filling: fills per replication.
    std::uint64_t fills = 0;
    /// open: jobs 0 … start_backlog − 1 are submitted at time 0, the others as many units of time
    /// earlier as job start_backlog − 1 would have come: a start from the saturated state. The
    /// workload is rewritten so (BackloggedWorkload); simulators need not know.
    std::uint64_t start_backlog = 0;
    /// open, trace: a replication ends at the first instant after which more than this many jobs
    /// have been submitted but not started; 0: no limit. Looked at when time is about to move on.
    std::uint64_t queue_limit = 0;
};

/// The number of waiting jobs that no open replication passes; without a limit the largest number.
constexpr std::uint64_t most_waiting(const Horizon& horizon) {
    return horizon.queue_limit > 0 ? horizon.queue_limit
                                   : std::numeric_limits<std::uint64_t>::max();
}

/// The instants between which time averages are taken: submission of the first measured job and of
/// the last counted job. Uncounted jobs come no earlier than it ends.
struct MeasurementWindow {
    double begin = 0;
    double end = 0;
};

struct Experiment {
    ExperimentKind kind = ExperimentKind::open;
    Horizon horizon = {};
    /// open, trace: needed when a time average is asked for (needs_window(), measurement_window()
    /// in engine/simulation/measurement/measurement_window.hpp), because it must be known before
    /// the first job.
    std::optional<MeasurementWindow> window = {};
    /// open, trace: the mean response time of this many equal parts of the jobs, by job index and
    /// from the first job on, ends in Observations::series (part b of n holds the jobs b·jobs/n …
    /// (b + 1)·jobs/n − 1, rounded down; an empty part is NaN); 0: none.
    std::uint32_t series_bins = 0;
};

/// Whether it begins with waiting jobs and others come.
inline bool starts_with_backlog(const Experiment& experiment) {
    return experiment.kind.is_open() && experiment.horizon.start_backlog > 0;
}

}  // namespace schedfarm::engine
