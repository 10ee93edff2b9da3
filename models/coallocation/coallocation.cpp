// The workload of Bucur & Epema, The Influence of the Structure and Sizes of Jobs on the
// Performance of Co-Allocation (JSSPP 2000), section 2: rigid jobs of several components with
// independent sizes, independent service times, and renewal arrivals.
//
// Draws of job j: words j * components … of Purpose::sizes, value j of Purpose::service and of
// Purpose::arrivals. A load only scales the interarrival times, and the request structure touches
// no draw, so that loads, policies and structures meet the same jobs.
#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/foundation/message_text.hpp"
#include "engine/simulation/workload_model.hpp"

#include "models/begin_block.hpp"
#include "models/coallocation/coallocation_settings.hpp"
#include "models/coallocation/coallocation_theory.hpp"
#include "models/draws.hpp"
#include "models/request_check.hpp"

namespace schedfarm::models {

namespace {

using engine::Choice;
using engine::ExperimentKind;
using engine::JobBlock;
using engine::ParameterProblem;
using engine::Parameters;
using engine::ParameterType;
using engine::Purpose;
using engine::Stream;
using engine::Value;
using engine::WorkloadContext;
using engine::WorkloadTraits;

std::uint32_t class_of(std::uint32_t size, const std::vector<std::uint32_t>& limits) {
    std::uint32_t result = 0;
    while (result < limits.size() && size > limits[result]) {
        ++result;
    }
    return result;
}

/// By the sizes of their jobs; empty: all jobs are of one class.
std::vector<std::string> class_names(
    const std::vector<std::uint32_t>& limits, std::uint32_t largest
) {
    std::vector<std::string> names;
    std::uint64_t least = 1;
    for (std::size_t c = 0; c <= limits.size() && !limits.empty() && least <= largest; ++c) {
        const std::uint32_t most = c < limits.size() ? std::min(limits[c], largest) : largest;
        names.push_back(engine::counted_range(least, most, "processor"));
        least = std::uint64_t{most} + 1;
    }
    return names;
}

/// sizes[i] = the sum of components[i * stride] … . The common strides are constants to the
/// compiler.
void add_up(
    const std::vector<std::uint32_t>& components,
    std::size_t stride,
    std::vector<std::uint32_t>& sizes
) {
    const auto add_up_by = [&](auto step) {
        const std::size_t parts = step;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            std::uint32_t size = 0;
            for (std::size_t c = 0; c < parts; ++c) {
                size += components[i * parts + c];
            }
            sizes[i] = size;
        }
    };
    if (stride == 1) {
        add_up_by(std::integral_constant<std::size_t, 1>());
    } else if (stride == 4) {
        add_up_by(std::integral_constant<std::size_t, 4>());
    } else {
        add_up_by(stride);
    }
}

WorkloadTraits coallocation_traits_of(
    const CoallocationSettings& settings, const WorkloadContext& context
) {
    WorkloadTraits traits;
    traits.max_components = settings.components;
    traits.max_size = static_cast<std::uint32_t>(settings.components * settings.sizes.high());
    traits.job_classes = class_of(traits.max_size, settings.size_classes) + 1;
    traits.class_names = class_names(settings.size_classes, traits.max_size);
    traits.structure = settings.structure;
    traits.mean_size = settings.mean_size();
    traits.mean_service_time = settings.service->mean();
    traits.has_infinite_mean_slowdown = !settings.service->has_mean_reciprocal();
    if (context.experiment.is_open()) {
        traits.mean_interarrival_time =
            mean_interarrival(settings, context.system, context.utilization);
    }
    return traits;
}

/// What takes the interarrival distribution to the utilization asked for; exactly 1 where none is.
double interarrival_factor(const CoallocationSettings& settings, const WorkloadContext& context) {
    return mean_interarrival(settings, context.system, context.utilization)
           / settings.interarrival->mean();
}

class Coallocation final : public engine::WorkloadModel {
  public:
    Coallocation(const Parameters& parameters, const WorkloadContext& context)
        : settings_(parameters, context.system)
        , traits_(coallocation_traits_of(settings_, context))
        , experiment_(context.experiment)
        , interarrival_factor_(interarrival_factor(settings_, context))
        , sizes_{stream_of(context, Purpose::sizes), stream_of(context, Purpose::job_class)}
        , service_(stream_of(context, Purpose::service))
        , arrivals_(stream_of(context, Purpose::arrivals)) {}

    const WorkloadTraits& traits() const override { return traits_; }

    void next(JobBlock& block) override {
        begin_block(block, next_index_, JobBlock::capacity);
        block.structure = settings_.structure;
        fill_sizes(block);
        if (experiment_.has_time()) {
            block.service_time.resize(block.count);
            settings_.service->fill(service_, next_index_, block.service_time);
            fill_submit_times(block);
        }
        next_index_ += block.count;
    }

  private:
    void fill_sizes(JobBlock& block) {
        const std::size_t stride = settings_.components;
        block.component_stride = stride;
        block.components.resize(block.count * stride);
        settings_.sizes.fill(sizes_, next_index_, stride, block.components);
        block.size.resize(block.count);
        add_up(block.components, stride, block.size);
        if (traits_.job_classes > 1) {
            for (const std::uint32_t size : block.size) {
                block.job_class.push_back(class_of(size, settings_.size_classes));
            }
        }
    }

