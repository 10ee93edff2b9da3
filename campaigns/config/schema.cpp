#include "campaigns/config/schema.hpp"

#include <algorithm>
#include <utility>

#include "engine/foundation/expect.hpp"

namespace schedfarm::campaigns {

namespace {

using engine::ParameterDescription;
using engine::ParameterType;
using engine::Range;
using engine::Value;

constexpr double most_jobs = 1e12;

/// A row under construction; the forms of the section keep step with its keys.
class SectionBuilder {
  public:
    SectionBuilder(std::string name, std::string summary) {
        section_.name = std::move(name);
        section_.summary = std::move(summary);
    }

    SectionBuilder& add(ParameterDescription row, std::string form = {}) {
        section_.keys.push_back(std::move(row));
        section_.forms.push_back(std::move(form));
        return *this;
    }

    Section build() { return std::move(section_); }

  private:
    Section section_;
};

ParameterDescription text_key(std::string name, std::string meaning) {
    return {.name = std::move(name), .meaning = std::move(meaning), .type = ParameterType::text};
}

ParameterDescription optional_text(std::string name, std::string meaning) {
    ParameterDescription row = text_key(std::move(name), std::move(meaning));
    row.default_value = "";
    return row;
}

ParameterDescription count_key(
    std::string name, std::string meaning, std::string unit, double low, double high
) {
    return {
        .name = std::move(name),
        .meaning = std::move(meaning),
        .unit = std::move(unit),
        .type = ParameterType::integer,
        .range = {.low = low, .high = high}};
}

ParameterDescription with_default(ParameterDescription row, Value value) {
    row.default_value = std::move(value);
    return row;
}

ParameterDescription confidence_key() {
    return {
        .name = "confidence",
        .meaning = "confidence level of all intervals",
        .default_value = 0.95,
        .range = {.low = 0, .high = 1, .low_is_open = true, .high_is_open = true}};
}

ParameterDescription interval_key() {
    return {
        .name = "interval",
        .meaning = "how intervals are computed",
        .type = ParameterType::text,
        .default_value = "skew_adjusted",
        .words = {"skew_adjusted", "student_t"}};
}

std::vector<std::string> experiment_words() {
    std::vector<std::string> words;
    for (const ExperimentText& text : experiment_texts()) {
        words.emplace_back(text.name);
    }
    return words;
}

Section campaign_section() {
    ParameterDescription experiment = text_key("experiment", "what a replication simulates");
    experiment.words = experiment_words();
    ParameterDescription unstable{
        .name = "allow_unstable",
        .meaning = "admit loads at or above the exactly known maximal utilization",
        .type = ParameterType::boolean,
        .default_value = false};
    constexpr double largest_seed = 9223372036854774784.0;  // below 2^63
    return SectionBuilder("campaign", "The keys of the top level.")
        .add(count_key("campaign_format", "version of this format", "", 1, 1))
        .add(text_key("name", "name of the campaign"))
        .add(optional_text("description", "what the campaign is for"))
        .add(count_key("seed", "seed of all random numbers", "", 1, largest_seed))
        .add(
            optional_text("include", "files that lie below this one"),
            "list of file names, relative to this file"
        )
        .add(experiment)
        .add(text_key("system", "the simulated machine"), "section `system`")
        .add(text_key("workload", "the workload model and its parameters"), "section `workload`")
        .add(text_key("policy", "the scheduling policy"), "a policy with its parameters")
        .add(optional_text("load", "the offered load"), "section `load`")
        .add(optional_text("horizon", "how long a replication is"), "section `horizon`")
        .add(
            optional_text("replications", "a fixed number of replications"),
            "a number, or section `replications`"
        )
        .add(
            optional_text("precision", "replications until an interval is short enough"),
            "section `precision`"
        )
        .add(
            optional_text("probes", "what is measured; default: response_time where jobs have one"),
            "list of probes with their parameters"
        )
        .add(unstable)
        .add(optional_text("factors", "what is varied"), "section `factors`")
        .add(optional_text("derived", "values computed from others, per cell"), "section `derived`")
        .add(optional_text("overrides", "values for some cells"), "section `overrides`")
        .add(
            optional_text("reference", "values that a paper prints"),
            "name of a CSV file, relative to this file"
        )
        .add(optional_text("report", "how results are printed"), "section `report`")
        .build();
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
        .build();
}

Section load_section() {
    return SectionBuilder("load", "The offered load; only in an `open` experiment.")
        .add(
            {.name = "utilization",
             .meaning = "arrival rate * E[size] * E[service time] / processors",
             .range = {.low = 0, .high = 1, .low_is_open = true, .high_is_open = true}}
        )
        .build();
}

Section horizon_section() {
    ParameterDescription warm_up{
        .name = "warm_up",
        .meaning = "jobs at the beginning that are simulated but not measured",
        .type = ParameterType::choice,
        .default_value = engine::Choice{"fraction", {}}};
    engine::Parameters fraction;
    fraction.set("fraction", 0.2);
    warm_up.default_value = Value(engine::Choice{"fraction", fraction});
    warm_up.alternatives = &warm_up_alternatives;
    return SectionBuilder(
               "horizon", "How long a replication is. An experiment uses the keys that it needs."
    )
        .add(with_default(
            count_key(
                "jobs",
                "open, trace, offline: jobs submitted; saturated: jobs started",
                "jobs",
                1,
                most_jobs
            ),
            20000
        ))
        .add(warm_up)
        .add(with_default(
            count_key("backlog", "saturated: waiting jobs at every instant", "jobs", 1, 1e7), 64
        ))
        .add(with_default(
            count_key("fills", "bin_filling: fills per replication", "fills", 1, most_jobs), 10000
        ))
        .build();
}

Section replications_section() {
    return SectionBuilder(
               "replications", "A fixed number of replications; a bare number is `count`."
    )
        .add(count_key("count", "replications of every cell", "replications", 1, 1e9))
        .add(confidence_key())
        .add(interval_key())
        .build();
}

Section precision_section() {
    Range relative{.low = 0, .high = 1, .low_is_open = true, .high_is_open = true};
    return SectionBuilder(
               "precision",
               "Replications until the interval of each target is short enough; give this or "
               "`replications`."
    )
        .add(optional_text("metric", "what must be precise; a bare probe stands for its mean"))
        .add(
            {.name = "relative",
             .meaning =
                 "half-width relative to the mean; the default holds where `absolute` is not given",
             .default_value = 0.05,
             .range = relative}
        )
        .add(
            {.name = "absolute",
             .meaning = "or half-width in the metric's unit",
             .default_value = 0.0,
             .range = {.low = 0, .low_is_open = true}}
        )
        .add(
            optional_text("targets", "several targets, all of which must be met"),
            "list of {metric, relative, absolute}; instead of the three keys above"
        )
        .add(confidence_key())
        .add(with_default(
            count_key("min", "replications before the first decision", "replications", 2, 1e9), 64
        ))
        .add(with_default(count_key("max", "replications at most", "replications", 2, 1e9), 100000))
        .add(interval_key())
        .build();
}

Section report_section() {
    return SectionBuilder("report", "How `schedfarm report` prints the results.")
        .add(optional_text("title", "heading of the table"))
        .add(optional_text("source", "where the reference values come from"))
        .add(
            optional_text("rows", "factors that make the rows; default: all"),
            "list of factor names"
        )
        .add(
            optional_text("metrics", "observations shown; default: the targets, else all"),
            "list of metrics"
        )
        .build();
}

}  // namespace

const std::vector<Section>& sections() {
    static const std::vector<Section> all{
        campaign_section(),
        system_section(),
        load_section(),
        horizon_section(),
        replications_section(),
        precision_section(),
        report_section()};
    return all;
}

const Section& section(std::string_view name) {
    const auto found = std::find_if(sections().begin(), sections().end(), [&](const Section& s) {
        return s.name == name;
    });
    SCHEDFARM_EXPECT(found != sections().end(), "no section '" + std::string(name) + "'");
    return *found;
}

std::vector<std::string> key_names(const std::vector<ParameterDescription>& table) {
    std::vector<std::string> names;
    names.reserve(table.size());
    for (const ParameterDescription& row : table) {
        names.push_back(row.name);
    }
    return names;
}

const std::vector<std::string>& variable_keys() {
    static const std::vector<std::string> keys{
        "experiment",
        "system",
        "workload",
        "policy",
        "load",
        "horizon",
        "replications",
        "precision",
        "probes",
        "allow_unstable"};
    return keys;
}

const std::vector<engine::Alternative>& warm_up_alternatives() {
    static const std::vector<engine::Alternative> alternatives{
        {.name = "none", .summary = "Every job is measured.", .parameters = {}},
        {.name = "fraction",
         .summary = "A fraction of the jobs, rounded to a whole number.",
         .parameters =
             {{.name = "fraction",
               .meaning = "fraction of the jobs",
               .range = {.low = 0, .high = 1, .high_is_open = true}}}},
        {.name = "jobs",
         .summary = "A number of jobs.",
         .parameters = {count_key("jobs", "number of jobs", "jobs", 0, most_jobs)}}};
    return alternatives;
}

const std::vector<ExperimentText>& experiment_texts() {
    using engine::ExperimentKind;
    static const std::vector<ExperimentText> texts{
        {ExperimentKind::bin_filling,
         "bin_filling",
         "No time: jobs are placed on an empty system, in order, until one does not fit."},
        {ExperimentKind::open, "open", "Jobs arrive at the load given: response times."},
        {ExperimentKind::saturated,
         "saturated",
         "A constant backlog of waiting jobs: the maximal utilization."},
        {ExperimentKind::trace, "trace", "Jobs arrive as a log says."},
        {ExperimentKind::offline, "offline", "All jobs are there at time 0."}};
    return texts;
}

std::string experiment_name(engine::ExperimentKind kind) {
    for (const ExperimentText& text : experiment_texts()) {
        if (text.kind == kind) {
            return text.name;
        }
    }
    SCHEDFARM_EXPECT(false, "an experiment without a name");
}

}  // namespace schedfarm::campaigns
