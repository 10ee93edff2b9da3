#include "models/coallocation/coallocation_theory.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "models/closed_forms/approximations.hpp"
#include "models/closed_forms/queues.hpp"
#include "models/closed_forms/saturation.hpp"
#include "models/closed_forms/transient.hpp"
#include "models/coallocation/coallocation_cell.hpp"
#include "models/work_variation.hpp"

namespace schedfarm::models {

namespace {

using closed_forms::Fill;
using closed_forms::SizeProbabilities;
using engine::KnownValue;

const char* const exact = "exact";
const char* const exact_from_empty = "exact from empty";

/// The transient of more jobs would cost more than a tenth of a second.
constexpr std::uint64_t most_transient_jobs = 5000;

/// A loss and the utilization that is its complement.
void add_loss(
    std::vector<KnownValue>& values,
    double loss,
    const std::string& label,
    const std::string& source
) {
    const bool is_exact = label == exact;
    values.push_back({"capacity_loss", label, loss, source, is_exact});
    values.push_back({"gross_utilization", label, 1 - loss, source, is_exact});
}

bool is_uniform(const SizeProbabilities& sizes) {
    const std::uint32_t low = closed_forms::smallest_size(sizes);
    return std::all_of(
        sizes.begin() + low,
        sizes.begin() + closed_forms::largest_size(sizes) + 1,
        [&](double p) { return p == sizes[low]; }
    );
}

/// Eqs. (3) and (4), which take a size that can vary.
void add_approximations(
    std::vector<KnownValue>& values, const SizeProbabilities& sizes, std::uint32_t processors
) {
    const std::uint32_t low = closed_forms::smallest_size(sizes);
    const std::uint32_t high = closed_forms::largest_size(sizes);
    if (low == high) {
        return;
    }
    const std::string paper = "Bucur & Epema 2000, ";
    add_loss(
        values,
        closed_forms::loss_by_equation_3(sizes, processors),
        "approximation eq. (3)",
        paper + "Eq. (3) with I = {0, ..., largest size - 1}"
    );
    if (is_uniform(sizes)) {
        add_loss(
            values,
            closed_forms::loss_by_equation_4(low, high, processors),
            "approximation eq. (4)",
            paper + "Eq. (4)"
        );
    }
    add_loss(
        values,
        closed_forms::loss_with_true_idle_set(sizes, processors),
        "approximation, true set I",
        paper + "Eq. (3) with the idle numbers that can occur"
    );
}

std::vector<KnownValue> bin_filling_values(const CoallocationCell& cell) {
    std::vector<KnownValue> values;
    if (const auto fill = fill_of(cell)) {
        const std::string source =
            cell.is_total() ? "Bucur & Epema 2000, Eqs. (1) and (2), by dynamic programming"
                            : "P(every cluster holds the first k components), over k";
        add_loss(values, 1 - fill->mean_placed / cell.processors(), exact, source);
        values.push_back({"jobs_placed", exact, closed_forms::mean_jobs(*fill), source});
    }
    if (cell.is_total()) {
        if (const auto sizes = job_sizes(cell)) {
            add_approximations(values, *sizes, cell.processors());
        }
    }
    return values;
}

std::optional<KnownValue> saturation(const CoallocationCell& cell) {
    const double mean_size = cell.settings.mean_size();
    if (!cell.context.first_come_first_served) {
        return std::nullopt;
    }
    if (const auto jobs = constant_jobs(cell)) {
        return KnownValue{
            "maximal_utilization",
            exact,
            *jobs * mean_size / cell.processors(),
            "always " + std::to_string(*jobs) + " jobs in service"};
    }
    if (!cell.has_exponential_service) {
        return std::nullopt;
    }
    const auto fill = fill_of(cell);
    if (!fill) {
        return std::nullopt;
    }
    return KnownValue{
        "maximal_utilization",
        exact,
        closed_forms::maximal_utilization(*fill, mean_size, cell.processors()),
        "E[size] / (processors E[1/n]), n jobs in a fill (Rumyantsev & Morozov 2017)"};
}

std::vector<KnownValue> saturated_values(const CoallocationCell& cell) {
    std::vector<KnownValue> values;
    if (const auto limit = saturation(cell)) {
        add_loss(values, 1 - limit->value, exact, limit->source);
        const double work = cell.settings.mean_size() * cell.settings.service->mean();
        values.push_back(
            {"throughput", exact, limit->value * cell.processors() / work, limit->source}
        );
    }
    return values;
}

void add_wait(
    std::vector<KnownValue>& values,
    const char* label,
    double wait,
    double mean_service,
    const std::string& source
) {
    values.push_back({"wait.mean", label, wait, source});
    values.push_back({"response_time.mean", label, wait + mean_service, source});
}

/// At most `servers` jobs run together, and always as many as there are up to that number.
void add_exact_times(
    std::vector<KnownValue>& values, const CoallocationCell& cell, std::uint32_t servers
) {
    const double rate = cell.arrival_rate();
    const engine::TimeDistribution& service = *cell.settings.service;
    if (servers == 1) {
        const double time =
            closed_forms::mg1_wait(rate, service.mean(), service.squared_variation());
        const std::string name = cell.has_exponential_service ? "M/M/1" : "M/G/1";
        if (std::isfinite(time)) {
            add_wait(values, exact, time, service.mean(), name + " (Pollaczek & Khinchine)");
        }
    } else if (cell.has_exponential_service) {
        const double time = closed_forms::mmc_wait(servers, rate, service.mean());
        add_wait(
            values, exact, time, service.mean(), "M/M/" + std::to_string(servers) + " (Erlang C)"
        );
    }
}

/// Means over the jobs that the horizon measures, when the first of them all finds nothing.
std::vector<KnownValue> values_from_empty(const CoallocationCell& cell) {
    const engine::Horizon& horizon = cell.context.horizon;
    const bool may_end_early = horizon.queue_limit > 0 && horizon.queue_limit < horizon.jobs;
    std::vector<KnownValue> values;
    if (!cell.context.first_come_first_served || horizon.start_backlog > 0 || may_end_early
        || horizon.warm_up_jobs >= horizon.jobs) {
        return values;
    }
    const double mean_service = cell.settings.service->mean();
    if (horizon.jobs == 1) {
        const std::string source = "E[service time]: a single job waits for none";
        values.push_back({"response_time.mean", exact_from_empty, mean_service, source});
    } else if (horizon.jobs <= most_transient_jobs && cell.has_poisson_arrivals && cell.has_exponential_service && constant_jobs(cell) == 1) {
        const double time = closed_forms::mm1_response_time_from_empty(
            horizon.warm_up_jobs, horizon.jobs, cell.arrival_rate(), mean_service
        );
        const std::string source = "M/M/1 from empty, chain embedded at arrivals";
        add_wait(values, exact_from_empty, time - mean_service, mean_service, source);
    }
    return values;
}

/// Of the stationary system.
std::vector<KnownValue> open_values(const CoallocationCell& cell) {
    std::vector<KnownValue> values;
    const double mean_service = cell.settings.service->mean();
    const double load = cell.arrival_rate() * mean_service;
    if (!cell.has_poisson_arrivals || !cell.context.first_come_first_served) {
        return values;
    }
    if (const auto jobs = constant_jobs(cell)) {
        if (load < *jobs) {
            add_exact_times(values, cell, *jobs);
        }
        return values;
    }
    const auto fill = load < 1 && cell.has_exponential_service ? fill_of(cell) : std::nullopt;
    const bool seldom_two = fill && (fill->at_least.size() < 3 || fill->at_least[2] < 0.5);
    if (seldom_two) {
        values.push_back(
            {"response_time.mean",
             "M/M/1 at the same arrival rate",
             mean_service / (1 - load),
             "one job at a time (Bucur & Epema 2000, Figure 5)",
             false}
        );
    }
    return values;
}

bool is_known_system(
    const engine::Parameters& parameters, const engine::SystemDescription& system
) {
    return system.outages.empty() && coallocation_system_problems(parameters, system).empty();
}

/// E[size²] over all components, which are independent but for the part of the mixture that a job
/// draws.
double mean_squared_size(const CoallocationSettings& settings) {
    const closed_forms::ComponentProbabilities parts = settings.sizes.probabilities();
    const auto components = static_cast<double>(settings.components);
    const auto of_part = [components](const std::vector<double>& probabilities) {
        double mean = 0;
        double square = 0;
        for (std::size_t n = 0; n < probabilities.size(); ++n) {
            const auto size = static_cast<double>(n);
            mean += size * probabilities[n];
            square += size * size * probabilities[n];
        }
        return components * square + components * (components - 1) * mean * mean;
    };
    return parts.second.empty() ? of_part(parts.first)
                                : parts.first_probability * of_part(parts.first)
                                      + (1 - parts.first_probability) * of_part(parts.second);
}

const std::string only_known = "coallocation";

}  // namespace

std::optional<double> squared_variation_of_work(
    const engine::Choice& workload, const engine::SystemDescription& system
) {
    if (workload.name != only_known) {
        return std::nullopt;
    }
    engine::TheoryContext context;
    context.system = system;
    const CoallocationCell cell(workload.parameters, context);
    const CoallocationSettings& settings = cell.settings;
    const double of_sizes = mean_squared_size(settings) / std::pow(settings.mean_size(), 2);
    const double variation = of_sizes * (1 + settings.service->squared_variation()) - 1;
    return cell.has_poisson_arrivals && std::isfinite(variation) ? std::optional(variation)
                                                                 : std::nullopt;
}

std::vector<KnownValue> coallocation_known_values(
    const engine::Parameters& parameters, const engine::TheoryContext& context
) {
    if (!is_known_system(parameters, context.system)) {
        return {};
    }
    const CoallocationCell cell(parameters, context);
    if (!context.experiment.has_time()) {
        return bin_filling_values(cell);
    }
    if (context.experiment.keeps_backlog()) {
        return saturated_values(cell);
    }
    if (!context.experiment.is_open()) {
        return {};
    }
    std::vector<KnownValue> values = open_values(cell);
    const std::vector<KnownValue> transient = values_from_empty(cell);
    values.insert(values.end(), transient.begin(), transient.end());
    return values;
}

std::optional<KnownValue> coallocation_maximal_utilization(
    const engine::Parameters& parameters, const engine::TheoryContext& context
) {
    if (!is_known_system(parameters, context.system)) {
        return std::nullopt;
    }
    return saturation(CoallocationCell(parameters, context));
}

}  // namespace schedfarm::models
