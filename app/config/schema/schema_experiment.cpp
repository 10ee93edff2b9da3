// The sections `campaign` (the top level) and those that say what is simulated.
#include "app/config/schema/schema_rows.hpp"

namespace schedfarm::app {

namespace {

using engine::ParameterDescription;
using engine::ParameterType;

/// A row of the top level that stands for a section or a list with rules of its own.
ParameterDescription part(std::string name, std::string meaning) {
    return with_default(text_key(std::move(name), std::move(meaning)), "");
}

std::vector<std::string> experiment_words() {
    std::vector<std::string> words;
    for (const engine::ExperimentKind kind : engine::ExperimentKind::all()) {
        words.emplace_back(kind.name());
    }
    return words;
}

void add_identity(SectionBuilder& builder) {
    constexpr double largest_seed = 9223372036854774784.0;  // below 2^63
    builder.add(count_key("campaign_format", "version of this format", "", 1, 1))
        .add(text_key("name", "name of the campaign"))
        .add(part("description", "what the campaign is for"))
        .add(part(
            "time_unit",
            "what times are in, where the workload's are not seconds: a word or two for tables and "
            "figures, as in minutes or mean service times"
        ))
        .add(count_key("seed", "seed of all random numbers", "", 1, largest_seed))
        .add(
            part("include", "files that lie below this one"),
            "list of file names, relative to this file"
        );
}

void add_cell_keys(SectionBuilder& builder) {
    ParameterDescription unstable{
        .name = "allow_unstable",
        .meaning = "admit loads at or above the exactly known maximal utilization",
        .type = ParameterType::boolean,
        .default_value = false};
    builder.add(word_key("experiment", "what a replication simulates", experiment_words()))
        .add(text_key("system", "the simulated machine"), "section `system`")
        .add(text_key("workload", "the workload model and its parameters"), "section `workload`")
        .add(text_key("policy", "the scheduling policy"), "a policy with its parameters")
        .add(part("load", "the offered load"), "section `load`")
        .add(part("horizon", "how long a replication is"), "section `horizon`")
        .add(part("random_numbers", "where random numbers come from"), "section `random_numbers`")
        .add(
            part("pilot", "how saturation points are estimated that theory does not give"),
            "section `pilot`"
        )
        .add(
            part("replications", "a fixed number of replications"),
            "a number, or section `replications`"
        )
        .add(
            part("precision", "replications until an interval is short enough"),
            "section `precision`"
        )
        .add(
            part("probes", "what is measured; default: response_time where jobs have one"),
            "list of probes with their parameters"
        )
        .add(unstable)
        .add(
            part("certificate", "what `schedfarm certify` expects of the cell"),
            "section `certificate`, or a list of them"
        );
}

void add_campaign_keys(SectionBuilder& builder) {
    builder.add(part("factors", "what is varied"), "section `factors`")
        .add(part("derived", "values computed from others, per cell"), "section `derived`")
        .add(part("overrides", "values for some cells"), "section `overrides`")
        .add(
            part("comparison", "differences between the levels of a factor"), "section `comparison`"
        )
        .add(part("selection", "which level of a factor is best"), "section `selection`")
        .add(
            part("control_variates", "measured means that are known, to sharpen an estimate"),
            "section `control_variates`"
        )
        .add(
            part("reference", "values that a paper prints"),
            "name of a CSV file, relative to this file"
        )
        .add(part("claims", "what a paper says in words"), "section `claims`")
        .add(part("job_log", "what became of every job of some replications"), "section `job_log`")
        .add(part("report", "how results are printed"), "section `report`");
}

Section system_section() {
    return SectionBuilder("system", "The simulated machine.")
        .add(
            {.name = "clusters",
             .meaning = "processors of each cluster",
             .unit = "processors",
             .type = ParameterType::integer_list,
             .range = {.low = 1, .high = 1e6}}
        )
        .add(
            {.name = "memory_per_processor",
             .meaning = "memory of each processor; 0: memory is not modelled",
             .unit = "memory",
             .default_value = 0.0,
             .range = {.low = 0}}
        )
        .add_optional(
            text_key("outages", "when processors are out of order"),
            "section `system.outages`, or `none`"
        )
        .build();
}

Section outages_section() {
    return SectionBuilder(
               "system.outages",
               "When processors are out of order: in windows that are planned ahead, as nodes fail "
               "at random, as a log says, or all together. A processor that is out for several "
               "reasons is back when all are over. Not with policies that switch running jobs off "
               "and on, in experiments `saturated` and `bin_filling`, or with a load placed by a "
               "saturation point. A load is relative to all processors, and so is utilization; a "
               "cell measures `availability`, the part of them in order, and where jobs are cut "
               "`jobs_cut` and `lost_work`. `easy` (with its default options but `placement` and "
               "`simultaneous: submit_first` or `finish_first`), `conservative`, `k_reservations` "
               "and `selective` know the windows ahead and plan around them; they expect of what "
               "else is out that it stays so. Every other policy sees an outage when it begins. "
               "Where processors are taken by count, they are those with the lowest numbers."
    )
        .add_optional(
            text_key("windows", "planned outages"), "list of sections `system.outages.windows`"
        )
        .add_optional(
            text_key("failures", "failures of nodes"), "section `system.outages.failures`"
        )
        .add_optional(
            text_key("file", "a log of outages, which no policy knows ahead"),
            "name of a CSV file, relative to this file, with the columns from, until, cluster, "
            "first, count; clusters and the processors of each are numbered from 0"
        )
        .add(with_default(
            word_key(
                "running",
                "drain: jobs on processors that go out of order run to their end, and then the "
                "processors leave; cut: they join the queue again at once, as if they came now, "
                "with all their service to do",
                {"drain", "cut"}
            ),
            "drain"
        ))
        .build();
}

Section windows_section() {
    const engine::Range from_zero{.low = 0};
    ParameterDescription from = real_key("from", "when the outage begins", from_zero);
    ParameterDescription until = real_key("until", "when it ends", from_zero);
    ParameterDescription every =
        real_key("every", "it comes again, so much later each time; 0: it comes once", from_zero);
    for (ParameterDescription* row : {&from, &until, &every}) {
        row->unit = "time";
    }
    return SectionBuilder(
               "system.outages.windows",
               "An outage that is planned ahead: of some processors, of some clusters, or of all."
    )
        .add(from)
        .add(until)
        .add(with_default(every, 0.0))
        .add_optional(
            count_key("processors", "how many: those with the lowest numbers", "processors", 1, 1e9)
        )
        .add_optional(
            {.name = "clusters",
             .meaning = "which ones, whole; numbered from 0",
             .type = ParameterType::integer_list,
             .range = {.low = 0, .high = 1e6}}
        )
        .build();
}

Section failures_section() {
    const engine::Range positive{.low = 0, .low_is_open = true};
    ParameterDescription between = real_key(
        "mean_time_between_failures",
        "mean time that a node is in order, from a repair to its next failure; exponential",
        positive
    );
    ParameterDescription repair =
        real_key("mean_time_to_repair", "mean time that it is out of order; exponential", positive);
    between.unit = "time";
    repair.unit = "time";
    return SectionBuilder(
               "system.outages.failures",
               "Nodes fail independently of each other and of what runs, and are all in order at "
               "time 0. They fail at the same times under every policy and load."
    )
        .add(between)
        .add(repair)
        .add(with_default(
            count_key("processors_per_node", "must divide every cluster", "processors", 1, 1e6), 1
        ))
        .build();
}

Section load_section() {
    return SectionBuilder(
               "load",
               "The offered load, only in an `open` experiment whose jobs are not `listed`: one of "
               "the two."
    )
        .add_optional(probability_key(
            "utilization", "arrival rate * E[size] * E[service time] / processors", 0
        ))
        .add_optional(
            text_key("search", "the load is looked for by probabilistic bisection"),
            "section `load.search`"
        )
        .build();
}

Section search_section() {
    ParameterDescription between{
        .name = "between",
        .meaning = "utilizations between which the point lies; else the cell ends as not_bracketed",
        .type = ParameterType::real_list,
        .default_value = engine::Value::List{0.3, 1.0},
        .range = {.low = 0, .high = 10, .low_is_open = true}};
    return SectionBuilder(
               "load.search",
               "Looks for the load at which something happens, in rounds of replications; the "
               "search decides how many there are, in place of `replications` and `precision`. "
               "`drift`: where the backlog begins to grow, the saturation point; begins from a "
               "deep queue (`horizon.start`) under a policy that does not preempt. "
               "`response_time`: where the mean response time passes "
               "the threshold."
    )
        .add(word_key("criterion", "what happens at the load", {"drift", "response_time"}))
        .add_optional(
            {.name = "threshold",
             .meaning = "response_time: the mean response time in mean service times",
             .unit = "mean service times",
             .range = {.low = 0, .low_is_open = true}}
        )
        .add(between)
        .add(with_default(
            probability_key(
                "width", "the search ends when its intervals are no longer than this", 0
            ),
            0.01
        ))
        .add(
            with_default(probability_key("confidence", "confidence level of the interval", 0), 0.95)
        )
        .add(with_default(
            probability_key(
                "reliability", "probability with which an answer must be right to count fully", 0.5
            ),
            0.95
        ))
        .add(with_default(count_key("round", "replications of a round", "replications", 2, 1e6), 16)
        )
        .add(with_default(count_key("most_rounds", "rounds at most", "rounds", 1, 1e6), 400))
        .build();
}

Section horizon_section() {
    ParameterDescription start{
        .name = "start",
        .meaning = "open: the state in which a replication begins",
        .type = ParameterType::choice,
        .default_value = engine::Choice{"empty", {}},
        .alternatives = &start_alternatives};
    return SectionBuilder(
               "horizon", "How long a replication is. An experiment uses the keys that it needs."
    )
        .add(
            with_default(
                count_key(
                    "jobs",
                    "open, trace, offline: jobs counted; saturated: jobs started. `all`: as many "
                    "as a log or a list has. open: while later jobs may overtake them, more come, "
                    "which are not counted. `auto`: 20000, and in an open experiment with a "
                    "precision target and a warm-up, from empty, as many times more as it takes "
                    "until the start no longer shows ([how](../background/stopping.md))",
                    "jobs",
                    1,
                    most_jobs
                ),
                "auto"
            ),
            "integer, `auto` or `all`"
        )
        .add(warm_up_key())
        .add(with_default(
            count_key("backlog", "saturated: waiting jobs at every instant", "jobs", 1, 1e7), 64
        ))
        .add(with_default(
            count_key("fills", "bin_filling: fills per replication", "fills", 1, most_jobs), 10000
        ))
        .add(start)
        .add(with_default(
            count_key(
                "queue_limit",
                "open, trace: a replication with more waiting jobs than this ends, and its cell as "
                "unstable; 0: no limit. So does one that waits for counted jobs while more come "
                "than are counted, 100,000 at least",
                "jobs",
                0,
                most_jobs
            ),
            100000
        ))
        .add(with_default(
            count_key(
                "ensemble_bins",
                "open, trace: parts of the jobs whose mean response times show whether the warm-up "
                "is long enough (no more parts than jobs); 0: none",
                "",
                0,
                10000
            ),
            200
        ))
        .build();
}

Section pilot_section() {
    return SectionBuilder(
               "pilot",
               "The saturated experiment that estimates the maximal utilization where a load is "
               "placed by it and theory does not give it. One pilot cell is added for every "
               "system, workload, policy and source of random numbers."
    )
        .add(with_default(count_key("jobs", "jobs started", "jobs", 1, most_jobs), 20000))
        .add(warm_up_key())
        .add(with_default(count_key("backlog", "waiting jobs at every instant", "jobs", 1, 1e7), 64)
        )
        .add(with_default(
            count_key("replications", "replications of the pilot", "replications", 2, 1e9), 64
        ))
        .build();
}

Section random_numbers_section() {
    return SectionBuilder(
               "random_numbers",
               "`common`: all cells draw with the campaign's seed, so that what differs between "
               "them is not chance. `independent`: a cell draws with a seed of its own, the first "
               "64 bits of a SHA-256 of the campaign's seed and of the values of everything that "
               "is simulated. What is only measured changes no seed."
    )
        .add(with_default(
            word_key("generator", "family of generators", {"philox", "mrg32k3a"}), "philox"
        ))
        .add(with_default(
            word_key("streams", "which cells share random numbers", {"common", "independent"}),
            "common"
        ))
        .build();
}

}  // namespace

Section campaign_section() {
    SectionBuilder builder("campaign", "The keys of the top level.");
    add_identity(builder);
    add_cell_keys(builder);
    add_campaign_keys(builder);
    return builder.build();
}

std::vector<Section> experiment_sections() {
    return {
        system_section(),
        outages_section(),
        windows_section(),
        failures_section(),
        load_section(),
        search_section(),
        horizon_section(),
        random_numbers_section(),
        pilot_section()};
}

}  // namespace schedfarm::app
