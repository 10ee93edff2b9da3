#include "app/campaign/plan/analyses/cell_analyses.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

using engine::WorkloadTraits;

/// A probe whose mean a workload model may know.
struct ControlProbe {
    const char* name;
    std::optional<double> WorkloadTraits::*mean;
};
constexpr std::array<ControlProbe, 3> control_probes{
    {{"service_time", &WorkloadTraits::mean_service_time},
     {"job_size", &WorkloadTraits::mean_size},
     {"interarrival_time", &WorkloadTraits::mean_interarrival_time}}};

const ControlProbe* find_control(const std::string& name) {
    const auto found =
        std::find_if(control_probes.begin(), control_probes.end(), [&](const ControlProbe& probe) {
            return name == probe.name;
        });
    return found == control_probes.end() ? nullptr : &*found;
}

std::vector<std::string> control_names() {
    std::vector<std::string> names = names_of(control_probes, &ControlProbe::name);
    return names;
}

/// Reads the controls of one cell, each with the position at which it is written.
class ControlReader {
  public:
    ControlReader(
        const CheckedCell& checked,
        const Cell& cell,
        std::string metric,
        const Node& campaign,
        Problems& problems
    )
        : checked_(checked)
        , cell_(cell)
        , metric_(std::move(metric))
        , list_(*find_path(campaign, "control_variates.controls"))
        , problems_(problems)
        , traits_(workload_traits(checked.settings)) {}

    std::vector<ControlMean> read(const std::vector<std::string>& names) {
        std::vector<ControlMean> controls;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const bool is_first = std::find(names.begin(), names.begin() + long(i), names[i])
                                  == names.begin() + long(i);
            if (!is_first) {
                refuse(
                    i, "twice", fmt::format("control '{}' is given twice", names[i]), "Remove one."
                );
            } else if (auto control = read_one(i, names[i])) {
                controls.push_back(std::move(*control));
            }
        }
        return controls;
    }

  private:
    void refuse(std::size_t i, const char* rule, std::string reason, std::string suggestion) {
        problems_.add_once(
            rule,
            {list_.items[i]->at,
             "control_variates.controls",
             std::move(reason),
             std::move(suggestion)}
        );
    }

    std::optional<ControlMean> read_one(std::size_t i, const std::string& name) {
        const ControlProbe* probe = find_control(name);
        if (probe == nullptr) {
            refuse(
                i,
                "unknown",
                fmt::format("'{}' is no control variate (its mean is not known)", name),
                name_suggestion(name, control_names())
            );
            return std::nullopt;
        }
        const auto column = resolve_metric(name, cell_.measures->columns);
        if (!column) {
            refuse(
                i,
                "not observed",
                fmt::format("control '{}' is not observed{}", name, checked_.where),
                "Add it to 'probes'."
            );
            return std::nullopt;
        }
        if (*column == metric_) {
            refuse(
                i,
                "itself",
                fmt::format("control '{}' is the metric itself (its mean is known)", name),
                "Name another metric."
            );
            return std::nullopt;
        }
        const bool needs_load = probe->mean == &WorkloadTraits::mean_interarrival_time;
        const std::optional<double> mean = traits_.*(probe->mean);
        if (!mean || (needs_load && !cell_.utilization)) {
            refuse(
                i,
                "no mean",
                fmt::format(
                    "the mean of control '{}' is not known{} ({})",
                    name,
                    checked_.where,
                    mean ? "its load is placed by an estimated saturation point"
                         : "workload model '" + cell_.workload->name + "' does not tell it"
                ),
                "Leave it out."
            );
            return std::nullopt;
        }
        return ControlMean{*column, *mean};
    }

    const CheckedCell& checked_;
    const Cell& cell_;
    std::string metric_;  ///< column
    const Node& list_;
    Problems& problems_;
    WorkloadTraits traits_;
};

}  // namespace

std::vector<ControlMean> control_means(
    const CheckedCell& checked,
    const Cell& cell,
    const Node& campaign,
    const ControlRequest& request,
    Problems& problems
) {
    const auto metric = resolve_metric(request.metric, cell.measures->columns);
    if (cell.load_search || !metric) {
        return {};
    }
    return ControlReader(checked, cell, *metric, campaign, problems).read(request.controls);
}

}  // namespace schedfarm::app
