#include "engine/simulation/measurement/published_columns.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace schedfarm::engine;

namespace {

std::vector<ObservationColumn> lent_by_cluster(const Parameters&, const SystemDescription& system) {
    std::vector<ObservationColumn> columns;
    for (std::size_t c = 0; c < system.clusters.size(); ++c) {
        columns.push_back({fmt::format("lent[cluster={}]", c), "", ""});
    }
    return columns;
}

std::vector<std::string> names(const std::vector<ObservationColumn>& columns) {
    std::vector<std::string> names;
    for (const ObservationColumn& column : columns) {
        names.push_back(column.name);
    }
    return names;
}

}  // namespace

TEST_CASE("a policy announces a column for each cluster of the system") {
    PolicyDescription policy;
    policy.observations = lent_by_cluster;
    WorkloadTraits workload;
    CHECK(
        names(published_columns(policy, {}, {.clusters = {8, 4}}, workload))
        == std::vector<std::string>{"lent[cluster=0]", "lent[cluster=1]"}
    );
    workload.has_fixed_starts = true;
    CHECK(
        names(published_columns(policy, {}, {.clusters = {8}}, workload))
        == std::vector<
            std::string>{"lent[cluster=0]", "reservations_refused", "reservations_missed"}
    );
}

TEST_CASE("a policy without observations announces none on any system") {
    CHECK(published_columns({}, {}, {.clusters = {8, 4}}, WorkloadTraits{}).empty());
}
