// The interface to workload models. A model object is the job sequence of one replication, drawn in
// blocks; it is a pure function of (parameters, context), so two objects built alike give equal
// jobs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/random/stream.hpp"
#include "engine/simulation/experiment.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/system.hpp"

namespace schedfarm::engine {

/// A job that no log has.
inline constexpr std::int32_t no_job_number = -1;

/// The next jobs of a workload, as columns; entry i belongs to job first_index + i.
/// The common columns are always present; the others are empty where a model has nothing to say.
struct JobBlock {
    static constexpr std::size_t capacity = 512;

    std::uint64_t first_index = 0;
    std::size_t count = 0;
    std::size_t component_stride = 1;  ///< components of job i: components[i * stride] …

    std::vector<double> submit_time;   ///< non-decreasing over the replication
    std::vector<double> service_time;  ///< empty when the experiment has no time (bin filling)
    std::vector<std::uint32_t> size;
    std::vector<std::uint32_t> components;  ///< 0 marks an absent component
    RequestStructure structure = RequestStructure::total;

    // Columns that only some models have.
    std::vector<double> estimate;  ///< empty: the service time
    std::vector<std::uint32_t> job_class;
    std::vector<std::uint32_t> user;
    std::vector<std::uint32_t> origin;
    std::vector<std::uint32_t> queue;
    std::vector<std::int32_t> priority;
    std::vector<double> weight;
    std::vector<double> memory_per_processor;
    std::vector<double> fixed_start;
    std::vector<const MoldableTimes*> moldable;
    std::vector<const SubmittedRequest*> request;
    std::vector<std::int32_t> job_number;  ///< of its log; no_job_number: the job is none of a log

    /// Job number first_index + i; the components point into this block.
    Job job(std::size_t i) const;
};

/// What is true of every job of a workload, known before the first is drawn.
struct WorkloadTraits {
    std::size_t max_components = 1;
    std::uint32_t max_size = 0;
    std::uint32_t job_classes = 1;
    std::vector<std::string> class_names = {};  ///< "interactive"; empty: the classes have none
    RequestStructure structure = RequestStructure::total;
    bool has_fixed_starts = false;  ///< some jobs are advance reservations
    double clock = 0;               ///< Unix time at time 0; 0: time is no date
    /// Service times near 0 are so likely that slowdown has no finite mean.
    bool has_infinite_mean_slowdown = false;
    double max_memory_per_processor = 0;  ///< 0: no job says what memory it needs
    std::optional<double> mean_size;
    std::optional<double> mean_service_time;
    std::optional<double> mean_interarrival_time;  ///< open: at the load of the context
};

class DependentWorkload;  // engine/simulation/dependent_workload.hpp

class WorkloadModel {
  public:
    WorkloadModel() = default;
    WorkloadModel(const WorkloadModel&) = delete;
    WorkloadModel& operator=(const WorkloadModel&) = delete;
    virtual ~WorkloadModel() = default;

    virtual const WorkloadTraits& traits() const = 0;

    /// Itself, where jobs of it may arrive when others end; else null.
    virtual const DependentWorkload* dependent() const { return nullptr; }

