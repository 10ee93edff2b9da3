#include "app/plan/analyses/certificates.hpp"

#include <utility>

#include <fmt/format.h>

#include "app/config/yaml/numbers.hpp"
#include "app/config/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

/// Of what kind of column a label of truth is known.
bool is_of_estimates(const Certificate& certificate) {
    return certificate.table == "estimates" && certificate.subject != CertificateSubject::decision;
}

class CertificateResolver {
  public:
    CertificateResolver(const CheckedCell& checked, const Cell& cell, Problems& problems)
        : checked_(checked), cell_(cell), problems_(problems) {}

    void resolve(Certificate& certificate) {
        const bool is_labelled =
            has_label(certificate) && certificate.subject != CertificateSubject::decision;
        const bool is_open = cell_.experiment.kind.is_open();
        if (is_labelled && is_of_estimates(certificate) && is_open && !cell_.utilization) {
            refuse(
                "metric",
                fmt::format("nothing is known{} (its load is still to be found)", checked_.where),
                "Give it load: {utilization: 0.5}?"
            );
            return;
        }
        if (certificate.subject == CertificateSubject::mser_per_replication
            && cell_.experiment.series_bins == 0) {
            refuse(
                "subject",
                fmt::format("subject 'mser_per_replication' needs a series{}", checked_.where),
                "Give 'horizon.ensemble_bins' in an open experiment?"
            );
        }
        if (!is_of_estimates(certificate)) {
            if (is_labelled) {
                expect_truth(certificate);
            }
            return;
        }
        const ConfigProblem place{
            nearest_position(checked_.tree, "certificate.metric"), "certificate.metric", "", ""};
        const auto column =
            resolve_observed(certificate.metric, cell_.columns, checked_.where, place, problems_);
        if (column) {
            certificate.metric = *column;
            if (is_labelled) {
                expect_truth(certificate);
            }
        }
    }

  private:
    void refuse(const char* key, std::string reason, std::string suggestion) {
        const std::string path = std::string("certificate.") + key;
        problems_.add_once(
            key,
            {nearest_position(checked_.tree, path), path, std::move(reason), std::move(suggestion)}
        );
    }

    void expect_truth(const Certificate& certificate) {
        std::vector<std::string> labels;
        for (const engine::KnownValue& known : truths_of(cell_)) {
            if (known.metric == certificate.metric) {
                labels.push_back(known.label);
            }
        }
        if (contains(labels, certificate.truth)) {
            return;
        }
        problems_.add_once(
            "no truth",
            {nearest_position(checked_.tree, "certificate.truth"),
             "certificate.truth",
             fmt::format(
                 "nothing '{}' other than 0 is known of '{}'{}",
                 certificate.truth,
                 certificate.metric,
                 checked_.where
             ),
             labels.empty() ? "Choose a cell with closed forms?"
                            : name_suggestion(certificate.truth, labels)}
        );
    }

    const CheckedCell& checked_;
    const Cell& cell_;
    Problems& problems_;
};

}  // namespace

std::vector<engine::KnownValue> truths_of(const Cell& cell) {
    std::vector<engine::KnownValue> truths = cell.known_values;
    if (cell.maximal_utilization) {
        engine::KnownValue saturation = *cell.maximal_utilization;
        saturation.label = "exact";
        saturation.metric = "rho_max";
        truths.push_back(saturation);
        if (cell.experiment.kind.keeps_backlog()) {
            saturation.metric = "gross_utilization";
            truths.push_back(saturation);
        }
    }
    std::erase_if(truths, [](const engine::KnownValue& known) { return known.value == 0; });
    return truths;
}

bool has_label(const Certificate& certificate) {
    return !parse_real(certificate.truth);
}

void resolve_certificates(const CheckedCell& checked, Cell& cell, Problems& problems) {
    for (Certificate& certificate : cell.certificates) {
        CertificateResolver(checked, cell, problems).resolve(certificate);
    }
}

std::string text_of(const Certificate& certificate) {
    std::string where;
    for (const auto& [column, value] : certificate.where) {
        where += fmt::format(" {}={}", column, value);
    }
    return fmt::format(
        "certificate {} of {} {}{}, {} by {} ({}), {} in [{}] from {}, in {} to {}, {}, {} judged, "
        "{} workers, {} and {} macro-runs, [{}]\n",
        static_cast<int>(certificate.subject),
        certificate.table,
        static_cast<int>(certificate.scope),
        where,
        certificate.metric,
        certificate.truth,
        certificate.source,
        certificate.column,
        fmt::join(certificate.is, ", "),
        certificate.at_least,
        number_text(certificate.low),
        number_text(certificate.high),
        certificate.is_negative_control ? "outside" : "inside",
        number_text(certificate.judged),
        certificate.virtual_workers,
        certificate.macro_runs,
        certificate.short_macro_runs,
        fmt::join(certificate.procedure, ", ")
    );
}

}  // namespace schedfarm::app
