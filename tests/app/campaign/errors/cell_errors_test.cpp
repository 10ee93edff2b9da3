// Problems that only show in cells and factors: exact messages with the most specific position.
#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

TEST_CASE("times have the campaign's words for their unit where the workload's are not seconds") {
    const std::string words = "time_unit: minutes";
    CHECK(plan_of({{11, ""}}).time_unit == "time units");
    CHECK(plan_of({{11, words}}).time_unit == "minutes");
    CHECK(plan_of({{11, words}}).plan_hash == plan_of({{11, ""}}).plan_hash);
    const std::string large = "system: {clusters: [128]}";
    const std::string seconds = "workload: {model: lublin_feitelson}";
    CHECK(plan_of({{5, large}, {6, seconds}}).time_unit == "s");
    CHECK(
        errors_of({{5, large}, {6, seconds}, {11, words}})
        == "a.yaml:10:12: 'time_unit' is 'minutes' (times of the workload lublin_feitelson are seconds). Leave it out?"
    );
}

TEST_CASE("a component larger than every cluster is refused") {
    CHECK(errors_of({{5, "system: {clusters: [3, 3]}"}, {6, "workload: {model: coallocation, request: unordered, component_size: {uniform: [1, 4]}}"}}) ==
"a.yaml:6:69: 'workload': a component can be of 4 processors but the largest cluster has 3 (the job would never start). Take components of at most 3, or larger clusters.");
    CHECK(errors_of({{5, ""}, {10, "factors: {system.clusters: [[8], [3], [2]]}"}}) ==
"a.yaml:6:64: 'workload': a request can be of 4 processors but the system has 3 (the job would never start) in cell 1. Take smaller sizes or a larger system.");
}

TEST_CASE("a policy that could never start the largest jobs is refused") {
    CHECK(errors_of({{7, "policy: {partitions: {processors: [16, 3]}}"}}).empty());
    CHECK(errors_of({{7, "policy: {partitions: {processors: [2, 3]}}"}}) ==
"a.yaml:7:35: 'policy': jobs of the workload may need 4 processors and no partition takes such jobs (they take 1 to 2 or 1 to 3 processors: the job could never start). Give such jobs a partition, or leave them out of the workload.");
    CHECK(errors_of({{7, ""}, {10, "factors: {policy: [fcfs, {queues: {largest_size: [2]}}]}"}}) ==
"a.yaml:10:50: 'policy': jobs of the workload may need 4 processors and no queue takes such jobs (they take 1 to 2 processors: the job could never start) in cell 1. Give such jobs a queue, or leave them out of the workload.");
    // The size of the jobs varies: only the first cell with the problem is told.
    CHECK(errors_of({{7, "policy: {partitions: {processors: [3]}}"}, {10, "factors: {workload.component_size: [{uniform: [1, 3]}, {uniform: [1, 5]}, {uniform: [1, 6]}]}"}, {6, "workload: {model: coallocation, components: 1}"}}) ==
"a.yaml:7:35: 'policy': jobs of the workload may need 5 processors and no partition takes such jobs (they take 1 to 3 processors: the job could never start) in cell 1. Give such jobs a partition, or leave them out of the workload.");
    // A job that does not fit on the system is told once, by the workload.
    CHECK(errors_of({{5, "system: {clusters: [3]}"}, {7, "policy: partitions"}}) ==
"a.yaml:6:64: 'workload': a request can be of 4 processors but the system has 3 (the job would never start). Take smaller sizes or a larger system.");
}

TEST_CASE("a load at or above the exact saturation point is refused unless allowed") {
    CHECK(errors_of({{8, "load: {utilization: 0.99}"}}) ==
"a.yaml:8:21: utilization 0.99 is not below the maximal utilization 0.967721 (the queue would grow without bound). Lower it, or set 'allow_unstable: true'?");
    CHECK(errors_of({{8, ""}, {10, "factors: {load.utilization: [0.5, 0.97, 0.99]}"}}) ==
"a.yaml:10:35: utilization 0.97 is not below the maximal utilization 0.967721 in cell 1 (the queue would grow without bound). Lower it, or set 'allow_unstable: true'?\n"
"a.yaml:10:41: utilization 0.99 is not below the maximal utilization 0.967721 in cell 2 (the queue would grow without bound). Lower it, or set 'allow_unstable: true'?");
}

