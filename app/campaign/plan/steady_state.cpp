#include "app/campaign/plan/steady_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/simulation/measurement/metrics.hpp"
#include "engine/statistics/accumulator.hpp"
#include "engine/statistics/steady_state/start_bias.hpp"

#include "app/campaign/checks/fixed_jobs.hpp"
#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/plan/lengthening.hpp"

namespace schedfarm::app {

namespace {

constexpr std::uint64_t sampled_jobs = 4096;

/// As a part of the jobs. One of a given number of jobs may be too short to show the bias.
constexpr double advised_warm_up = 0.2;

/// Of size times service time.
struct SampledWork {
    double mean = 0;
    double squared_variation = 0;
    double mean_service = 0;
};

/// Drawn at half the load: that changes when jobs come.
std::optional<SampledWork> sampled_work(const Cell& cell) {
    const auto* const model = registered_catalogues().find_model(cell.workload->name);
    if (model == nullptr) {
        return std::nullopt;
    }
    engine::WorkloadContext context;
    context.system = cell.system;
    context.experiment = cell.experiment.kind;
    context.utilization = 0.5;
    context.seed = cell.random.seed;
    context.generator = cell.random.generator;
    const auto workload = model->make(cell.workload->parameters, context);
    engine::Accumulator work;
    engine::Accumulator service;
    engine::JobBlock block;
    do {
        workload->next(block);
        for (std::size_t i = 0; i < block.size.size() && i < block.service_time.size(); ++i) {
            work.add(static_cast<double>(block.size[i]) * block.service_time[i]);
            service.add(block.service_time[i]);
        }
    } while (block.count > 0 && work.n() < sampled_jobs);
    if (work.n() < 2 || *work.mean() <= 0) {
        return std::nullopt;
    }
    const double mean = *work.mean();
    return SampledWork{mean, *work.variance() / (mean * mean), *service.mean()};
}

/// sampled_work() of cells that differ in their loads, policies and outages is drawn
/// once.
class SampledWorks {
  public:
    std::optional<SampledWork> of(const Cell& cell) {
        const auto& [seed, generator] = cell.random;
        const auto [found, is_new] =
            known_.try_emplace({&*cell.workload, cell.system.clusters, seed, generator});
        if (is_new) {
            found->second = sampled_work(cell);
        }
        return found->second;
    }

  private:
    using Drawn = std::
        tuple<const engine::Choice*, std::vector<std::uint32_t>, std::uint64_t, engine::Generator>;
    std::map<Drawn, std::optional<SampledWork>> known_;
};

/// At which a queue of one server that serves the work as fast as the whole machine has the
/// response time that a search is for (Pollaczek & Khinchine).
double load_at_threshold(const Cell& cell, const SampledWork& work) {
    const double wait = cell.load_search->threshold - work.mean_service;
    const double service = work.mean / cell.system.processors();
    const double per_room = 2 * wait / (service * (1 + work.squared_variation));
    return per_room > 0 ? per_room / (1 + per_room) : 0;
}

std::optional<double> load_of_maximal(const Cell& cell, const SampledWork& work) {
    if (cell.load_search && cell.load_search->criterion == SearchCriterion::response_time) {
        return load_at_threshold(cell, work);
    }
    if (cell.placed_load) {
        return cell.placed_load->fraction;
    }
    if (cell.utilization && cell.maximal_utilization) {
        return *cell.utilization / cell.maximal_utilization->value;
    }
    return std::nullopt;
}

/// The bias that the most demanding target allows; absent: none is relative. Without any target,
/// that which one of 5 % would allow.
std::optional<double> allowed_bias(const Cell& cell) {
    std::optional<double> allowed;
    if (cell.replications.targets.empty()) {
        constexpr double usual = 0.05;
        return start_share * usual;
    }
    for (const MetricTarget& target : cell.replications.targets) {
        if (target.target.relative && depends_on_queue(cell, target.metric)) {
            const double bias = start_share * *target.target.relative;
            allowed = std::min(allowed.value_or(bias), bias);
        }
    }
    return allowed;
}

/// Two significant digits, upwards.
double rounded_up(double value) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
    return std::ceil(value / unit) * unit;
}

/// A run that is too short.
struct ShortRun {
    const Cell* cell = nullptr;
    double load = 0;
    double relaxation_times = 0;
    double bias = 0;
    double enough_jobs = 0;
};

std::optional<ShortRun> short_run(const Cell& cell, SampledWorks& works) {
    const auto allowed = allowed_bias(cell);
    const bool has_load = cell.load_search || cell.placed_load || cell.maximal_utilization;
    if (cell.lengthening || !asks_for_steady_state(cell) || !has_load || !allowed || *allowed <= 0
        || *allowed >= 1) {
        return std::nullopt;
    }
    const auto work = works.of(cell);
    const auto load = work ? load_of_maximal(cell, *work) : std::nullopt;
    if (!load || *load <= 0 || *load >= 1) {
        return std::nullopt;
    }
    const double jobs_per_relaxation =
        (1 + work->squared_variation) / (2 * (1 - *load) * (1 - *load));
    const auto jobs = static_cast<double>(cell.experiment.horizon.jobs);
    const double warm_up = static_cast<double>(cell.experiment.horizon.warm_up_jobs) / jobs;
    const double relaxation_times = jobs / jobs_per_relaxation;
    const double bias = engine::start_bias(relaxation_times, warm_up);
    if (bias <= *allowed) {
        return std::nullopt;
    }
    const double enough = aimed_relaxation_times(*allowed, advised_warm_up) * jobs_per_relaxation;
    return ShortRun{&cell, *load, relaxation_times, bias, enough};
}

}  // namespace

