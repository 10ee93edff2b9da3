// Wrong values: exact messages with the position of the value.
#include <doctest/doctest.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

TEST_CASE("a campaign without its required keys names each of them") {
    CHECK(
        errors_of({{1, ""}})
        == "a.yaml:2:1: 'campaign_format' is missing (version of this format). Add 'campaign_format: "
           "1'?"
    );
    CHECK(
        errors_of({{2, ""}})
        == "a.yaml:1:1: 'name' is missing (name of the campaign). Add 'name: …'?"
    );
    CHECK(
        errors_of({{3, ""}})
        == "a.yaml:1:1: 'seed' is missing (seed of all random numbers, unless it is a factor). Add 'seed: 1'?"
    );
    CHECK(
        errors_of({{4, ""}})
        == "a.yaml:1:1: 'experiment' is missing (what a replication simulates). Add 'experiment: open'?"
    );
    CHECK(
        errors_of({{5, ""}})
        == "a.yaml:1:1: 'system' is missing (the simulated machine). Add 'system: {clusters: "
           "[32]}'?"
    );
    CHECK(errors_of({{6, ""}}) ==
"a.yaml:1:1: 'workload' is missing (the workload model and its parameters). Add 'workload: {model: …}'?");
    CHECK(
        errors_of({{7, ""}})
        == "a.yaml:1:1: 'policy' is missing (the scheduling policy). Add 'policy: …'?"
    );
    CHECK(
        errors_of({{8, ""}})
        == "a.yaml:1:1: 'load' is missing (the offered load). Add 'load: {utilization: 0.7}'?"
    );
    CHECK(errors_of({{9, ""}}) ==
"a.yaml:1:1: neither 'replications' nor 'precision' is given (a cell would never be finished). Add 'replications: 100'?");
}

TEST_CASE("another format is refused") {
    CHECK(errors_of({{1, "campaign_format: 2"}}) ==
"a.yaml:1:18: campaign_format '2' is not known (this program reads format 1). Write 'campaign_format: 1'?");
    CHECK(
        errors_of({{1, "campaign_format: [1]"}})
        == "a.yaml:1:18: 'campaign_format' must be an integer, not a list"
    );
}

TEST_CASE("a seed is a positive integer") {
    CHECK(errors_of({{3, "seed: 0"}}) == "a.yaml:3:7: 'seed' is 0 (it must be >= 1)");
    CHECK(errors_of({{3, "seed: -4"}}) == "a.yaml:3:7: 'seed' is -4 (it must be >= 1)");
    CHECK(errors_of({{3, "seed: abc"}}) == "a.yaml:3:7: 'seed' must be an integer, not 'abc'");
    CHECK(
        errors_of({{3, "seed: \"5\""}})
        == "a.yaml:3:7: 'seed' must be an integer, not '5'. Remove the quotes?"
    );
    CHECK(
        errors_of({{3, "seed: 1e30"}})
        == "a.yaml:3:7: 'seed' is 1e30 (it must be >= 1 and <= 9223372036854774784)"
    );
    CHECK(errors_of({{3, "seed:"}}) == "a.yaml:3:1: 'seed' must be an integer, not nothing");
}

TEST_CASE("an unknown key names the nearest known one") {
    CHECK(errors_of({{7, "polcy: fcfs"}}) ==
"a.yaml:7:1: unknown key 'polcy' in the campaign (it would be ignored). Did you mean 'policy'?");
    CHECK(errors_of({{5, "system: {clusters: [32], memory: 3}"}}) ==
"a.yaml:5:26: unknown key 'memory' in 'system' (it would be ignored). Did you mean 'memory_per_processor'?");
    CHECK(errors_of({{8, "load: {utilisation: 0.5}"}}) ==
"a.yaml:8:8: unknown key 'utilisation' in 'load' (it would be ignored). Did you mean 'utilization'?");
    CHECK(errors_of({{10, "horizon: {fils: 5}"}}) ==
"a.yaml:10:11: unknown key 'fils' in 'horizon' (it would be ignored). Did you mean 'fills'?");
    CHECK(errors_of({{6, "workload: {modl: coallocation}"}}) ==
"a.yaml:6:12: unknown key 'modl' in 'workload' (it would be ignored). Did you mean 'model'?");
    CHECK(errors_of({{10, "<<: {a: b}"}}) ==
"a.yaml:10:1: unknown key '<<' in the campaign (it would be ignored). Known: campaign_format, name, description, time_unit, seed, include, inputs, experiment, system, workload, policy, load, horizon, random_numbers, pilot, replications, precision, probes, allow_unstable, certificate, factors, derived, overrides, comparison, selection, control_variates, reference, claims, job_log, report");
}

