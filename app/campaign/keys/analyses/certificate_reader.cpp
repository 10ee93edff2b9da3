#include "app/campaign/keys/analyses/certificate_reader.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

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
            .word("subject", Names(certificate_subjects.begin(), certificate_subjects.end()))
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

class CertificateReader {
  public:
    CertificateReader(const Node& node, const Node& cell, Problems& problems)
        : node_(node), example_(observed_metric(cell)), problems_(problems) {}

    std::optional<Certificate> read() {
        const auto written = read_section(
            &node_, certificate_section(), node_.at, problems_, {{"metric", example_}}
        );
        const auto band = written ? interval_in(
                              *written,
                              "band",
                              Ends::may_meet,
                              certificate_section(),
                              node_,
                              "[0.93, 0.97]",
                              problems_
                          )
                                  : std::nullopt;
        if (!band) {
            return std::nullopt;
        }
        Certificate certificate{
            .table = written->text("table"),
            .scope = says(*written, "scope", "cell") ? CertificateScope::cell
                                                     : CertificateScope::campaign,
            .where = read_where(),
            .metric = text_in(*written, "metric"),
            .ends = says(*written, "interval", "given_log") ? "given_log_" : "",
            .truth = written->text("truth"),
            .source = text_in(*written, "source"),
            .column = text_in(*written, "column"),
            .is = names_in(*written, "is"),
            .low = band->low,
            .high = band->high,
            .is_negative_control = says(*written, "expect", "outside"),
            .judged = written->real("judged"),
            .virtual_workers = static_cast<std::uint32_t>(written->integer("virtual_workers")),
            .procedure = names_in(*written, "procedure")};
        const auto& subjects = certificate_subjects;
        const auto subject = std::find(subjects.begin(), subjects.end(), written->text("subject"));
        certificate.subject = static_cast<CertificateSubject>(subject - subjects.begin());
        certificate.at_least = real_in(*written, "at_least").value_or(certificate.at_least);
        expect_decision(certificate);
        expect_metric(certificate);
        return is_right_ ? std::optional(certificate) : std::nullopt;
    }

  private:
    void refuse(const std::string& key, std::string reason, std::string suggestion) {
        is_right_ = false;
        problems_.add(
            nearest_position(node_, key),
            "certificate." + key,
            std::move(reason),
            std::move(suggestion)
        );
    }

    std::vector<std::pair<std::string, std::string>> read_where() {
        std::vector<std::pair<std::string, std::string>> where;
        const Node* node = node_.find("where");
        if (node == nullptr) {
            return where;
        }
        for (const Node::Entry& entry : node->entries) {
            where.emplace_back(entry.key, entry.value->scalar);
        }
        if (!node->is_map()) {
            refuse(
                "where",
                "'certificate.where' must be a mapping of columns to values",
                "Write {probability: 0.99}?"
            );
        }
        return where;
    }

    void expect_decision(const Certificate& certificate) {
        const bool has_rule = certificate.is.empty() == std::isfinite(certificate.at_least);
        if (certificate.subject == CertificateSubject::decision
            && (certificate.column.empty() || !has_rule)) {
            refuse(
                "subject",
                "a decision needs a column, and what is right there",
                "Add 'column: verdict' and 'is: [stable]', or 'at_least: 0.05'?"
            );
        }
    }

    void expect_metric(const Certificate& certificate) {
        const bool needs_metric =
            certificate.subject != CertificateSubject::decision && certificate.table == "estimates";
        if (needs_metric && certificate.metric.empty()) {
            is_right_ = false;
            problems_.add(
                node_.at,
                "certificate.metric",
                "'certificate.metric' is missing (of what the true value is known; a bare probe "
                "stands for its mean)",
                fmt::format("Add 'metric: {}'?", example_)
            );
        }
    }

    const Node& node_;
    std::string example_;
    Problems& problems_;
    bool is_right_ = true;
};

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
    const std::vector<Tree> sections = node->is_list() ? node->items : std::vector<Tree>{*node};
    for (const Node& section : sections) {
        if (auto certificate = CertificateReader(section, cell, problems).read()) {
            certificates.push_back(std::move(*certificate));
        }
    }
    return certificates;
}

}  // namespace schedfarm::app
