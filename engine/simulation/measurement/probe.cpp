#include "engine/simulation/measurement/probe.hpp"

#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/experiment_facts.hpp"
#include "engine/simulation/measurement/own_metric.hpp"
#include "engine/simulation/measurement/sketches.hpp"

namespace schedfarm::engine {

namespace {

/// Columns are told apart by their names.
std::vector<ParameterProblem> repeated_quantiles(const Parameters& given) {
    std::set<std::string> names;
    for (const double p : given.reals("quantiles")) {
        const std::string name = fmt::format("p{:.6g}", 100 * p);
        if (!names.insert(name).second) {
            return {
                {"quantiles", fmt::format("two quantiles have one name, {}", name), "Remove one."}};
        }
    }
    return {};
}

ParameterDescription quantiles_over(const char* what) {
    ParameterDescription quantiles;
    quantiles.name = "quantiles";
    quantiles.meaning =
        fmt::format("probabilities of the quantiles over {} that are reported too", what);
    quantiles.type = ParameterType::real_list;
    quantiles.default_value = Value(Value::List{});
    quantiles.range = {.low = 0, .high = 1, .low_is_open = true, .high_is_open = true};
    return quantiles;
}

ParameterDescription told_per_class(const char* what) {
    ParameterDescription per_class;
    per_class.name = "per_class";
    per_class.meaning = fmt::format("whether {} also reported for every job class", what);
    per_class.type = ParameterType::boolean;
    per_class.default_value = Value(false);
    return per_class;
}

std::vector<ParameterDescription> job_metric_parameters(const MetricDescription& metric) {
    if (metric.weight != nullptr) {
        return {told_per_class("the mean is")};
    }
    ParameterDescription sketch;
    sketch.name = "sketch";
    sketch.meaning =
        "whether the distribution over jobs is kept as a histogram, from which any quantile of a "
        "cell can be read to 0.25 %; quantiles asked for keep it anyway";
    sketch.type = ParameterType::boolean;
    sketch.default_value = Value(false);
    const char* const what = metric.metric == Metric::job_size
                                 ? "mean, quantiles and number of jobs are"
                                 : "mean and quantiles are";
    std::vector<ParameterDescription> parameters = {
        quantiles_over("jobs"), told_per_class(what), sketch};
    if (metric.has_threshold) {
        ParameterDescription threshold;
        threshold.name = "threshold";
        threshold.meaning = "shortest run time that counts; shorter jobs count as this long";
        threshold.unit = "time";
        threshold.default_value = Value(10.0);
        threshold.range = {.low = 0, .low_is_open = true};
        parameters.push_back(threshold);
    }
    return parameters;
}

Alternative alternative_of(const MetricDescription& text) {
    Alternative probe;
    probe.name = text.name;
    probe.summary = text.meaning;
    if (is_job_metric(text.metric)) {
        probe.parameters = job_metric_parameters(text);
        probe.check = text.weight == nullptr ? repeated_quantiles : nullptr;
    } else if (text.metric == Metric::queue_length) {
        probe.parameters = {quantiles_over("time"), told_per_class("mean and quantiles are")};
        probe.check = repeated_quantiles;
    } else if (text.metric == Metric::gross_utilization) {
        probe.parameters = {told_per_class("the share that is busy with its jobs is")};
    }
    return probe;
}

void append_job_columns(
    const ProbeRequest& request, const std::string& suffix, std::vector<ObservationColumn>& out
) {
    const MetricDescription& text = description_of(request);
    const std::string of_jobs = suffix.empty() ? "" : ", jobs with " + suffix;
    std::string formula = text.meaning;
    if (text.has_threshold) {
        const std::string word = "threshold";
        formula.replace(formula.find(word), word.size(), fmt::format("{:g}", request.threshold));
    }
    const std::string name = text.name;
    const std::string bracket = suffix.empty() ? "" : "[" + suffix + "]";
    const bool is_weighted = text.weight != nullptr;
    const std::string weights = is_weighted      ? name + ".weight" + bracket
                                : suffix.empty() ? ""
                                                 : name + ".count" + bracket;
    out.push_back(
        {.name = name + ".mean" + bracket,
         .unit = text.unit,
         .meaning = fmt::format("Mean over measured jobs of {}{}.", formula, of_jobs),
         .counted_by = weights}
    );
    if (request.metric == Metric::fair_start_miss && suffix.empty()) {
        out.push_back(
            {name + ".share",
             "1",
             "Share of the measured jobs that started later than if from their submission on all "
             "jobs had started in order of submission."}
        );
    }
    for (const double p : request.quantiles) {
        out.push_back(
            {quantile_column(name, p, bracket),
             text.unit,
             fmt::format("Quantile {:.6g} over measured jobs of {}{}.", p, formula, of_jobs)}
        );
    }
    if (!weights.empty()) {
        out.push_back(
            {.name = weights,
             .unit = is_weighted ? "processor*time" : "1",
             .meaning =
                 fmt::format("{} of measured jobs{}.", is_weighted ? "Area" : "Number", of_jobs),
             .is_diagnostic = request.metric != Metric::job_size}
        );
    } else if (request.metric == Metric::slowdown) {
        out.push_back(
            {.name = name + ".largest_share",
             .unit = "1",
             .meaning = "Largest slowdown of a measured job / sum over all of them.",
             .is_diagnostic = true}
        );
    }
}

void append_other_columns(
    const ProbeRequest& request, const std::string& suffix, std::vector<ObservationColumn>& out
) {
    const MetricDescription& text = description_of(request);
    const std::string of_jobs = suffix.empty() ? "" : ", jobs with " + suffix;
    const std::string bracket = suffix.empty() ? "" : "[" + suffix + "]";
    const std::string name = text.name;
    out.push_back(
        {name + (text.range == a_share ? "" : ".mean") + bracket,
         text.unit,
         fmt::format("{}{}.", text.meaning, of_jobs)}
    );
    if (request.metric != Metric::queue_length) {
        return;
    }
    for (const double p : request.quantiles) {
        out.push_back(
            {quantile_column(name, p, bracket),
             text.unit,
             fmt::format(
                 "Quantile {:.6g} over the time in the measurement window of the number of jobs "
                 "that have not started yet{}: the least that is not exceeded for at least that "
                 "share of the time.",
                 p,
                 of_jobs
             )}
        );
    }
}

bool has_classes(const ProbeRequest& request) {
    return request.per_class
           && (is_job_metric(request.metric) || request.metric == Metric::gross_utilization
               || request.metric == Metric::queue_length);
}

}  // namespace

const MetricDescription& description_of(const ProbeRequest& request) {
    return request.own ? request.own->description() : description_of(request.metric);
}

const MetricDescription* find_metric(const ProbeSet& probes, std::string_view name) {
    for (const ProbeRequest& request : probes.requests) {
        if (const MetricDescription& metric = description_of(request); metric.name == name) {
            return &metric;
        }
    }
    return find_metric(name);
}

const std::vector<Alternative>& probe_alternatives() {
    static const std::vector<Alternative> alternatives = [] {
        std::vector<Alternative> all;
        for (const MetricDescription& metric : metrics()) {
            all.push_back(alternative_of(metric));
        }
        return all;
    }();
    return alternatives;
}

Alternative own_probe(const std::string& name) {
    Alternative probe = alternative_of(description_of(Metric::own));
    probe.name = name;
    ParameterDescription expression;
    expression.name = "expression";
    expression.meaning = "a number of each job, of its columns";
    expression.type = ParameterType::text;
    probe.parameters.insert(probe.parameters.begin(), std::move(expression));
    return probe;
}

ProbeRequest make_probe_request(const Choice& choice) {
    ProbeRequest request;
    if (choice.parameters.contains("expression")) {
        request.own =
            std::make_shared<OwnMetric>(choice.name, choice.parameters.text("expression"));
    }
    const MetricDescription* found =
        request.own ? &request.own->description() : find_metric(choice.name);
    SCHEDFARM_EXPECT(found != nullptr, "no probe '" + choice.name + "'");
    request.metric = found->metric;
    if (choice.parameters.contains("quantiles")) {
        request.quantiles = choice.parameters.reals("quantiles");
    }
    if (choice.parameters.contains("per_class")) {
        request.per_class = choice.parameters.boolean("per_class");
    }
    if (choice.parameters.contains("threshold")) {
        request.threshold = choice.parameters.real("threshold");
    }
    if (choice.parameters.contains("sketch")) {
        request.sketch = choice.parameters.boolean("sketch");
    }
    return request;
}

std::vector<ObservationColumn> observation_columns(
    const ProbeSet& probes, const Experiment& experiment, std::uint32_t job_classes
) {
    std::vector<ObservationColumn> columns = experiment.kind.facts().base_columns(experiment);
    for (const ProbeRequest& request : probes.requests) {
        if (!is_observed(request.metric, experiment)) {
            continue;
        }
        const auto append =
            is_job_metric(request.metric) ? append_job_columns : append_other_columns;
        append(request, "", columns);
        for (std::uint32_t c = 0; has_classes(request) && c < job_classes; ++c) {
            append(request, fmt::format("class={}", c), columns);
        }
    }
    return columns;
}

}  // namespace schedfarm::engine
