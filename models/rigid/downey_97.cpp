// The model of Downey, "A parallel workload model and its implications for processor allocation"
// (HPDC 1997): log-uniform total run times L (processor seconds of the sequential program) and
// log-uniform average parallelism A, with the speedup of "A model for speedup of parallel programs"
// (UCB/CSD-97-933) for a variance of parallelism sigma. Jobs are rigid here: size n is A rounded
// down, and the run time L / S(n), for which n <= A is all that is needed (downey_speedup.hpp).
//
// Draws of job k: value k of Purpose::arrivals and Purpose::sizes (A), values 2k (L) and 2k + 1
// (sigma) of Purpose::service. Arrivals are Poisson; a load stretches them.
#include <algorithm>
#include <cmath>

#include "engine/foundation/elementary.hpp"
#include "engine/random/stream.hpp"

#include "models/downey_speedup.hpp"
#include "models/draws.hpp"
#include "models/power_law.hpp"
#include "models/rigid/rigid_workload.hpp"

namespace schedfarm::models {

namespace {

using engine::logarithm;
using engine::ParameterProblem;
using engine::Parameters;
using engine::ParameterType;
using engine::Purpose;
using engine::Stream;
using engine::WorkloadContext;
using engine::WorkloadTraits;

/// E[g] for sigma uniform on 0 … most: ∫ s/2 up to 1, ∫ s/(s + 1) beyond.
double mean_loss(double most) {
    if (most <= 1) {
        return most / 4;
    }
    return (0.25 + most - 1 - logarithm((most + 1) / 2)) / most;
}

struct DowneyWorkload {
    explicit DowneyWorkload(const Parameters& parameters)
        : work(parameters.real("shortest_work"), parameters.real("longest_work"), 0)
        , most_parallelism(parameters.real("largest_parallelism"))
        , most_sigma(parameters.real("largest_sigma"))
        , interarrival(parameters.real("interarrival")) {
        // A lies in n … n + 1 with probability ln((n + 1)/n) / ln(most), and E[1/A] there is
        // (1/n − 1/(n + 1)) / ln(most).
        const double g = mean_loss(most_sigma);
        const double all = logarithm(most_parallelism);
        for (std::uint32_t size = 1; size <= largest_size(); ++size) {
            const double n = size;
            const double end = std::min(n + 1, most_parallelism);
            const double probability = logarithm(end / n) / all;
            const double inverse_speedup =
                probability / n + g * (n - 1) / n * (1 / n - 1 / end) / all;
            mean_size += n * probability;
            mean_run += work.mean() * inverse_speedup;
            mean_area += work.mean() * n * inverse_speedup;
        }
    }

    std::uint32_t largest_size() const { return static_cast<std::uint32_t>(most_parallelism); }

    PowerLaw work;
    double most_parallelism;
    double most_sigma;
    double interarrival;
    double mean_size = 0;
    double mean_run = 0;
    double mean_area = 0;
};

double mean_interarrival(const DowneyWorkload& downey, const WorkloadContext& context) {
    return interarrival_for(context, downey.mean_area).value_or(downey.interarrival);
}

class Downey97 final : public RigidJobSource {
  public:
    Downey97(const Parameters& parameters, const WorkloadContext& context)
        : downey_(parameters)
        , parallelism_(1, downey_.most_parallelism, 0)
        , interarrival_(mean_interarrival(downey_, context))
        , arrivals_(stream_of(context, Purpose::arrivals))
        , sizes_(stream_of(context, Purpose::sizes))
        , service_(stream_of(context, Purpose::service)) {}

    RigidJob next() override {
        submit_ += interarrival_ * exponential_draw(arrivals_, count_);
        const double a = parallelism_.value(uniform_draw(sizes_, count_));
        const double work = downey_.work.value(uniform_draw(service_, 2 * count_));
        const double sigma = downey_.most_sigma * uniform_draw(service_, 2 * count_ + 1);
        ++count_;
        const double n = std::floor(a);
        return {
            .submit = submit_,
            .run = work * downey_rise(n, a, sigma),
            .size = static_cast<std::uint32_t>(n)};
    }

  private:
    DowneyWorkload downey_;
    PowerLaw parallelism_;
    double interarrival_;
    Stream arrivals_;
    Stream sizes_;
    Stream service_;
    std::uint64_t count_ = 0;
    double submit_ = 0;
};

WorkloadTraits downey_97_traits_of(const Parameters& given, const WorkloadContext& context) {
    const DowneyWorkload downey(given);
    WorkloadTraits traits;
    traits.max_size = downey.largest_size();
    traits.mean_size = downey.mean_size;
    traits.mean_service_time = downey.mean_run;
    traits.mean_interarrival_time = mean_interarrival(downey, context);
    return traits;
}

std::vector<engine::ParameterDescription> downey_97_parameters() {
    constexpr double e_2 = 7.38905609893065;
    constexpr double e_12 = 162754.791419004;
    const auto positive = [](const char* name, const char* meaning, const char* unit, double value
                          ) {
        return engine::ParameterDescription{
            .name = name,
            .meaning = meaning,
            .unit = unit,
            .default_value = value,
            .range = {.low = 1e-6, .high = 1e12}};
    };
    std::vector<engine::ParameterDescription> rows{
        positive("shortest_work", "smallest total run time", "processor seconds", e_2),
        positive("longest_work", "largest total run time", "processor seconds", e_12)};
    rows.push_back(
        {.name = "largest_parallelism",
         .meaning = "largest average parallelism; the smallest is 1",
         .default_value = 128.0,
         .range = {.low = 2, .high = 1e6}}
    );
    rows.push_back(
        {.name = "largest_sigma",
         .meaning = "largest coefficient of variance of parallelism; the smallest is 0",
         .default_value = 2.0,
         .range = {.low = 0, .high = 1e3}}
    );
    rows.push_back(positive("interarrival", "mean time between arrivals without a load", "s", 600));
    return with_rigid_parameters(std::move(rows));
}

std::vector<ParameterProblem> downey_97_parameter_problems(const Parameters& parameters) {
    if (parameters.real("longest_work") <= parameters.real("shortest_work")) {
        return {
            {"longest_work",
             "it does not exceed shortest_work (there is nothing between)",
             "Give a larger number."}};
    }
    return {};
}

std::vector<LargestSize> downey_97_largest_sizes(const Parameters& given) {
    return {{DowneyWorkload(given).largest_size(), "largest_parallelism"}};
}

std::vector<engine::WorkloadExample> downey_97_examples() {
    Parameters given;
    given.set("largest_parallelism", 64.5);
    given.set("largest_sigma", 0.8);
    given.set("days", 3.0);
    return {
        {with_defaults(downey_97_parameters()), {.clusters = {128}}},
        {with_defaults(downey_97_parameters(), given), {.clusters = {64, 64}}}};
}

}  // namespace

engine::WorkloadModelDescription describe_downey_97() {
    return describe_rigid(
        {.alternative =
             {.name = "downey_97",
              .summary = "Log-uniform work and parallelism, as rigid jobs; times in seconds.",
              .parameters = downey_97_parameters(),
              .check = downey_97_parameter_problems,
              .source = "Downey 1997"},
         .source = make_source<Downey97>,
         .traits = downey_97_traits_of,
         .largest_sizes = downey_97_largest_sizes,
         .examples = downey_97_examples()}
    );
}

}  // namespace schedfarm::models
