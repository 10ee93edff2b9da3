// The top level of the campaign file.
#include "app/campaign/keys/schema.hpp"

namespace schedfarm::app {

namespace {

Section described_campaign() {
    constexpr double largest_seed = 9223372036854774784.0;  // below 2^63
    Names experiments;
    for (const auto kind : engine::experiment_kinds()) {
        experiments.emplace_back(kind.name());
    }
    return Section("campaign", "The keys of the top level.")
        .integer("campaign_format", {.low = 1, .high = 1})
        .required("version of this format")
        .text("name")
        .required("name of the campaign")
        .text("description")
        .optional("what the campaign is for")
        .text("time_unit")
        .optional(
            "what times are in, where the workload's are not seconds: a word or two for tables and "
            "figures, as in minutes or mean service times"
        )
        .integer("seed", {.low = 1, .high = largest_seed})
        .required("seed of all random numbers, unless it is a factor")
        .text("include")
        .optional("files that lie below this one", "list of file names, relative to this file")
        .text("inputs")
        .optional(
            "logs and lists of jobs that the campaign is about, for whose workloads give no "
            "`sha256`: others are refused",
            "mapping of `file` names to the SHA-256 of their uncompressed texts"
        )
        .word("experiment", std::move(experiments))
        .required("what a replication simulates")
        .text("system")
        .required("the simulated machine", "section `system`")
        .text("workload")
        .required("the workload model and its parameters", "section `workload`")
        .text("policy")
        .required("the scheduling policy", "a policy with its parameters")
        .text("load")
        .optional("the offered load", "section `load`")
        .text("horizon")
        .optional("how long a replication is", "section `horizon`")
        .text("random_numbers")
        .optional("where random numbers come from", "section `random_numbers`")
        .text("pilot")
        .optional(
            "how saturation points are estimated that theory does not give", "section `pilot`"
        )
        .text("replications")
        .optional("a fixed number of replications", "a number, or section `replications`")
        .text("precision")
        .optional("replications until an interval is short enough", "section `precision`")
        .text("probes")
        .optional(
            "what is measured; default: response_time where jobs have one",
            "list of probes with their parameters"
        )
        .boolean("allow_unstable")
        .means("admit loads at or above the exactly known maximal utilization", false)
        .text("certificate")
        .optional(
            "what `schedfarm certify` expects of the cell",
            "section `certificate`, or a list of them"
        )
        .text("factors")
        .optional("what is varied", "section `factors`")
        .text("derived")
        .optional("values computed from others, per cell", "section `derived`")
        .text("overrides")
        .optional("values for some cells", "section `overrides`")
        .text("comparison")
        .optional("differences between the levels of a factor", "section `comparison`")
        .text("selection")
        .optional("which level of a factor is best", "section `selection`")
        .text("control_variates")
        .optional(
            "measured means that are known, to sharpen an estimate", "section `control_variates`"
        )
        .text("reference")
        .optional("values that a paper prints", "name of a CSV file, relative to this file")
        .text("claims")
        .optional("what a paper says in words", "section `claims`")
        .text("job_log")
        .optional("what became of every job of some replications", "section `job_log`")
        .text("report")
        .optional("how results are printed", "section `report`");
}

}  // namespace

const Section& campaign_section() {
    static const Section section = described_campaign();
    return section;
}

const Names& variable_keys() {
    static const Names keys{
        "seed",
        "experiment",
        "system",
        "workload",
        "policy",
        "load",
        "horizon",
        "random_numbers",
        "pilot",
        "replications",
        "precision",
        "probes",
        "allow_unstable",
        "certificate"};
    return keys;
}

}  // namespace schedfarm::app