TEST_CASE("an unknown word names the nearest known one") {
    CHECK(
        errors_of({{4, "experiment: opn"}})
        == "a.yaml:4:13: 'opn' is not a value of 'experiment'. Did you mean 'open'?"
    );
    CHECK(
        errors_of({{7, "policy: fcsf"}})
        == "a.yaml:7:9: unknown policy 'fcsf'. Did you mean 'fcfs'?"
    );
    CHECK(
        errors_of({{6, "workload: {model: coalocation}"}})
        == "a.yaml:6:19: unknown workload model 'coalocation'. Did you mean 'coallocation'?"
    );
    CHECK(
        errors_of(
            {{6,
              "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}, "
              "request: totl}"}}
        )
        == "a.yaml:6:92: 'totl' is not a value of 'workload.request'. Did you mean 'total'?"
    );
    CHECK(
        errors_of({{10, "probes: [response_tme]"}})
        == "a.yaml:10:10: unknown probe 'response_tme'. Did you mean 'response_time'?"
    );
    CHECK(errors_of({{9, "replications: {count: 10, interval: students_t}"}}) ==
"a.yaml:9:37: 'students_t' is not a value of 'replications.interval'. Did you mean 'student_t'?");
}

TEST_CASE("a system has clusters with processors") {
    CHECK(
        errors_of({{5, "system: {clusters: 32}"}})
        == "a.yaml:5:20: 'system.clusters' must be a list of integers, not '32'. Write [32]?"
    );
    CHECK(
        errors_of({{5, "system: {clusters: []}"}})
        == "a.yaml:5:20: 0 clusters (a system has 1 to 1000). Write [32]?"
    );
    CHECK(
        errors_of({{5, "system: {clusters: [8, 0]}"}})
        == "a.yaml:5:24: 'system.clusters' is 0 (it must be >= 1)"
    );
    CHECK(
        errors_of({{5, "system: {clusters: [8.5]}"}})
        == "a.yaml:5:21: 'system.clusters' must be an integer, not '8.5'"
    );
    CHECK(
        errors_of({{5, "system: {clusters: [99999999]}"}})
        == "a.yaml:5:21: 'system.clusters' is 99999999 (it must be >= 1 and <= 1000000)"
    );
    CHECK(errors_of({{5, "system: [32]"}}) ==
"a.yaml:5:9: 'system' must be a mapping, not a list. Known keys: clusters, memory_per_processor, slurm, outages");
    CHECK(
        errors_of({{5, "system: {clusters: [8], memory_per_processor: -1}"}})
        == "a.yaml:5:47: 'system.memory_per_processor' is -1 (it must be >= 0)"
    );
}

TEST_CASE("parameters of a distribution are checked where they are written") {
    CHECK(errors_of({{6, "workload: {model: coallocation, components: 1, component_size: {uniform: [5, 4]}}"}}) ==
"a.yaml:6:75: 'workload.component_size.uniform': low = 5 is above high = 4 (no size lies between them). Exchange them.");
    CHECK(errors_of({{6, "workload: {model: coallocation, components: 1, component_size: {uniform: {low: 5, high: 4}}}"}}) ==
"a.yaml:6:80: 'workload.component_size.uniform': low = 5 is above high = 4 (no size lies between them). Exchange them.");
    CHECK(
        errors_of(
            {{6,
              "workload: {model: coallocation, components: 1, component_size: {unifrm: [1, 4]}}"}}
        )
        == "a.yaml:6:65: unknown component_size 'unifrm'. Did you mean 'uniform'?"
    );
    CHECK(errors_of({{6, "workload: {model: coallocation, components: 1, component_size: uniform}"}}) ==
"a.yaml:6:64: 'workload.component_size.uniform.low' is missing (smallest size). Write {uniform: {low: …, high: …}}?\n"
"a.yaml:6:64: 'workload.component_size.uniform.high' is missing (largest size). Write {uniform: {low: …, high: …}}?");
    CHECK(errors_of({{6, "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 2, 3]}}"}}) ==
"a.yaml:6:81: 'workload.component_size.uniform' has 3 values but 'uniform' has only 2 parameters. Parameters in order: low, high");
    CHECK(errors_of({{6, "workload: {model: coallocation, components: 1, component_size: {uniform: {low: 1, hihg: 3}}}"}}) ==
"a.yaml:6:83: unknown key 'hihg' in 'workload.component_size.uniform' (it would be ignored). Did you mean 'high'?");
}