TEST_CASE("one wrong level is told once and not in every cell") {
    CHECK(errors_of({{7, ""}, {8, ""}, {10, "factors:\n  policy: [fcfs, fpsf, sjff]\n  load.utilization: [0.5, 0.6, 1.2, 0.7]"}}) ==
"a.yaml:11:18: unknown policy 'fpsf'. Did you mean 'fpfs'?\n"
"a.yaml:11:24: unknown policy 'sjff'. Did you mean 'sjf'?\n"
"a.yaml:12:32: 'load.utilization' is 1.2 (it must be > 0 and < 1)");
}

TEST_CASE("a model that does not serve the experiment is refused") {
    CHECK(errors_of({{4, "experiment: trace"}, {8, ""}}) ==
"a.yaml:4:13: workload model 'coallocation' does not serve experiment 'trace'. It serves bin_filling, open, saturated, offline");
}

TEST_CASE("a policy that names no placement is refused where bins are filled") {
    const auto errors = [](const std::string& policy) {
        return errors_of({{4, "experiment: bin_filling"}, {7, "policy: " + policy}, {8, ""}});
    };
    CHECK(errors("{conservative: {placement: worst_fit}}").empty());
    for (const char* policy : {"vanilla_gang", "demt", "calendar", "partitions"}) {
        CHECK(errors(policy) == std::string("a.yaml:7:9: policy '") + policy + "' names no placement, which is all that experiment 'bin_filling' asks of a policy. policy: {fcfs: {placement: first_fit}}?");
    }
}

TEST_CASE("replications that would be the same to the bit are refused") {
    const auto errors = [](const std::string& workload,
                           const std::string& replications,
                           const std::string& policy = "policy: easy") {
        return errors_of(
            {{4, "experiment: trace"},
             {5, "system: {clusters: [128]}"},
             {6, "workload: " + workload},
             {7, policy},
             {8, ""},
             {9, replications}}
        );
    };
    const std::string reason =
        " (all would be the same to the bit, and any precision met). Write 'replications: 1', or "
        "in the workload 'resampling: weeks' or 'users', or 'shake: 60'?";
    const std::string several = ": more than one replication of the same jobs";
    const std::string fixed = "a.yaml:9:15: 'replications'" + several + reason;
    const std::string log = "{model: trace, file: example, resampling: ";
    for (const std::string given : {"none", "none, estimates: exact", "none, load_factor: 2"}) {
        CAPTURE(given);
        CHECK(errors(log + given + "}", "replications: 1").empty());
        CHECK(errors(log + given + "}", "replications: 2") == fixed);
        CHECK(
            errors(log + given + "}", "precision: {metric: response_time, relative: 0.05}")
            == "a.yaml:9:12: 'precision'" + several + reason
        );
        CHECK(errors(log + given + "}", "replications: 2", "policy: random_order").empty());
    }
    for (const std::string given :
         {"users",
          "weeks",
          "users, shake: 60",
          "none, shake: 60",
          "none, estimates: tsafrir",
          "none, estimates: {f_model: {factor: 3}}"}) {
        CAPTURE(given);
        CHECK(errors(log + given + "}", "replications: 64").empty());
    }
    const std::string reserved =
        "{model: reserved_version, jobs: {trace: {file: example, resampling: ";
    CHECK(errors(reserved + "none}}, share: 0}", "replications: 2") == fixed);
    CHECK(errors(reserved + "users}}, share: 0}", "replications: 2").empty());
    CHECK(errors("{model: reserved_version, jobs: downey_97, share: 0}", "replications: 2").empty()
    );
    // Listed jobs have no other way out than one replication.
    const std::string listed = "{model: listed, service_times: [1], sizes: [1]}";
    CHECK(
        errors_of({{6, "workload: " + listed}, {8, ""}, {9, "replications: 2\nhorizon: {jobs: 1}"}})
        == fixed.substr(0, fixed.find(", or in the workload")) + "?"
    );
    // Told once, for the first cell that has it.
    CHECK(
        errors(
            "{model: trace, file: example}",
            "replications: 2\nfactors: {workload.resampling: [users, none], workload.load_factor: "
            "[1, 2]}"
        )
        == "a.yaml:9:15: 'replications'" + several + " in cell 2" + reason
    );
}

