// Small campaigns whose truth is known, for the tests of the certificate.
#pragma once

#include <cstdint>
#include <string>

#include "app/plan/plan.hpp"

namespace schedfarm::app::tests {

inline Plan plan_of_text(const std::string& text) {
    CampaignSource source;
    source.main_file = "folder/a.yaml";
    source.files["folder/a.yaml"] = text;
    return make_plan(std::move(source));
}

/// A campaign of the queue M/M/1 with mean service 1, with these lines behind.
inline std::string queue_text(const std::string& name, const std::string& lines) {
    return "campaign_format: 1\n"
           "name: "
           + name + "\n"
           "seed: 5\n"
           "experiment: open\n"
           "system: {clusters: [1]}\n"
           "workload: {model: coallocation, request: total, components: 1,\n"
           "           component_size: {constant: {size: 1}}, service: {exponential: {mean: 1}}}\n"
           "policy: fcfs\n"
           + lines;
}

/// A cell whose replications are one job each on an idle processor: the response time is the
/// service time, exponential with mean 1. `rule` is the campaign's line on replications.
inline Plan one_job_plan(const std::string& rule) {
    Plan plan = plan_of_text(queue_text(
        "one job",
        "load: {utilization: 0.5}\nhorizon: {jobs: 1, warm_up: {jobs: 0}}\n" + rule + "\n"
    ));
    plan.cells[0].known_values.push_back({"response_time.mean", "mean", 1.0, "E[service]", true});
    return plan;
}

inline Certificate certificate_of(
    CertificateSubject subject, double low, double high, std::uint32_t virtual_workers = 1
) {
    Certificate certificate;
    certificate.subject = subject;
    certificate.metric = "response_time.mean";
    certificate.truth = "mean";
    certificate.low = low;
    certificate.high = high;
    certificate.virtual_workers = virtual_workers;
    return certificate;
}

}  // namespace schedfarm::app::tests