TEST_CASE("numbers are finite") {
    CHECK(
        errors_of(
            {{6,
              "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}, "
              "service: {exponential: {mean: .nan}}}"}}
        )
        == "a.yaml:6:113: 'workload.service.exponential.mean' must be a finite number, not '.nan'"
    );
    CHECK(
        errors_of(
            {{6,
              "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}, "
              "service: {exponential: .inf}}"}}
        )
        == "a.yaml:6:106: 'workload.service.exponential.mean' is .inf (it must be > 0 and <= "
           "1000000000000000)"
    );
    CHECK(
        errors_of(
            {{6,
              "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}, "
              "service: {exponential: inf}}"}}
        )
        == "a.yaml:6:106: 'workload.service.exponential.mean' is inf (it must be > 0 and <= "
           "1000000000000000)"
    );
    CHECK(
        errors_of(
            {{6,
              "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}, "
              "service: {exponential: 1e999}}"}}
        )
        == "a.yaml:6:106: 'workload.service.exponential.mean' is 1e999 (it must be > 0 and <= "
           "1000000000000000)"
    );
    CHECK(
        errors_of({{8, "load: {utilization: nan}"}})
        == "a.yaml:8:21: 'load.utilization' must be a finite number, not 'nan'"
    );
}

TEST_CASE("a policy is one name with its parameters") {
    CHECK(errors_of({{7, "policy: {fpfs: {max_jump: 7}}"}}) ==
"a.yaml:7:17: unknown key 'max_jump' in 'policy.fpfs' (it would be ignored). Did you mean 'max_jumps'?");
    CHECK(
        errors_of({{7, "policy: {fpfs: {max_jumps: -1}}"}})
        == "a.yaml:7:28: 'policy.fpfs.max_jumps' is -1 (it must be >= 0)"
    );
    CHECK(errors_of({{7, "policy: [fcfs]"}}) ==
"a.yaml:7:9: 'policy' must be one policy with its parameters, not a list. Write 'name' or '{name: {parameter: value}}'?");
    CHECK(errors_of({{7, "policy: {fcfs: {}, fpfs: {}}"}}) ==
"a.yaml:7:9: 'policy' must be one policy with its parameters, not 2 keys. Write 'name' or '{name: {parameter: value}}'?");
    CHECK(errors_of({{7, "policy:"}}) ==
"a.yaml:7:1: 'policy' must be one policy with its parameters, not nothing. Write 'name' or '{name: {parameter: value}}'?");
    CHECK(
        errors_of({{7, "policy: {fpfs: {max_jumps: [1]}}"}})
        == "a.yaml:7:28: 'policy.fpfs.max_jumps' must be an integer, not a list"
    );
}

TEST_CASE("a utilization lies between 0 and 1") {
    CHECK(
        errors_of({{8, "load: {utilization: 1}"}})
        == "a.yaml:8:21: 'load.utilization' is 1 (it must be > 0 and < 1)"
    );
    CHECK(
        errors_of({{8, "load: {utilization: 0}"}})
        == "a.yaml:8:21: 'load.utilization' is 0 (it must be > 0 and < 1)"
    );
    CHECK(
        errors_of({{8, "load: {utilization: 1.5}"}})
        == "a.yaml:8:21: 'load.utilization' is 1.5 (it must be > 0 and < 1)"
    );
    CHECK(
        errors_of({{8, "load: 0.5"}})
        == "a.yaml:8:7: 'load' must be a mapping, not '0.5'. Known keys: utilization, search"
    );
}

