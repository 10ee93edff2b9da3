#include "app/config/schema/schema_rows.hpp"

namespace schedfarm::app {

namespace {

using engine::ParameterDescription;
using engine::ParameterType;

/// What is held against the truth.
void add_subject(SectionBuilder& builder) {
    builder
        .add(with_default(
            word_key(
                "subject",
                "what is counted or averaged over the macro-runs",
                {"interval",
                 "bias",
                 "decision",
                 "ordered_prefix",
                 "first_finished",
                 "every_look",
                 "mser_per_replication"}
            ),
            "interval"
        ))
        .add(with_default(
            text_key("table", "table of the result file whose rows are meant"), "estimates"
        ))
        .add(with_default(
            word_key(
                "scope",
                "rows of this cell (of comparisons those in which it is the first), or all rows",
                {"cell", "campaign"}
            ),
            "cell"
        ))
        .add_optional(
            text_key("where", "which of these rows are meant"),
            "`column: value`, any number of them"
        )
        .add_optional(text_key("metric", "rows of this metric; a bare probe stands for its mean"))
        .add(with_default(
            word_key(
                "interval",
                "which interval of these rows: that of the report, or of a resampled log that over "
                "all draws from it",
                {"reported", "given_log"}
            ),
            "reported"
        ));
}

void add_truth(SectionBuilder& builder) {
    builder
        .add(with_default(
            text_key(
                "truth",
                "label of the known value that is true (of comparisons: the difference of those of "
                "the two cells), or a number"
            ),
            "exact"
        ))
        .add_optional(text_key("source", "where the number is from"))
        .add_optional(text_key("column", "decision: the column that decides"))
        .add_optional(text_key("is", "decision: a word that is right there"), "list of words")
        .add_optional(real_key("at_least", "decision: the least number that is right there", {}))
        .add(
            {.name = "band",
             .meaning = "lowest and highest coverage, share or bias; bias relative to the truth, "
                        "absolute where that is 0",
             .type = ParameterType::real_list,
             .range = {.low = -1, .high = 1}},
            "list of two numbers"
        )
        .add(with_default(
            word_key(
                "expect", "inside the band, or outside: a negative control", {"inside", "outside"}
            ),
            "inside"
        ));
}

void add_repetition(SectionBuilder& builder) {
    const ParameterDescription judged{
        .name = "judged",
        .meaning =
            "share of the macro-runs that must end as planned; coverage and bias are those "
            "of these alone",
        .default_value = 0.9,
        .range = {.low = 0, .high = 1}};
    builder.add(judged)
        .add(with_default(
            count_key(
                "virtual_workers",
                "workers in virtual time, where a replication takes as long as its result says",
                "workers",
                1,
                1e6
            ),
            1
        ))
        .add(with_default(
            count_key("macro_runs", "macro-runs of the long form", "macro-runs", 2, 1e6), 4000
        ))
        .add(with_default(
            count_key(
                "short_macro_runs",
                "macro-runs of the short form; 0: left to the long form",
                "macro-runs",
                0,
                1e6
            ),
            400
        ))
        .add_optional(text_key("procedure", "source files of what is certified"), "list of files");
}

}  // namespace

Section certificate_section() {
    SectionBuilder builder(
        "certificate",
        "What `schedfarm certify` expects of a cell, or of several numbers and decisions in a list "
        "of such sections, when the campaign is run under many seeds (macro-runs). `interval`: the "
        "share of macro-runs in which the intervals of the rows contain the truth. `bias`: the "
        "mean "
        "of their errors. `decision`: the share in which a column has the right word or number in "
        "every row. `ordered_prefix`, `first_finished`: bias of the mean over the first "
        "replications by index, or over those that finish first. `every_look`: the share in which "
        "the strict "
        "rule's intervals of all looks contain the truth. `mser_per_replication`: coverage "
        "when every replication is cut by its own MSER-5."
    );
    add_subject(builder);
    add_truth(builder);
    add_repetition(builder);
    return builder.build();
}

}  // namespace schedfarm::app
