#include "app/certify/certificate_row.hpp"

#include <doctest/doctest.h>

#include "app/config/yaml/config_error.hpp"

#include "tests/app/certify/certified_campaigns.hpp"

using namespace schedfarm;              // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::app::tests;  // NOLINT(google-build-using-namespace)

namespace {

const std::string two_queues = queue_text(
    "queue",
    "horizon: {jobs: 6000, warm_up: {jobs: 1000}}\n"
    "factors: {load.utilization: [0.5, 0.8]}\n"
);

std::string errors_of(const Plan& plan) {
    try {
        certificate_rows(plan);
        return "";
    } catch (const ConfigErrors& errors) {
        return errors.what();
    }
}

}  // namespace

// M/M/1: E[T] = 1 / (1 − ρ): 2 at .5, 5 at .8.
TEST_CASE("a campaign without certificate sections is certified by its exact values") {
    const Plan plan = plan_of_text(
        two_queues + "precision: {metric: response_time, relative: 0.1, confidence: 0.9}\n"
    );
    const auto rows = certificate_rows(plan);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].truth == 2);
    CHECK(rows[1].truth == doctest::Approx(5).epsilon(1e-12));
    CHECK(row_name(rows[1]) == "0.8");
    CHECK(rows[0].certificate.metric == "response_time.mean");
    CHECK(rows[0].certificate.low == doctest::Approx(0.88));
    CHECK(rows[0].certificate.high == doctest::Approx(0.92));
    CHECK_FALSE(rows[0].certificate.is_negative_control);
}

TEST_CASE("cells without a section are no rows where others have one") {
    Plan plan = plan_of_text(two_queues + "replications: 10\n");
    plan.cells[1].certificates = {certificate_of(CertificateSubject::interval, 0.93, 0.97)};
    plan.cells[1].certificates[0].truth = "exact";
    const auto rows = certificate_rows(plan);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].cell == &plan.cells[1]);
    CHECK(rows[0].source == "M/M/1 (Pollaczek & Khinchine)");
}

TEST_CASE("a truth that is not known is an error that names the file and the cell") {
    Plan plan = plan_of_text(two_queues + "replications: 10\n");
    plan.cells[1].certificates = {certificate_of(CertificateSubject::interval, 0.93, 0.97)};
    CHECK(
        errors_of(plan)
        == "folder/a.yaml: cell 1 cannot be certified (no observed metric 'response_time.mean' "
           "with a known value 'mean' other than 0). `schedfarm run` and `schedfarm report` show "
           "what is known of a cell"
    );
    for (Cell& cell : plan.cells) {
        cell.certificates.clear();
        cell.known_values.clear();
    }
    CHECK(errors_of(plan).find("nothing to certify") != std::string::npos);
}