TEST_CASE("a horizon is long enough for its warm-up") {
    CHECK(errors_of({{10, "horizon: {jobs: 100, warm_up: {jobs: 100}}"}}) ==
"a.yaml:10:31: a warm-up of 100 of 100 jobs (none would be measured). Make 'horizon.jobs' larger or the warm-up shorter?");
    CHECK(
        errors_of({{10, "horizon: {jobs: 100, warm_up: {fraction: 1}}"}})
        == "a.yaml:10:42: 'horizon.warm_up.fraction' is 1 (it must be >= 0 and < 1)"
    );
    CHECK(errors_of({{10, "horizon: {jobs: 1, warm_up: {fraction: 0.6}}"}}) ==
"a.yaml:10:29: a warm-up of 1 of 1 jobs (none would be measured). Make 'horizon.jobs' larger or the warm-up shorter?");
    CHECK(
        errors_of({{10, "horizon: {backlog: 0}"}})
        == "a.yaml:10:20: 'horizon.backlog' is 0 (it must be >= 1)"
    );
    CHECK(
        errors_of({{10, "horizon: {fills: 0}"}})
        == "a.yaml:10:18: 'horizon.fills' is 0 (it must be >= 1)"
    );
    CHECK(
        errors_of({{10, "horizon: {jobs: 1.5}"}})
        == "a.yaml:10:17: 'horizon.jobs' must be an integer, not '1.5'"
    );
    CHECK(
        errors_of({{10, "horizon: {jobs: 0}"}})
        == "a.yaml:10:17: 'horizon.jobs' is 0 (it must be >= 1)"
    );
    CHECK(errors_of({{10, "horizon: [1]"}}) ==
"a.yaml:10:10: 'horizon' must be a mapping, not a list. Known keys: jobs, warm_up, backlog, fills, start, queue_limit, ensemble_bins");
    CHECK(
        errors_of({{10, "horizon: {warm_up: 0.2}"}})
        == "a.yaml:10:20: unknown warm_up '0.2'. Write {name: 0.2}, the name one of none, fraction, jobs?"
    );
}

TEST_CASE("replications are a number or a precision") {
    CHECK(
        errors_of({{9, "replications: 0"}})
        == "a.yaml:9:15: 'replications.count' is 0 (it must be >= 1)"
    );
    CHECK(errors_of({{10, "precision: {metric: response_time}"}}) ==
"a.yaml:9:15: 'replications' and 'precision' are both given (one says how many, the other until when). Remove one?");
    CHECK(errors_of({{9, "precision: {relative: 0.1}"}}) ==
"a.yaml:9:12: 'precision.metric' is missing (what must be precise; a bare probe stands for its mean, `response_time.p95` for the quantile of all jobs of all replications). Add 'metric: response_time'?");
    CHECK(errors_of({{9, "precision:"}}) ==
"a.yaml:9:1: 'precision.metric' is missing (what must be precise; a bare probe stands for its mean, `response_time.p95` for the quantile of all jobs of all replications). Add 'metric: response_time'?");
    CHECK(
        errors_of({{9, "precision: {metric: response_time, relative: 0}"}})
        == "a.yaml:9:46: 'precision.relative' is 0 (it must be > 0 and < 1)"
    );
    CHECK(
        errors_of({{9, "precision: {metric: response_time, absolute: 0}"}})
        == "a.yaml:9:46: 'precision.absolute' is 0 (it must be > 0)"
    );
    CHECK(
        errors_of({{9, "precision: {metric: response_time, confidence: 1}"}})
        == "a.yaml:9:48: 'precision.confidence' is 1 (it must be > 0 and < 1)"
    );
    CHECK(
        errors_of({{9, "precision: {metric: response_time, min: 1}"}})
        == "a.yaml:9:41: 'precision.min' is 1 (it must be >= 2)"
    );
    CHECK(
        errors_of({{9, "precision: {metric: response_time, min: 100, max: 10}"}})
        == "a.yaml:9:51: 'precision.min' is 100 but 'precision.max' is 10. Exchange them?"
    );
    CHECK(errors_of({{9, "precision: {targets: [{metric: response_time, relatve: 0.1}, 5]}"}}) ==
"a.yaml:9:47: unknown key 'relatve' in 'precision.targets' (it would be ignored). Did you mean 'relative'?\n"
"a.yaml:9:62: 'precision.targets' must be a mapping, not '5'. Known keys: metric, relative, absolute");
    CHECK(errors_of({{9, "precision: {targets: []}"}}) ==
"a.yaml:9:22: 'precision.targets' must be a list of targets, not an empty list. Write [{metric: response_time, relative: 0.05}]?");
    CHECK(errors_of({{9, "precision: {metric: response_time, targets: [{metric: response_time}]}"}}) ==
"a.yaml:9:13: 'precision.metric' beside 'precision.targets' (which would hold?). Move it into the targets?");
    CHECK(errors_of({{9, "precision: 5"}}) ==
"a.yaml:9:12: 'precision' must be a mapping, not '5'. Known keys: metric, relative, absolute, confidence, rule, min, max, interval, method, targets, budget");
    CHECK(errors_of({{9, "replications: [5]"}}) ==
"a.yaml:9:15: 'replications' must be a mapping, not a list. Known keys: count, confidence, interval, method");
}

