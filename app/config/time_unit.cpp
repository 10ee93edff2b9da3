#include "app/config/time_unit.hpp"

#include <algorithm>
#include <vector>

#include "app/config/yaml/config_error.hpp"
#include "app/config/yaml/reader.hpp"

namespace schedfarm::app {

namespace {

/// A name, and its parameters where it has some.
struct Written {
    std::string name;
    const Node* parameters = nullptr;
};

Written written(const Node& node) {
    if (node.is_map() && node.entries.size() == 1) {
        return {node.entries.front().key, &*node.entries.front().value};
    }
    return {node.scalar, nullptr};
}

bool is_workload(const engine::ParameterDescription& row, const Catalogues& catalogues) {
    if (!row.alternatives) {
        return false;
    }
    const std::vector<engine::Alternative>& all = row.alternatives();
    return std::any_of(all.begin(), all.end(), [&](const engine::Alternative& alternative) {
        return catalogues.find_model(alternative.name) != nullptr;
    });
}

/// By names alone: parameters of a log are right only where the log is there.
bool is_in_seconds(const Node& workload, const Catalogues& catalogues) {
    if (workload.is_list()) {  // workloads beside one another
        return std::all_of(workload.items.begin(), workload.items.end(), [&](const Node& one) {
            return is_in_seconds(one, catalogues);
        });
    }
    const Written own = written(workload);
    const engine::WorkloadModelDescription* model = catalogues.find_model(own.name);
    if (model == nullptr || !model->is_in_seconds) {
        return false;
    }
    for (const engine::ParameterDescription& row : model->alternative.parameters) {
        if (is_workload(row, catalogues)) {  // a version of it, with its times
            const bool has_parameters = own.parameters != nullptr && own.parameters->is_map();
            const Node* inner = has_parameters ? own.parameters->find(row.name) : nullptr;
            return inner != nullptr && is_in_seconds(*inner, catalogues);
        }
    }
    return model->is_in_seconds(engine::Parameters());
}

}  // namespace

std::string in_unit(std::string unit, const std::string& time_unit) {
    if (const std::size_t time = unit.find("time"); time != std::string::npos) {
        unit.replace(time, 4, time_unit);
    }
    return unit;
}

bool is_in_seconds(const std::string& workload, const Catalogues& catalogues) {
    try {
        return is_in_seconds(read_yaml("workload", workload), catalogues);
    } catch (const ConfigErrors&) {
        return false;
    }
}

}  // namespace schedfarm::app