TEST_CASE("what is advised for the same jobs works for the log") {
    const auto file =
        std::filesystem::temp_directory_path() / fmt::format("schedfarm-one-user-{}.swf", getpid());
    const auto advice = [&file](int users, int days, const std::string& resampling) {
        std::ofstream log(file);
        log << "; MaxProcs: 4\n";
        for (int job = 0; job < 4; ++job) {
            log << fmt::format(
                "{} {} 0 10 1 -1 -1 1 20 -1 1 {} -1 -1 -1 -1 -1 -1\n",
                job + 1,
                86400 * days * job,
                job % users
            );
        }
        log.close();
        return errors_of(
            {{4, "experiment: trace"},
             {6,
              fmt::format(
                  "workload: {{model: trace, file: {}, resampling: {}}}", file.string(), resampling
              )},
             {8, ""},
             {9, "replications: 2"}}
        );
    };
    const auto says = [](const std::string& text, const std::string& ways) {
        return text.find("or in the workload " + ways + "?") != std::string::npos;
    };
    CHECK(says(advice(1, 1, "none"), "'shake: 60'"));
    CHECK(says(advice(2, 3, "none"), "'resampling: users' or 'shake: 60'"));
    CHECK(says(advice(1, 15, "none"), "'resampling: weeks' or 'shake: 60'"));
    CHECK(says(advice(2, 15, "none"), "'resampling: weeks' or 'users', or 'shake: 60'"));
    CHECK(advice(2, 3, "users").empty());
    CHECK(advice(1, 15, "weeks").empty());
    CHECK(advice(1, 1, "none, shake: 60").empty());
    std::filesystem::remove(file);
}

TEST_CASE("a load is refused where no experiment uses it") {
    CHECK(errors_of({{4, "experiment: saturated"}}) ==
"a.yaml:8:1: 'load' is not used by experiment 'saturated' (it would be ignored). Remove it?");
    CHECK(errors_of({{4, ""}, {8, ""}, {10, "factors: {experiment: [open, saturated], load.utilization: [0.5, 0.6]}"}}) ==
"a.yaml:10:42: 'load.utilization' is varied but experiment 'saturated' does not use it (its cells would be repeated). Remove it, or zip it with 'experiment'?");
    const std::string log = "workload: {model: trace, file: example, resampling: users}";
    CHECK(errors_of({{4, "experiment: trace"}, {5, "system: {clusters: [128]}"}, {6, log}, {8, "load: {utilization: 0.5}"}}) ==
"a.yaml:8:1: 'load' is not used by experiment 'trace' (it would be ignored). Give 'workload.load_factor' in its place?");
    CHECK(errors_of({{4, "experiment: trace"}, {5, "system: {clusters: [128]}"}, {6, log}, {8, ""}, {10, "factors: {load.utilization: [0.5, 0.6]}"}}) ==
"a.yaml:10:11: 'load.utilization' is varied but experiment 'trace' does not use it (its cells would be repeated). Vary 'workload.load_factor' in its place?");
}

