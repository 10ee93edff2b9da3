// The sections that say how many replications a cell gets and how its intervals are computed.
#include "app/config/schema/schema_rows.hpp"
#include "app/config/sections/replication_reader.hpp"

namespace schedfarm::app {

namespace {

using engine::ParameterDescription;

ParameterDescription confidence_key() {
    return with_default(
        probability_key("confidence", "confidence level of all intervals", 0), 0.95
    );
}

ParameterDescription interval_key() {
    std::vector<std::string> words;
    for (const IntervalText& text : interval_texts()) {
        words.emplace_back(text.name);
    }
    return with_default(
        word_key("interval", "how intervals are computed", std::move(words)), "skew_adjusted"
    );
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
    ParameterDescription relative = probability_key(
        "relative",
        "half-width relative to the mean; the default holds where `absolute` is not given",
        0
    );
    return SectionBuilder(
               "precision",
               "Replications until the interval of each target is short enough; give this or "
               "`replications`. Decisions fall after `min` replications and then whenever there "
               "are 1.2 times as many. `rule: strict` decides by confidence sequences, which are "
               "right however often one looks, at 1.7 to 3.8 times the replications; `interval` is "
               "then `confidence_sequence` where it is not given."
    )
        .add(with_default(
            text_key(
                "metric",
                "what must be precise; a bare probe stands for its mean, `response_time.p95` for "
                "the "
                "quantile of all jobs of all replications"
            ),
            ""
        ))
        .add(with_default(relative, 0.05))
        .add_optional(
            {.name = "absolute",
             .meaning = "or half-width in the metric's unit",
             .range = {.low = 0, .low_is_open = true}}
        )
        .add(
            with_default(text_key("targets", "several targets, all of which must be met"), ""),
            "list of {metric, relative, absolute}; instead of the three keys above"
        )
        .add(confidence_key())
        .add(with_default(
            word_key("rule", "by what intervals a target is met", {"default", "strict"}), "default"
        ))
        .add(with_default(
            count_key("min", "replications before the first decision", "replications", 2, 1e9), 64
        ))
        .add(with_default(count_key("max", "replications at most", "replications", 2, 1e9), 100000))
        .add_optional(
            text_key("budget", "what a cell may cost at most"), "section `precision.budget`"
        )
        .add(interval_key())
        .build();
}

Section budget_section() {
    constexpr double most = 9007199254740992.0;  // 2^53
    return SectionBuilder(
               "precision.budget",
               "What a cell may cost at most, over all its replications; any one or several. "
               "Counts give the same results on any machine; core-hours do not, and a cell that "
               "they end is marked provisional."
    )
        .add_optional(count_key("replications", "replications", "replications", 1, 1e9))
        .add_optional(count_key("jobs", "jobs submitted", "jobs", 1, most))
        .add_optional(count_key("events", "events simulated", "events", 1, most))
        .add_optional(
            {.name = "core_hours",
             .meaning = "time that the replications take",
             .unit = "hours",
             .range = {.low = 0, .low_is_open = true}}
        )
        .build();
}

}  // namespace

std::vector<Section> replication_sections() {
    return {replications_section(), precision_section(), budget_section()};
}

}  // namespace schedfarm::app