    /// Only an open system has arrivals; elsewhere all jobs are there at time 0.
    void fill_submit_times(JobBlock& block) {
        block.submit_time.resize(block.count);
        if (!experiment_.is_open()) {
            return;
        }
        settings_.interarrival->fill(arrivals_, next_index_, block.submit_time);
        double last = last_submit_;  // in a register: a column might lie over a member
        for (double& time : block.submit_time) {
            last += time * interarrival_factor_;
            time = last;
        }
        last_submit_ = last;
    }

    CoallocationSettings settings_;
    WorkloadTraits traits_;
    ExperimentKind experiment_;
    double interarrival_factor_;
    SizeStreams sizes_;
    Stream service_;
    Stream arrivals_;
    std::uint64_t next_index_ = 0;
    double last_submit_ = 0;
};

Value exponential_of_mean_one() {
    Choice choice{.name = "exponential"};
    choice.parameters.set("mean", 1.0);
    return choice;
}

std::vector<engine::ParameterDescription> coallocation_parameters() {
    return {
        {.name = "request",
         .meaning = "where components go: total (any processors), ordered (component i on cluster "
                    "i), unordered (each on a cluster of its own), grouped (they may share one)",
         .type = ParameterType::text,
         .default_value = "total",
         .words = request_words()},
        {.name = "components",
         .meaning = "components of a job; the size of a total request is their sum; 0: as many as "
                    "the system has clusters",
         .type = ParameterType::integer,
         .default_value = 0,
         .range = {.low = 0, .high = 1024}},
        {.name = "component_size",
         .meaning = "distribution of the size of a component",
         .unit = "processors",
         .type = ParameterType::choice,
         .alternatives = component_size_alternatives},
        {.name = "service",
         .meaning = "distribution of the service time",
         .unit = "time",
         .type = ParameterType::choice,
         .default_value = exponential_of_mean_one(),
         .alternatives = engine::time_distributions},
        {.name = "interarrival",
         .meaning = "distribution of the time between arrivals; where the campaign gives a "
                    "utilization, scaled to meet it",
         .unit = "time",
         .type = ParameterType::choice,
         .default_value = exponential_of_mean_one(),
         .alternatives = engine::time_distributions},
        {.name = "size_classes",
         .meaning = "upper limits of job classes by size, increasing; larger jobs form one more "
                    "class; empty: one class",
         .unit = "processors",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = 1, .high = 4e9}}};
}

std::vector<ParameterProblem> coallocation_parameter_problems(const Parameters& parameters) {
    const std::vector<double> limits = parameters.reals("size_classes");
    for (std::size_t i = 1; i < limits.size(); ++i) {
        if (limits[i] <= limits[i - 1]) {
            return {
                {"size_classes",
                 "the limits do not increase (a class between them would be empty)",
                 "Write them in increasing order."}};
        }
    }
    return {};
}

engine::Alternative alternative() {
    return {
        .name = "coallocation",
        .summary =
            "Rigid jobs of several components; independent sizes, service and interarrival "
            "times.",
        .parameters = coallocation_parameters(),
        .check = coallocation_parameter_problems,
        .source = "Bucur & Epema 2000, section 2"};
}

Choice choice(const char* name, const std::vector<std::pair<std::string, Value>>& given) {
    Choice result{.name = name};
    for (const auto& [parameter, value] : given) {
        result.parameters.set(parameter, value);
    }
    return result;
}

engine::WorkloadExample example(
    const char* request, std::vector<std::uint32_t> clusters, int components, Choice component_size
) {
    Parameters given;
    given.set("request", request);
    given.set("components", components);
    given.set("component_size", std::move(component_size));
    return {with_defaults(coallocation_parameters(), given), {.clusters = std::move(clusters)}};
}

/// Every request structure, equal and unequal clusters, one distribution and a mixture, job
/// classes, and other than exponential times.
std::vector<engine::WorkloadExample> coallocation_examples() {
    const Choice narrow = choice("uniform", {{"low", 1}, {"high", 4}});
    const Choice powers = choice("powers_of_two", {{"ratio", 0.9}, {"high", 8}, {"factor", 3.0}});
    const Choice mixed =
        choice("mixture", {{"probability", 0.7}, {"first", powers}, {"second", narrow}});
    std::vector<engine::WorkloadExample> result{
        example("total", {32}, 4, narrow),
        example("ordered", {8, 8, 8, 8}, 0, mixed),
        example("unordered", {16, 12, 8}, 0, narrow),
        example("grouped", {12, 8}, 4, narrow)};
    result[2].parameters.set("size_classes", Value::List{4, 9});
    result[2].parameters.set("service", choice("erlang", {{"shape", 3}, {"mean", 2.0}}));
    result[3].parameters.set("interarrival", choice("deterministic", {{"value", 0.75}}));
    return result;
}

}  // namespace

engine::WorkloadModelDescription describe_coallocation() {
    return {
        .alternative = alternative(),
        .experiments =
            {ExperimentKind::bin_filling,
             ExperimentKind::open,
             ExperimentKind::saturated,
             ExperimentKind::offline},
        .make = [](const Parameters& parameters, const WorkloadContext& context
                ) { return std::make_unique<Coallocation>(parameters, context); },
        .check_system = coallocation_system_problems,
        .known_values = coallocation_known_values,
        .maximal_utilization = coallocation_maximal_utilization,
        .examples = coallocation_examples(),
        .jobs = engine::WorkloadModelDescription::Jobs::in_components};
}

}  // namespace schedfarm::models