TEST_CASE("a metric must be observed") {
    CHECK(
        errors_of({{9, "precision: {metric: slowdown}"}})
        == "a.yaml:9:21: metric 'slowdown' is not observed. Add it to 'probes'?"
    );
    CHECK(
        errors_of({{9, "precision: {metric: slodown}"}})
        == "a.yaml:9:21: metric 'slodown' is not observed. Did you mean 'slowdown'?"
    );
    CHECK(
        errors_of({{4, "experiment: saturated"}, {8, ""}, {9, "precision: {metric: response_time}"}}
        )
        == "a.yaml:9:21: metric 'response_time' is not observed. Add it to 'probes'?"
    );
    CHECK(
        errors_of({{9, "precision: {targets: [{metric: response_time}, {metric: queue_length}]}"}})
        == "a.yaml:9:57: metric 'queue_length' is not observed. Add it to 'probes'?"
    );
    CHECK(errors_of({{10, "report: {metrics: [foo]}"}}) ==
"a.yaml:10:20: metric 'foo' is not observed in any cell. Known: backlog_growth, wait.warm_up, wait.first_half, wait.second_half, response_time.mean");
    CHECK(errors_of({{4, "experiment: bin_filling"}, {8, ""}, {10, "probes: [response_time]"}}) ==
"a.yaml:10:10: 'probes.response_time' is not observed by experiment 'bin_filling' (it would be ignored). Remove it?");
}

TEST_CASE("extremes and ratios of a report are of metrics that are observed") {
    for (const char* metric : {"least foo", "greatest foo", "response_time / foo"}) {
        CAPTURE(metric);
        const std::string report = std::string("report: {metrics: [") + metric + "]}";
        const std::string errors = errors_of({{10, report}});
        CHECK(
            errors.find(std::string("metric '") + metric + "' is not observed") != std::string::npos
        );
    }
    CHECK(errors_of({{10, "report: {metrics: [least response_time]}"}}).empty());
}

TEST_CASE("wall times of a report are beyond those of a level that there is") {
    const auto errors_with = [](const std::string& metric) {
        return errors_of(
            {{7, ""},
             {10, "factors: {policy: [fcfs, sjf]}"},
             {11, "report: {metrics: [" + metric + "]}"}}
        );
    };
    CHECK(errors_with("wall_time_ms").empty());
    CHECK(errors_with("wall_time_ms beyond sjf").empty());
    CHECK(
        errors_with("wall_time_ms beyond fcfz")
        == "a.yaml:11:20: 'fcfz' is no level of a factor. Did you mean 'fcfs'?"
    );
}

TEST_CASE("a report names factors and keys that exist") {
    CHECK(errors_of({{10, "report: {titel: x}"}}) ==
"a.yaml:10:10: unknown key 'titel' in 'report' (it would be ignored). Did you mean 'title'?");
    CHECK(
        errors_of({{10, "report: {rows: [polcy]}"}})
        == "a.yaml:10:17: 'polcy' is no factor of the campaign"
    );
    CHECK(
        errors_of({{7, ""}, {10, "factors: {policy: [fcfs, sjf]}"}, {11, "report: {rows: [polcy]}"}}
        )
        == "a.yaml:11:17: 'polcy' is no factor of the campaign. Did you mean 'policy'?"
    );
}

TEST_CASE("a factor is a list of different levels") {
    CHECK(
        errors_of({{10, "factors: [policy]"}})
        == "a.yaml:10:10: 'factors' must be a mapping, not a list. Write {policy: [fcfs, sjf]}?"
    );
    CHECK(errors_of({{7, ""}, {10, "factors: {policy: fcfs}"}}) ==
"a.yaml:10:19: factor 'policy' must be a list of levels, not 'fcfs'. Write a list, or one of levels, linear, below_saturation, of_saturation, zip?");
    CHECK(errors_of({{7, ""}, {10, "factors: {policy: []}"}}) ==
"a.yaml:10:19: factor 'policy' has no levels (no cell would be left). Give it a level, or remove it?");
    CHECK(
        errors_of({{7, ""}, {10, "factors: {policy: [fcfs, fcfs]}"}})
        == "a.yaml:10:26: level 'fcfs' of factor 'policy' is given twice. Remove one?"
    );
    CHECK(
        errors_of({{8, ""}, {10, "factors: {load.utilization: [0.5, 0.50]}"}})
        == "a.yaml:10:35: level '0.5' of factor 'load.utilization' is given twice. Remove one?"
    );
    CHECK(errors_of({{7, ""}, {10, "factors: {policy: [fcfs, ]}"}}) == "");
    CHECK(errors_of({{7, ""}, {10, "factors: {policy: [fcfs, null]}"}}) ==
"a.yaml:10:26: 'policy' must be one policy with its parameters, not nothing. Write 'name' or '{name: {parameter: value}}'?");
}

