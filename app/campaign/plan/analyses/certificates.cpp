#include "app/campaign/plan/analyses/certificates.hpp"

#include <utility>

#include <fmt/format.h>

#include "app/campaign/plan/identity/keys.hpp"
#include "app/campaign/yaml/numbers.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

/// Whether the truth is the label of a known value, not a number.
bool has_label(const Certificate& certificate) {
    return !parse_real(certificate.truth);
}

/// What is known of a cell, but for what is 0: its known values, and where there is a saturation
/// point that as `gross_utilization` of a saturated experiment and as `rho_max`.
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

/// Of what kind of column a label of truth is known.
bool is_of_estimates(const Certificate& certificate) {
    return certificate.table == "estimates" && certificate.subject != CertificateSubject::decision;
}

class CertificateResolver {
  public:
    CertificateResolver(const CheckedCell& checked, const Cell& cell, Problems& problems)
        : checked_(checked), cell_(cell), problems_(problems) {}

    void resolve(Certificate& certificate) {
        certificate.truth_value = parse_real(certificate.truth).value_or(0);
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
        if (!is_of_estimates(certificate)) {
            if (is_labelled) {
                take_truth(certificate);
            }
            return;
        }
        const ConfigProblem place{
            nearest_position(checked_.tree, "certificate.metric"), "certificate.metric", "", ""};
        const auto column = resolve_observed(
            certificate.metric, cell_.measures->columns, checked_.where, place, problems_
        );
        if (column) {
            certificate.metric = *column;
            if (is_labelled) {
                take_truth(certificate);
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

    void take_truth(Certificate& certificate) {
        std::vector<std::string> labels;
        for (const engine::KnownValue& known : truths_of(cell_)) {
            if (known.metric == certificate.metric && known.label == certificate.truth) {
                certificate.truth_value = known.value;
                certificate.source = known.source;
                return;
            }
            if (known.metric == certificate.metric) {
                labels.push_back(known.label);
            }
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

std::vector<Certificate> resolved_certificates(
    const CheckedCell& checked, const Cell& cell, Problems& problems
) {
    std::vector<Certificate> certificates = *checked.settings.certificates;
    for (Certificate& certificate : certificates) {
        CertificateResolver(checked, cell, problems).resolve(certificate);
    }
    return certificates;
}

std::string text_of(const Certificate& certificate) {
    std::string where;
    for (const auto& [column, value] : certificate.where) {
        where += fmt::format(" {}={}", column, value);
    }
    return fmt::format(
        "certificate {} of {} {}{}, {} by {} ({}), {} in [{}] from {}, in {} to {}, {}, {} judged, "
        "{} workers, [{}]\n",
        static_cast<int>(certificate.subject),
        certificate.table,
        static_cast<int>(certificate.scope),
        where,
        lasting_name(certificate.metric),
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
        fmt::join(certificate.procedure, ", ")
    );
}

}  // namespace schedfarm::app
