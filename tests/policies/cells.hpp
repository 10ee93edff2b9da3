// Small cells for the tests of policies: workloads given job by job, random systems and workloads
// with many ties, and a run of a policy on the general kernel under all verifiers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/simulation/kernel/simulator.hpp"
#include "engine/simulation/measurement/measurement_window.hpp"
#include "engine/simulation/measurement/published_columns.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "policies/catalogue.hpp"
#include "policies/external/code.hpp"

#include "tests/policies/verifiers/plain_verifiers.hpp"
#include "tests/support/dice.hpp"

namespace schedfarm::tests {

using namespace engine;  // NOLINT(google-build-using-namespace)

struct GivenJob {
    double submit_time = 0;
    double service_time = 1;
    std::vector<std::uint32_t> components;
    std::uint32_t job_class = 0;
    std::optional<double> estimate = {};  ///< absent: the service time
    std::uint32_t user = 0;
    std::uint32_t queue = 0;
    std::int32_t priority = 0;
    double fixed_start = no_fixed_start;
    double memory = 0;  ///< per processor
    std::uint32_t origin = 0;
    const SubmittedRequest* request = nullptr;

    std::uint32_t size() const {
        std::uint32_t sum = 0;
        for (const std::uint32_t count : components) {
            sum += count;
        }
        return sum;
    }
};

/// Jobs as listed, in blocks of `block_size`.
class GivenWorkload final : public WorkloadModel {
  public:
    GivenWorkload(std::vector<GivenJob> jobs, RequestStructure structure, std::size_t block_size)
        : jobs_(std::move(jobs)), block_size_(block_size) {
        traits_.structure = structure;
        for (const GivenJob& job : jobs_) {
            traits_.max_components = std::max(traits_.max_components, job.components.size());
            traits_.max_size = std::max(traits_.max_size, job.size());
            traits_.job_classes = std::max(traits_.job_classes, job.job_class + 1);
            traits_.max_memory_per_processor =
                std::max(traits_.max_memory_per_processor, job.memory);
            traits_.has_fixed_starts =
                traits_.has_fixed_starts || job.fixed_start != no_fixed_start;
        }
    }

    const WorkloadTraits& traits() const override { return traits_; }

    void next(JobBlock& block) override {
        block = JobBlock{};
        block.structure = traits_.structure;
        block.component_stride = traits_.max_components;
        block.first_index = next_;
        block.count = std::min(block_size_, jobs_.size() - next_);
        for (std::size_t i = 0; i < block.count; ++i) {
            const GivenJob& job = jobs_[next_++];
            block.submit_time.push_back(job.submit_time);
            block.service_time.push_back(job.service_time);
            block.estimate.push_back(job.estimate.value_or(job.service_time));
            block.size.push_back(job.size());
            block.job_class.push_back(job.job_class);
            block.user.push_back(job.user);
            block.queue.push_back(job.queue);
            block.priority.push_back(job.priority);
            block.fixed_start.push_back(job.fixed_start);
            block.memory_per_processor.push_back(job.memory);
            block.origin.push_back(job.origin);
            block.request.push_back(job.request);
            block.components.insert(
                block.components.end(), job.components.begin(), job.components.end()
            );
            block.components.resize((i + 1) * traits_.max_components, 0);
        }
    }

  private:
    std::vector<GivenJob> jobs_;
    std::size_t block_size_;
    std::size_t next_ = 0;
    WorkloadTraits traits_;
};

struct TestCell {
    SystemDescription system;
    Experiment experiment;
    ProbeSet probes;
    RequestStructure structure = RequestStructure::total;
    std::vector<GivenJob> jobs;
    std::size_t block_size = 3;
    bool has_exact_times = true;  ///< else without second implementations, which know no rounding

