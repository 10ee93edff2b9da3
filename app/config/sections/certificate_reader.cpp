#include "app/config/sections/certificate_reader.hpp"

#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "app/config/sections/metric_suggestion.hpp"
#include "app/config/sections/section_reader.hpp"

namespace schedfarm::app {

namespace {

using engine::Parameters;

CertificateSubject subject_of(const std::string& word) {
    static const std::map<std::string, CertificateSubject> subjects{
        {"interval", CertificateSubject::interval},
        {"bias", CertificateSubject::bias},
        {"decision", CertificateSubject::decision},
        {"ordered_prefix", CertificateSubject::ordered_prefix},
        {"first_finished", CertificateSubject::first_finished},
        {"every_look", CertificateSubject::every_look},
        {"mser_per_replication", CertificateSubject::mser_per_replication}};
    return subjects.at(word);
}

class CertificateReader {
  public:
    CertificateReader(const Node& node, const Node& cell, Problems& problems)
        : node_(node), examples_{{"metric", observed_metric(cell)}}, problems_(problems) {}

    std::optional<Certificate> read() {
        const auto parameters = read_section(
            &node_, "certificate", node_.at, problems_, {"where", "is", "procedure"}, examples_
        );
        if (!parameters) {
            return std::nullopt;
        }
        Certificate certificate;
        certificate.subject = subject_of(parameters->text("subject"));
        certificate.table = parameters->text("table");
        certificate.scope = parameters->text("scope") == "cell" ? CertificateScope::cell
                                                                : CertificateScope::campaign;
        certificate.metric = optional_text(*parameters, "metric");
        certificate.ends = parameters->text("interval") == "given_log" ? "given_log_" : "";
        certificate.truth = parameters->text("truth");
        certificate.source = optional_text(*parameters, "source");
        certificate.is_negative_control = parameters->text("expect") == "outside";
        certificate.judged = parameters->real("judged");
        certificate.virtual_workers = count_of(*parameters, "virtual_workers");
        certificate.macro_runs = count_of(*parameters, "macro_runs");
        certificate.short_macro_runs = count_of(*parameters, "short_macro_runs");
        certificate.where = read_where();
        certificate.procedure = names("procedure");
        read_decision(*parameters, certificate);
        read_band(*parameters, certificate);
        expect_metric(certificate);
        return is_right_ ? std::optional(certificate) : std::nullopt;
    }

  private:
    static std::string optional_text(const Parameters& parameters, const char* key) {
        return parameters.contains(key) ? parameters.text(key) : "";
    }

    static std::uint32_t count_of(const Parameters& parameters, const char* key) {
        return static_cast<std::uint32_t>(parameters.integer(key));
    }

    void refuse(const std::string& key, std::string reason, std::string suggestion) {
        is_right_ = false;
        problems_.add(
            nearest_position(node_, key),
            "certificate." + key,
            std::move(reason),
            std::move(suggestion)
        );
    }

    std::vector<std::string> names(const char* key) {
        const Node* list = node_.find(key);
        return list == nullptr ? std::vector<std::string>{}
                               : read_names(*list, fmt::format("certificate.{}", key), problems_);
    }

    std::vector<std::pair<std::string, std::string>> read_where() {
        std::vector<std::pair<std::string, std::string>> where;
        const Node* node = node_.find("where");
        if (node == nullptr) {
            return where;
        }
        for (const Node::Entry& entry : node->entries) {
            where.emplace_back(entry.key, entry.value.scalar);
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

    void read_decision(const Parameters& parameters, Certificate& certificate) {
        certificate.column = optional_text(parameters, "column");
        certificate.is = names("is");
        if (parameters.contains("at_least")) {
            certificate.at_least = parameters.real("at_least");
        }
        const bool has_rule = certificate.is.empty() == parameters.contains("at_least");
        if (certificate.subject == CertificateSubject::decision
            && (certificate.column.empty() || !has_rule)) {
            refuse(
                "subject",
                "a decision needs a column, and what is right there",
                "Add 'column: verdict' and 'is: [stable]', or 'at_least: 0.05'?"
            );
        }
    }

    void read_band(const Parameters& parameters, Certificate& certificate) {
        const std::vector<double> band = parameters.reals("band");
        if (band.size() != 2 || band[0] > band[1]) {
            refuse(
                "band",
                "'certificate.band' must be two numbers, the lower one first",
                "Write [0.93, 0.97]?"
            );
            return;
        }
        certificate.low = band[0];
        certificate.high = band[1];
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
                fmt::format("Add 'metric: {}'?", examples_.at("metric"))
            );
        }
    }

    const Node& node_;
    std::map<std::string, std::string> examples_;
    Problems& problems_;
    bool is_right_ = true;
};

}  // namespace

std::vector<Certificate> read_certificates(const Node& cell, Problems& problems) {
    std::vector<Certificate> certificates;
    const Node* node = cell.find("certificate");
    if (node == nullptr) {
        return certificates;
    }
    const std::vector<Node> sections = node->is_list() ? node->items : std::vector<Node>{*node};
    for (const Node& section : sections) {
        if (auto certificate = CertificateReader(section, cell, problems).read()) {
            certificates.push_back(std::move(*certificate));
        }
    }
    return certificates;
}

}  // namespace schedfarm::app