TEST_CASE("a factor is a path that may vary") {
    CHECK(errors_of({{10, "factors: {name: [a, b]}"}}) ==
"a.yaml:10:11: 'name' cannot be varied (it is one for the whole campaign). Keys that can: seed, experiment, system, workload, policy, load, horizon, random_numbers, pilot, replications, precision, probes, allow_unstable, certificate");
    CHECK(errors_of({{7, ""}, {10, "factors: {polcy: [fcfs, fpfs]}"}}) ==
"a.yaml:10:11: unknown key 'polcy' in the campaign (it would be ignored). Did you mean 'policy'?");
    CHECK(errors_of({{10, "factors: {workload.requst: [total, ordered]}"}}) ==
"a.yaml:10:11: unknown key 'requst' in 'workload' (it would be ignored). Did you mean 'request'?");
    CHECK(errors_of({{10, "factors: {policy: [fcfs, fpfs]}"}}) ==
"a.yaml:7:9: 'policy' is given here and varied by factor 'policy' (this value would be ignored). Remove one?");
    CHECK(
        errors_of({{7, ""}, {10, "factors:\n  a: {zip: {policy: [fcfs, sjf]}}\n  policy: [fcfs]"}})
        == "a.yaml:12:3: 'policy' is varied by two factors ('a' and 'policy'). Zip them together?"
    );
    CHECK(errors_of({{10, "factors: {policy.fpfs.max_jumps: [1, 2]}"}}) ==
"a.yaml:10:11: 'policy.fpfs.max_jumps' cannot be set because 'policy' is 'fcfs'. Write its parameters by name, {name: {parameter: value}}?");
    CHECK(errors_of({{7, "policy: {fpfs: 7}"}, {10, "factors: {policy.fpfs.max_jumps: [1, 2]}"}}) ==
"a.yaml:10:11: 'policy.fpfs.max_jumps' cannot be set because 'policy.fpfs' is '7'. Write its parameters by name, {name: {parameter: value}}?");
}

TEST_CASE("generated levels are checked") {
    CHECK(
        errors_of(
            {{8, ""}, {10, "factors: {load.utilization: {linar: {from: 0.1, to: 0.3, count: 3}}}"}}
        )
        == "a.yaml:10:30: unknown kind of factor 'linar'. Did you mean 'linear'?"
    );
    CHECK(
        errors_of({{8, ""}, {10, "factors: {load.utilization: {linear: {from: 0.1, count: 3}}}"}})
        == "a.yaml:10:38: 'load.utilization.linear.to' is missing (last level). Add 'to: …'?"
    );
    CHECK(
        errors_of(
            {{8, ""}, {10, "factors: {load.utilization: {linear: {from: 0.1, to: 0.3, count: 0}}}"}}
        )
        == "a.yaml:10:66: 'load.utilization.linear.count' is 0 (it must be >= 1 and <= 100000)"
    );
    CHECK(
        errors_of({{8, ""}, {10, "factors: {load.utilization: {below_saturation: 0}}"}})
        == "a.yaml:10:48: 'load.utilization.below_saturation' is 0 (it must be >= 1 and <= 100000)"
    );
    CHECK(errors_of({{8, ""}, {10, "factors: {load.utilization: {of_saturation: []}}"}}) ==
"a.yaml:10:45: factor 'load.utilization' has no levels (no cell would be left). Give it a level, or remove it?");
    CHECK(errors_of({{8, ""}, {10, "factors: {load.utilization: {of_saturation: [0.5, 1.01]}}"}}) ==
"a.yaml:10:29: utilization 0.9774 is not below the maximal utilization 0.967721 in cell 1 (the queue would grow without bound). Lower it, or set 'allow_unstable: true'?");
    CHECK(errors_of({{10, "factors: {horizon.jobs: {below_saturation: 3}}"}}) ==
"a.yaml:10:26: 'below_saturation' places loads, not 'horizon.jobs'. Use it for 'load.utilization'?");
}