TEST_CASE("probes are a list of known probes") {
    CHECK(
        errors_of({{10, "probes: response_time"}})
        == "a.yaml:10:9: 'probes' must be a list, not 'response_time'. Write [response_time]?"
    );
    CHECK(
        errors_of({{10, "probes: [response_time, {response_time: {per_class: true}}]"}})
        == "a.yaml:10:25: probe 'response_time' is asked for twice. Put its parameters together?"
    );
    CHECK(
        errors_of({{10, "probes: [{slowdown: {quantiles: [0.5, 1.5]}}]"}})
        == "a.yaml:10:39: 'probes.slowdown.quantiles' is 1.5 (it must be > 0 and < 1)"
    );
    CHECK(
        errors_of({{10, "probes: [{queue_length: {quantiles: [0.5, 1]}}]"}})
        == "a.yaml:10:43: 'probes.queue_length.quantiles' is 1 (it must be > 0 and < 1)"
    );
    CHECK(
        errors_of({{10, "probes: [{loss_of_capacity: 3}]"}})
        == "a.yaml:10:29: 'probes.loss_of_capacity' takes no parameters. Write 'loss_of_capacity' "
           "alone?"
    );
    CHECK(
        errors_of({{10, "probes: [{slowdown: {per_class: yes}}]"}})
        == "a.yaml:10:33: 'probes.slowdown.per_class' must be true or false, not 'yes'"
    );
}

TEST_CASE("free texts and names are texts") {
    CHECK(
        errors_of({{2, "name: [a]"}})
        == "a.yaml:2:7: 'name' must be a text, not a list. Put it in quotes?"
    );
    CHECK(
        errors_of({{10, "description: {a: b}"}})
        == "a.yaml:10:14: 'description' must be a text, not a mapping. Put it in quotes?"
    );
    CHECK(
        errors_of({{10, "report: 5"}})
        == "a.yaml:10:9: 'report' must be a mapping, not '5'. Known keys: intervals, title, source, rows, metrics, figures"
    );
    CHECK(
        errors_of({{10, "report: {title: [a]}"}})
        == "a.yaml:10:17: 'report.title' must be a text, not a list. Put it in quotes?"
    );
    CHECK(
        errors_of({{10, "report: {rows: policy}"}})
        == "a.yaml:10:16: 'report.rows' must be a list of names. Write [name, name]?"
    );
    CHECK(
        errors_of({{10, "include: {a: b}"}})
        == "a.yaml:10:10: 'include' must be a list of file names. Write [common.yaml]?"
    );
    CHECK(
        errors_of({{10, "allow_unstable: yes"}})
        == "a.yaml:10:17: 'allow_unstable' must be true or false, not 'yes'"
    );
}

TEST_CASE("all problems of a file are told at once in order of position") {
    CHECK(errors_of({{3, "seed: 0"}, {5, "system: {clusters: [32.5]}"}, {7, "policy: fcsf"}, {8, "load: {utilization: 2}"}, {10, "horizon: {jobs: -3}"}}) ==
"a.yaml:3:7: 'seed' is 0 (it must be >= 1)\n"
"a.yaml:5:21: 'system.clusters' must be an integer, not '32.5'\n"
"a.yaml:7:9: unknown policy 'fcsf'. Did you mean 'fcfs'?\n"
"a.yaml:8:21: 'load.utilization' is 2 (it must be > 0 and < 1)\n"
"a.yaml:10:17: 'horizon.jobs' is -3 (it must be >= 1)");
}

}  // namespace schedfarm::app::tests