bool asks_for_steady_state(const Cell& cell) {
    const engine::Horizon& horizon = cell.experiment.horizon;
    return cell.experiment.kind.is_open() && horizon.start_backlog == 0 && horizon.warm_up_jobs > 0
           && !facts_of(*cell.workload).has_own_arrivals;
}

bool is_overloaded(const Cell& cell) {
    const auto& known = cell.maximal_utilization;
    return cell.experiment.kind.is_open() && cell.utilization && known && known->is_exact
           && *cell.utilization >= known->value;
}

std::vector<std::string> overload_warnings(const Plan& plan) {
    const auto count = std::count_if(plan.cells.begin(), plan.cells.end(), is_overloaded);
    if (count == 0) {
        return {};
    }
    const Cell& cell = *std::find_if(plan.cells.begin(), plan.cells.end(), is_overloaded);
    return {fmt::format(
        "{} unstable: cell {} has utilization {}, not below the maximal {:.6g}. The queue grows "
        "without bound, and its means with the number of jobs",
        count == 1 ? "1 cell is" : fmt::format("{} cells are", count),
        cell.index,
        *cell.utilization,
        cell.maximal_utilization->value
    )};
}

bool depends_on_queue(const Cell& cell, std::string_view column) {
    const auto* const metric =
        engine::find_metric(cell.probes, column.substr(0, column.find_first_of(".[")));
    return metric != nullptr && metric->depends_on_queue;
}

std::vector<std::string> short_run_warnings(const Plan& plan) {
    std::optional<ShortRun> worst;
    SampledWorks works;
    std::uint64_t count = 0;
    for (const Cell& cell : plan.cells) {
        const auto run = short_run(cell, works);
        count += run ? 1U : 0U;
        if (run && (!worst || run->enough_jobs > worst->enough_jobs)) {
            worst = run;
        }
    }
    if (!worst) {
        return {};
    }
    return {fmt::format(
        "{} may have too few jobs for {}: cell {} has {}, which at {:.3g} of the maximal "
        "load are {:.2g} relaxation times, so that its empty start may lower the mean by {:.2g} % "
        "after the warm-up. Give some {:.0f} jobs there, a fifth of them warm-up, or leave "
        "'horizon.jobs' out.",
        engine::counted(count, "cell"),
        worst->cell->replications.targets.empty() ? "a precision of 5 %"
        : count == 1                              ? "its precision"
                                                  : "their precision",
        worst->cell->index,
        worst->cell->experiment.horizon.jobs,
        worst->load,
        worst->relaxation_times,
        100 * worst->bias,
        rounded_up(worst->enough_jobs)
    )};
}

}  // namespace schedfarm::app