TEST_CASE("a grid has at most 100000 cells") {
    CHECK(errors_of({{10, "factors: {horizon.jobs: {linear: {from: 1, to: 1e6, count: 100000}}, horizon.backlog: [1, 2]}"}}) ==
"a.yaml:10:70: more than 100000 cells (the factors' levels multiply). Use fewer levels, or several campaigns?");
    CHECK(
        errors_of({{10, "factors: {horizon.jobs: {linear: {from: 1, to: 1e6, count: 1000001}}}"}})
        == "a.yaml:10:60: 'horizon.jobs.linear.count' is 1000001 (it must be >= 1 and <= 100000)"
    );
}

TEST_CASE("a zip varies lists of equal length") {
    CHECK(errors_of({{5, ""}, {10, "factors:\n  structure:\n    zip:\n      workload.request: [total, ordered]\n      system.clusters: [[32]]"}}) ==
"a.yaml:14:24: 'system.clusters' has 1 levels but 'workload.request' has 2 (a zip varies them together). Make the lists equally long?");
    CHECK(
        errors_of(
            {{5, ""},
             {10,
              "factors:\n  structure:\n    zip:\n      workload.request: [total, ordered]\n      "
              "system.clusters: [[32], [8, 8]]\n    labels: [a]"}}
        )
        == "a.yaml:15:13: factor 'structure' has 2 levels but 1 labels. Give every level a label?"
    );
    CHECK(
        errors_of(
            {{5, ""},
             {10,
              "factors:\n  structure:\n    zip:\n      workload.request: [total, ordered]\n      "
              "system.clusters: [[32], [8, 8]]\n    labels: [a, a]"}}
        )
        == "a.yaml:15:17: level 'a' of factor 'structure' is given twice. Remove one?"
    );
    CHECK(errors_of({{10, "factors: {structure: {zip: {}}}"}}) ==
"a.yaml:10:28: 'zip' of factor 'structure' must map paths to lists, not nothing. Write {zip: {policy: [fcfs, sjf]}}?");
    CHECK(
        errors_of({{10, "factors: {structure: {zip: {policy: fcfs}}}"}})
        == "a.yaml:10:37: 'policy' in a zip must be a list of levels, not 'fcfs'. Write "
           "policy: [first, second]?"
    );
    CHECK(errors_of({{7, ""}, {10, "factors: {structure: {zip: {policy: [fcfs]}, lables: [a]}}"}}) ==
"a.yaml:10:46: unknown key 'lables' in 'factors.structure' (it would be ignored). Did you mean 'labels'?");
    CHECK(errors_of({{10, "factors: {a: {zip: {workload.service: [{exponential: 1}], workload.service.exponential.mean: [2]}}}"}}) ==
"a.yaml:10:59: 'workload.service' and 'workload.service.exponential.mean' in one zip overlap. Set each value once?");
}