    std::unique_ptr<WorkloadModel> workload() const {
        return std::make_unique<GivenWorkload>(jobs, structure, block_size);
    }
    /// Sets the window of time averages if one is needed.
    void complete() {
        if (needs_window(probes, experiment)) {
            experiment.window = measurement_window(*workload(), experiment.horizon);
        }
    }
};

/// Probes that need every instrument.
inline ProbeSet all_probes() {
    ProbeSet probes;
    for (const Alternative& probe : probe_alternatives()) {
        Choice choice{.name = probe.name};
        for (const ParameterDescription& parameter : probe.parameters) {
            if (parameter.name == "quantiles") {
                choice.parameters.set(parameter.name, Value::List{0.5, 0.9});
            } else if (parameter.name == "threshold") {
                choice.parameters.set(parameter.name, 2.0);
            } else {
                choice.parameters.set(parameter.name, true);
            }
        }
        probes.requests.push_back(make_probe_request(choice));
    }
    return probes;
}

inline SystemDescription random_system(Dice& dice) {
    constexpr std::uint32_t most_clusters = 4;
    SystemDescription system;
    const std::uint32_t clusters = 1 + dice.below(most_clusters);
    const std::uint32_t equal = 2 + dice.below(7);
    const bool are_equal = dice.below(2) == 0;
    for (std::uint32_t c = 0; c < clusters; ++c) {
        system.clusters.push_back(are_equal ? equal : 2 + dice.below(7));
    }
    return system;
}

/// A job that fits on the empty system. Times are small integers, so that many events coincide, or
/// fractions; a job in eight has no service.
inline GivenJob random_job(
    Dice& dice, const SystemDescription& system, RequestStructure structure
) {
    std::vector<std::uint32_t> room = system.clusters;
    if (structure != RequestStructure::ordered) {
        std::sort(room.begin(), room.end(), std::greater<>());
    }
    GivenJob job;
    const std::uint32_t used = 1 + dice.below(static_cast<std::uint32_t>(room.size()));
    for (std::uint32_t c = 0; c < used; ++c) {
        const bool is_absent =
            c + 1 < used && structure == RequestStructure::ordered && dice.below(4) == 0;
        job.components.push_back(is_absent ? 0 : 1 + dice.below(room[c]));
    }
    job.service_time = dice.below(8) == 0 ? 0 : 1 + dice.below(6);
    job.job_class = dice.below(3);
    return job;
}

/// A cell of the given kind and structure with up to `most_jobs` jobs; `dice` decides the rest.
/// Queues grow long, for many cells are overloaded.
inline TestCell random_cell(
    Dice& dice, ExperimentKind kind, RequestStructure structure, std::uint32_t most_jobs = 60
) {
    TestCell cell;
    cell.system = random_system(dice);
    cell.structure = structure;
    cell.block_size = 1 + dice.below(40);
    cell.experiment.kind = kind;
    Horizon& horizon = cell.experiment.horizon;
    horizon.jobs = 2 + dice.below(most_jobs);
    const bool has_warm_up = dice.below(2) == 1;
    const std::uint32_t warm_up = dice.below(static_cast<std::uint32_t>(horizon.jobs));
    horizon.warm_up_jobs = has_warm_up ? warm_up : 0;
    horizon.backlog = 1 + dice.below(8);
    dice.below(50);  // keeps the cells that are known
    const std::uint32_t spread = 1 + dice.below(6);
    const bool has_fractions = dice.below(3) == 0;
    double submit = dice.below(3);
    for (std::uint64_t i = 0; i < 3 * horizon.jobs + 100; ++i) {
        GivenJob job = random_job(dice, cell.system, structure);
        submit += dice.below(spread);
        if (has_fractions) {
            submit += dice.below(1000) / 997.0;
            job.service_time *= 0.1 + dice.below(1000) / 1009.0;
        }
        job.submit_time = submit;
        cell.jobs.push_back(std::move(job));
    }
    cell.probes = all_probes();
    cell.complete();
    return cell;
}

/// First come, first served as a program of the user's own. A request by cluster it starts on an
/// empty machine alone, on which all of them fit.
inline constexpr const char* first_come_program = R"(
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if "interface" in told:
        queue, clusters, held = [], told["clusters"], {}
        idle = list(range(sum(clusters))) if told["processors"] == "named" else None
        print('{"interface": 1}', flush=True)
        continue
    left = set(told.get("withdrawn", []))
    for job in told.get("finished", []):
        if idle is not None:
            idle = sorted(idle + held.pop(job))
    queue = [job for job in queue if job["job"] not in left] + told.get("arrived", [])
    free, start = sum(told["free"]), []
    while queue:
        job = queue[0]
        is_total = "request" not in job
        if job["processors"] > free or not (is_total or (told["free"] == clusters and not start)):
            break
        free -= job["processors"]
        start.append(queue.pop(0)["job"])
        if idle is not None:
            held[start[-1]], idle = idle[:job["processors"]], idle[job["processors"]:]
            start[-1] = {"job": start[-1], "processors": [[one, 1] for one in held[start[-1]]]}
    print(json.dumps({"start": start}), flush=True)
)";

