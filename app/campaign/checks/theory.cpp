#include "app/campaign/checks/theory.hpp"

#include <algorithm>

#include "engine/simulation/measurement/published_columns.hpp"

namespace schedfarm::app {

namespace {

engine::TheoryContext context_of(const CellSettings& cell) {
    engine::TheoryContext context;
    context.system = *cell.system;
    context.experiment = cell.experiment.value_or(context.experiment);
    context.utilization = cell.utilization;
    context.horizon = cell.horizon ? cell.horizon->horizon : engine::Horizon{};
    context.first_come_first_served = cell.first_come_first_served();
    return context;
}

/// Everything that the maximal utilization may depend on.
std::string key_of(const CellSettings& cell) {
    std::string key = cell.workload->choice.text() + cell.policy->choice.text();
    for (const std::uint32_t processors : cell.system->clusters) {
        key += " " + std::to_string(processors);
    }
    return key + context_of(cell).experiment.name();
}

/// The model is built only where a probe reports per class.
std::uint32_t job_classes(const CellSettings& cell) {
    return observes_classes(cell) ? workload_traits(cell).job_classes : 1;
}

}  // namespace

std::optional<engine::KnownValue> Theory::maximal_utilization(const CellSettings& cell) {
    if (!cell.workload || !cell.system || !cell.policy || !cell.first_come_first_served()
        || !cell.system->outages.empty() || !cell.workload->description->maximal_utilization) {
        return std::nullopt;
    }
    const std::string key = key_of(cell);
    const auto found = known_.find(key);
    if (found != known_.end()) {
        return found->second;
    }
    engine::TheoryContext context = context_of(cell);
    context.utilization.reset();
    context.horizon = {};
    auto value =
        cell.workload->description->maximal_utilization(cell.workload->choice.parameters, context);
    known_[key] = value;
    return value;
}

engine::WorkloadTraits workload_traits(const CellSettings& cell) {
    engine::WorkloadContext context;
    context.system = *cell.system;
    context.experiment = *cell.experiment;
    context.utilization = cell.utilization;
    context.seed = 1;
    const engine::WorkloadModelDescription& model = *cell.workload->description;
    return model.make(cell.workload->choice.parameters, context)->traits();
}

LoadSearch in_time_units(const LoadSearch& search, const CellSettings& cell) {
    LoadSearch result = search;
    if (search.threshold > 0) {
        result.threshold = search.threshold * workload_traits(cell).mean_service_time.value();
    }
    return result;
}

std::vector<engine::KnownValue> known_values(const CellSettings& cell) {
    const engine::WorkloadModelDescription& model = *cell.workload->description;
    const bool needs_load = cell.is_open();
    if (!model.known_values || (needs_load && !cell.utilization) || !cell.system->outages.empty()) {
        return {};
    }
    return model.known_values(cell.workload->choice.parameters, context_of(cell));
}

bool observes_classes(const CellSettings& cell) {
    const auto& requests = cell.probes->set.requests;
    return std::any_of(requests.begin(), requests.end(), [](const auto& request) {
        return request.per_class;
    });
}

std::vector<engine::ObservationColumn> observed_columns(const CellSettings& cell) {
    engine::Experiment experiment{.kind = *cell.experiment};
    if (cell.horizon) {
        experiment.horizon = cell.horizon->horizon;
    }
    auto columns = engine::observation_columns(cell.probes->set, experiment, job_classes(cell));
    const auto published = engine::published_columns(
        *cell.policy->description,
        cell.policy->choice.parameters,
        *cell.system,
        *cell.workload->description,
        cell.workload->choice.parameters
    );
    columns.insert(columns.end(), published.begin(), published.end());
    return columns;
}

std::vector<engine::SketchDescription> observed_sketches(const CellSettings& cell) {
    return engine::observed_sketches(
        cell.probes->set, {.kind = *cell.experiment}, job_classes(cell)
    );
}

std::optional<std::string> resolve_metric(
    const std::string& name, const std::vector<engine::ObservationColumn>& columns
) {
    for (const std::string& wanted : {name, name + ".mean"}) {
        for (const engine::ObservationColumn& column : columns) {
            if (column.name == wanted) {
                return wanted;
            }
        }
    }
    return std::nullopt;
}

}  // namespace schedfarm::app