TEST_CASE("an override says when and what") {
    CHECK(errors_of({{7, ""}, {10, "factors: {policy: [fcfs, sjf]}"}, {11, "overrides: [{when: {policy: fcsf}, set: {horizon.jobs: 5}}]"}}) ==
"a.yaml:11:13: no cell has what 'when' asks for (this override would be ignored). Did you mean 'fcfs'?");
    CHECK(errors_of({{7, ""}, {10, "factors: {policy: [fcfs, sjf]}"}, {11, "overrides: [{when: {polcy: fcfs}, set: {horizon.jobs: 5}}]"}}) ==
"a.yaml:11:13: no cell has what 'when' asks for (this override would be ignored). Did you mean 'policy'?");
    CHECK(
        errors_of(
            {{7, ""},
             {10, "factors: {policy: [fcfs, sjf]}"},
             {11, "overrides: [{when: {policy: fcfs}, set: {policy: sjf}}]"}}
        )
        == "a.yaml:11:42: 'policy' cannot be overridden (factor 'policy' varies it). Remove "
           "it in one of the two places?"
    );
    CHECK(errors_of({{10, "overrides: [{when: {policy: fcfs}}]"}}) ==
"a.yaml:10:13: an override needs 'when' and 'set', both mappings with values. Write {when: {policy: fcfs}, set: {horizon.jobs: 50000}}?");
    CHECK(errors_of({{10, "overrides: [{when: {policy: fcfs}, set: {name: a}}]"}}) ==
"a.yaml:10:42: 'name' cannot be overridden (it is one for the whole campaign). Keys that can: seed, experiment, system, workload, policy, load, horizon, random_numbers, pilot, replications, precision, probes, allow_unstable, certificate");
    CHECK(
        errors_of({{10, "overrides: [{when: {policy: fcfs}, set: {horizon.jbs: 5}}]"}})
        == "a.yaml:10:42: unknown key 'jbs' in 'horizon' (it would be ignored). Did you mean "
           "'jobs'?"
    );
    CHECK(
        errors_of({{10, "overrides: [{when: {policy: fcfs}, set: {horizon.jobs: 0}}]"}})
        == "a.yaml:10:56: 'horizon.jobs' is 0 (it must be >= 1)"
    );
    CHECK(errors_of({{10, "overrides: {when: 1}"}}) ==
"a.yaml:10:12: 'overrides' must be a list, not a mapping. Write [{when: {policy: fcfs}, set: {horizon.jobs: 50000}}]?");
    CHECK(errors_of({{8, ""}, {10, "factors: {load.utilization: {below_saturation: 2}}"}, {11, "overrides: [{when: {load.utilization: 0.5}, set: {horizon.jobs: 5}}]"}}) ==
"a.yaml:11:13: no cell has what 'when' asks for (this override would be ignored)\n"
"a.yaml:11:21: 'load.utilization' cannot be a condition (its values are placed by the program). Use a list of loads instead?");
}

TEST_CASE("a derived value is an expression over numbers of the cell") {
    CHECK(
        errors_of({{10, "derived: {horizon.jobs: \"20000 * (1 + load.utilizaton)\"}"}})
        == "a.yaml:10:39: 'load.utilizaton' has no number here. Did you mean 'load.utilization'?"
    );
    CHECK(
        errors_of({{10, "derived: {horizon.jobs: \"20000 * (1 + \"}"}})
        == "a.yaml:10:39: expected a number, a path or '('"
    );
    CHECK(
        errors_of({{10, "derived: {horizon.jobs: 1 / 0}"}})
        == "a.yaml:10:27: the result is not a finite number"
    );
    CHECK(
        errors_of({{10, "derived: {horizon.jobs: 10.5}"}})
        == "a.yaml:10:25: 'horizon.jobs' must be an integer, not '10.5'"
    );
    CHECK(errors_of({{10, "derived: {name: 3}"}}) ==
"a.yaml:10:11: 'name' cannot be derived (it is one for the whole campaign). Keys that can: seed, experiment, system, workload, policy, load, horizon, random_numbers, pilot, replications, precision, probes, allow_unstable, certificate");
    CHECK(
        errors_of({{10, "derived: {horizon.jobs: sqroot(4)}"}})
        == "a.yaml:10:25: unknown function 'sqroot' (known: min, max; round, sqrt, log, exp of one value)"
    );
    CHECK(
        errors_of({{10, "derived: {horizon.jobs: [4]}"}})
        == "a.yaml:10:25: 'horizon.jobs' must be an expression, not a list. Write it "
           "as one text, in quotes?"
    );
    CHECK(errors_of({{10, "derived: 5"}}) ==
"a.yaml:10:10: 'derived' must be a mapping, not '5'. Write {horizon.jobs: \"20000 * (1 + load.utilization)\"}?");
    CHECK(
        errors_of(
            {{8, ""},
             {10, "factors: {load.utilization: [0.5]}"},
             {11, "derived: {load.utilization: 0.6}"}}
        )
        == "a.yaml:11:11: 'load.utilization' cannot be derived (factor 'load.utilization' varies "
           "it). Remove it in one of the two places?"
    );
}

}  // namespace schedfarm::app::tests