/// Those of the catalogue; that which is a program is one.
inline const std::vector<PolicyDescription>& policies_under_test() {
    static const auto all = [] {
        policies::allow_external_code();
        std::vector<PolicyDescription> described = policies::catalogue();
        std::erase_if(described, [](const PolicyDescription& policy) {
            return policy.alternative.name == "plugin";  // tests/app/cli/policies/plugin_test.py
        });
        for (PolicyDescription& policy : described) {
            for (ParameterDescription& row : policy.alternative.parameters) {
                if (row.name == "command") {
                    row.default_value = Value::List{"/usr/bin/python3", "-c", first_come_program};
                }
            }
        }
        return described;
    }();
    return all;
}

inline const PolicyDescription& policy_named(std::string_view name) {
    const auto& all = policies_under_test();
    return *std::find_if(all.begin(), all.end(), [name](const PolicyDescription& policy) {
        return policy.alternative.name == name;
    });
}

/// Whether a policy can serve a cell at all: preemptive ones give processors by name for a slice of
/// time, so that jobs must have no place of their own, and the machine must not change; and any may
/// refuse the system, or requests by cluster.
inline bool serves(const PolicyDescription& policy, const TestCell& cell) {
    const Parameters parameters = with_defaults(policy.alternative.parameters);
    WorkloadTraits workload;
    workload.structure = cell.structure;
    for (const GivenJob& job : cell.jobs) {
        workload.max_memory_per_processor = std::max(workload.max_memory_per_processor, job.memory);
    }
    const bool is_refused =
        (policy.check_system && !policy.check_system(parameters, cell.system).empty())
        || (policy.check_workload
            && !policy.check_workload(parameters, cell.system, workload).empty());
    return !is_refused
           && (!policy.traits(parameters).preemptive
               || (cell.structure == RequestStructure::total && cell.system.outages.empty()));
}

/// A policy with its parameters.
struct PolicyUnderTest {
    const PolicyDescription* description;
    Parameters parameters;

    PolicyUnderTest(const PolicyDescription& policy, const Parameters& given)
        : description(&policy), parameters(with_defaults(policy.alternative.parameters, given)) {}
};

/// Runs on the general kernel; verifiers check the machine, what the policy promises and, by second
/// implementations, what it decides; `extra` just listens.
/// The policy draws as in that replication; the jobs are those of the cell.
inline Observations run_general(
    const PolicyUnderTest& policy,
    const TestCell& cell,
    ScheduleVerifier* extra = nullptr,
    std::uint32_t replication = 0
) {
    const auto workload = cell.workload();
    SimulationSetup setup{
        .system = cell.system,
        .experiment = cell.experiment,
        .probes = cell.probes,
        .policy_traits = policy.description->traits(policy.parameters)};
    setup.published =
        published_columns(*policy.description, policy.parameters, cell.system, workload->traits());
    setup.outages = Stream(1, Purpose::outages, replication);
    const PolicyContext context{
        cell.system, Stream(1, Purpose::policy, replication), workload->traits().has_fixed_starts};
    std::vector<std::unique_ptr<ScheduleVerifier>> owned;
    owned.push_back(make_machine_verifier(cell.system));
    owned.push_back(make_own_verifier(*policy.description, policy.parameters, context));
    if (cell.has_exact_times) {
        owned.push_back(make_plain_verifier(*policy.description, policy.parameters, context));
    }
    std::erase(owned, nullptr);
    std::vector<ScheduleVerifier*> verifiers;
    verifiers.reserve(owned.size() + 1);
    for (const auto& verifier : owned) {
        verifiers.push_back(verifier.get());
    }
    if (extra != nullptr) {
        verifiers.push_back(extra);
    }
    const auto scheduler = policy.description->make(policy.parameters, context);
    return simulate(setup, *workload, *scheduler, verifiers);
}

/// What the specialised simulator of the policy gives; nothing where none applies.
inline std::optional<Observations> run_specialised(
    const PolicyUnderTest& policy, const TestCell& cell
) {
    if (!policy.description->specialised_simulator) {
        return std::nullopt;
    }
    const SimulationSetup setup{
        .system = cell.system,
        .experiment = cell.experiment,
        .probes = cell.probes,
        .policy_traits = policy.description->traits(policy.parameters)};
    return policy.description->specialised_simulator(policy.parameters, setup, *cell.workload());
}

}  // namespace schedfarm::tests