    /// Fills `block` with the next jobs, at most JobBlock::capacity; count 0: no more jobs.
    virtual void next(JobBlock& block) = 0;
};

/// Draws the jobs that follow those of `block` into it; `block` is empty at the beginning. Throws
/// ContractViolation where there are no more or a job was left out or repeated.
void draw_next(WorkloadModel& workload, JobBlock& block);

/// What a model may depend on beside its own parameters.
struct WorkloadContext {
    SystemDescription system;
    ExperimentKind experiment = ExperimentKind::open;
    std::optional<double> utilization;  ///< offered; absent: the arrival rate is the model's own
    std::uint64_t seed = 0;             ///< of the random numbers
    Generator generator = Generator::philox;
    std::uint32_t replication = 0;
};

/// A quantity that theory gives for a cell, exactly or approximately.
struct KnownValue {
    std::string metric;  ///< as in the observations: "capacity_loss", "response_time.mean"
    std::string label;   ///< "exact" or "approximation", with a qualifier: "approximation eq. (4)"
    double value = 0;
    std::string source;  ///< formula and paper
    bool is_exact = true;
};

/// What a closed form may depend on beside the model's own parameters.
struct TheoryContext {
    SystemDescription system;
    ExperimentKind experiment = ExperimentKind::open;
    std::optional<double> utilization;
    Horizon horizon;                       ///< jobs 0: the stationary system is meant
    bool first_come_first_served = false;  ///< the policy never starts a job before an earlier one
};

/// Settings that a model can run, for tests that loop over the catalogue.
struct WorkloadExample {
    Parameters parameters;  ///< complete
    SystemDescription system;
};

/// Whether a workload has a last job.
enum class JobsEnd : std::uint8_t {
    open_ended,
    drawn,  ///< each replication draws how many there are
    given,  ///< those of a list, or of logs that are not resampled
};

/// What parameters tell of a workload, whatever the files that they name hold. What is made of
/// other workloads passes on what is true of those.
struct WorkloadFacts {
    bool is_in_seconds = false;     ///< else times are in a unit that the parameters mean
    bool has_fixed_starts = false;  ///< some jobs are advance reservations
    bool has_own_arrivals = false;  ///< some jobs come when a list or a log says, at any load
    bool draws = true;              ///< replications differ, even where no log is resampled
    JobsEnd end = JobsEnd::open_ended;
    bool is_log = false;             ///< it is a log as it stands in `logs`
    std::vector<Parameters> logs{};  ///< that it takes jobs from, with complete parameters
};

struct WorkloadModelDescription {
    Alternative alternative;  ///< name, summary, parameters, check, source
    /// That the model can serve.
    std::vector<ExperimentKind> experiments = {ExperimentKind::open, ExperimentKind::offline};
    bool serves(ExperimentKind kind) const {
        return std::find(experiments.begin(), experiments.end(), kind) != experiments.end();
    }
    /// The first of those, in the order of the manual, in which jobs have response times.
    std::optional<ExperimentKind> first_with_response_times() const {
        const auto kinds = experiments_with_response_times();
        const auto found = std::find_if(kinds.begin(), kinds.end(), [this](ExperimentKind kind) {
            return serves(kind);
        });
        return found == kinds.end() ? std::nullopt : std::optional(*found);
    }
    std::function<std::unique_ptr<WorkloadModel>(const Parameters&, const WorkloadContext&)> make;
    /// Problems that only show against the system: a component larger than every cluster.
    std::function<std::vector<ParameterProblem>(const Parameters&, const SystemDescription&)>
        check_system;
    /// Closed forms and exact results for a cell; empty where none is known.
    std::function<std::vector<KnownValue>(const Parameters&, const TheoryContext&)> known_values =
        nullptr;
    /// The exact maximal utilization under FCFS, where it is known.
    std::function<std::optional<KnownValue>(const Parameters&, const TheoryContext&)>
        maximal_utilization = nullptr;
    std::function<WorkloadFacts(const Parameters&)> facts = [](const Parameters&) {
        return WorkloadFacts{};
    };
    /// The parameters with the checksums of the files that they name, so that a file with other
    /// contents makes another workload; null: the model reads no files. Throws what `make` throws.
    std::function<Parameters(const Parameters&)> checksummed = nullptr;
    /// At least one; together they should use every part of the model.
    std::vector<WorkloadExample> examples = {};
    /// What not every version of workloads can change.
    enum class Jobs : std::uint8_t { rigid, moldable, in_components, with_homes };
    Jobs jobs = Jobs::rigid;
    /// Of a version, which changes the jobs of another workload: that may be one of a lower place;
    /// 0: it has jobs of its own.
    int place = 0;
};

}  // namespace schedfarm::engine
