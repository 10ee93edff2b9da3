#include "app/campaign/keys/analyses/certificate_reader.hpp"

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/campaign/keys/metric_suggestion.hpp"
#include "app/campaign/keys/section_lists.hpp"
#include "app/campaign/keys/section_reader.hpp"

namespace schedfarm::app {

namespace {

const Section& certificate_section() {
    static const Section section =
        Section(
            "certificate",
            "What `schedfarm certify` expects of a cell, or of several numbers and decisions in a "
            "list of such sections, in the results of a campaign of many seeds (`factors.seed`). "
            "`interval`: the share of seeds in which the intervals of the rows contain the truth. "
            "`bias`: the mean of their errors. `decision`: the share in which a column has the "
            "right word or number in every row. `ordered_prefix`: bias of the mean over the first "
            "replications by index, which must be that of `estimates` to the bit. "
            "`first_finished`: bias of the mean over those that finish first, as many as are sure "
            "to be first (all but one for each worker beyond the first). `every_look`: the share "
            "in which the strict rule's intervals of all looks contain the truth."
        )
            .word(
                "subject",
                {"interval", "bias", "decision", "ordered_prefix", "first_finished", "every_look"}
            )
            .means("what is counted or averaged over the seeds", "interval")
            .text("table")
            .means("table of the result file whose rows are meant", "estimates")
            .word("scope", {"cell", "campaign"})
            .means(
                "rows of this cell (of comparisons those in which it is the first), or all rows",
                "cell"
            )
            .other("where")
            .optional("which of these rows are meant", "`column: value`, any number of them")
            .text("metric")
            .optional("rows of this metric; a bare probe stands for its mean")
            .word("interval", {"reported", "given_log"})
            .means(
                "which interval of these rows: that of the report, or of a resampled log that over "
                "all draws from it",
                "reported"
            )
            .text("truth")
            .means("label of the known value that is true, or a number", "exact")
            .text("source")
            .optional("where the number is from")
            .text("column")
            .optional("decision: the column that decides")
            .names("is")
            .optional("decision: a word that is right there", "list of words")
            .real("at_least")
            .optional("decision: the least number that is right there")
            .reals("band", {-1, 1})
            .required(
                "lowest and highest coverage, share or bias; bias relative to the truth, "
                "absolute where that is 0",
                "list of two numbers"
            )
            .word("expect", {"inside", "outside"})
            .means("inside the band, or outside: a negative control", "inside")
            .real("judged", {0, 1})
            .means(
                "share of the seeds that must end as planned; coverage and bias are those of these "
                "alone",
                0.9
            )
            .integer("virtual_workers", {0, 1e6}, "workers")
            .means(
                "first_finished: workers in virtual time, where a replication takes as long as its "
                "result says; 0: the workers and times of the run",
                0
            )
            .names("procedure")
            .optional("source files of what is certified", "list of files");
    return section;
}

/// `column: value`, as texts.
std::optional<engine::Value> read_where(const Node& node, Problems& problems) {
    engine::Parameters where;
    for (const Node::Entry& entry : node.entries) {
        where.set(entry.key, entry.value->scalar);
    }
    if (!node.is_map()) {
        problems.add(
            node.at,
            "certificate.where",
            "'certificate.where' must be a mapping of columns to values",
            "Write {probability: 0.99}."
        );
        return std::nullopt;
    }
    return engine::Value(engine::Choice{"", std::move(where)});
}

/// A problem where a decision lacks its rule, or a number of `estimates` its metric.
bool is_whole(
    const engine::Parameters& written,
    const Node& node,
    const std::string& example,
    Problems& problems
) {
    if (says(written, "subject", "decision")) {
        const bool has_rule = names_in(written, "is").empty() == written.contains("at_least");
        if (text_in(written, "column").empty() || !has_rule) {
            problems.add(
                nearest_position(node, "subject"),
                "certificate.subject",
                "a decision needs a column, and what is right there",
                "Add 'column: verdict' and 'is: [stable]', or 'at_least: 0.05'."
            );
            return false;
        }
    } else if (says(written, "table", "estimates") && text_in(written, "metric").empty()) {
        problems.add(
            node.at,
            "certificate.metric",
            "'certificate.metric' is missing (the metric whose true value is known; a bare probe "
            "stands for its mean)",
            fmt::format("Add 'metric: {}'.", example)
        );
        return false;
    }
    return true;
}

std::optional<engine::Parameters> read_certificate(
    const Node& node, const std::string& example, Problems& problems
) {
    const Section& section = certificate_section();
    auto written = read_section(&node, section, node.at, problems, {{"metric", example}});
    if (!written
        || !interval_in(
            *written, "band", Ends::may_meet, section, node, "[0.93, 0.97]", problems
        )) {
        return std::nullopt;
    }
    if (const Node* given = node.find("where")) {
        auto where = read_where(*given, problems);
        if (!where) {
            return std::nullopt;
        }
        written->set("where", std::move(*where));
    }
    return is_whole(*written, node, example, problems) ? written : std::nullopt;
}

}  // namespace

std::vector<Section> certificate_sections() {
    return {certificate_section()};
}

std::vector<Certificate> read_certificates(const Node& cell, Problems& problems) {
    std::vector<Certificate> certificates;
    const Node* node = cell.find("certificate");
    if (node == nullptr) {
        return certificates;
    }
    const std::string example = observed_metric(cell);
    const std::vector<Tree> sections = node->is_list() ? node->items : std::vector<Tree>{*node};
    for (const Tree& section : sections) {
        if (auto written = read_certificate(section, example, problems)) {
            certificates.push_back({section, std::move(*written)});
        }
    }
    return certificates;
}

}  // namespace schedfarm::app
