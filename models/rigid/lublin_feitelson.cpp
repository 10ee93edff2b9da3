// The model of Lublin & Feitelson, "The workload on parallel supercomputers: modeling the
// characteristics of rigid jobs" (JPDC 63, 2003), with the constants of the authors' program (the
// Parallel Workloads Archive's Lublin99). Batch and interactive jobs arrive independently of one
// another. Times are real numbers; the program cuts them to whole seconds.
//
// Draws of job k of type t (interactive 0, batch 1), j = 2k + t: value j of Purpose::arrivals and
// of Purpose::sizes, values 2j and 2j + 1 of Purpose::service. A load stretches the times between
// arrivals before the daily cycle, so that days keep 24 hours and the same jobs come at all loads.
#include <algorithm>
#include <array>

#include "engine/random/stream.hpp"

#include "models/draws.hpp"
#include "models/rigid/daily_cycle.hpp"
#include "models/rigid/lublin_parameters.hpp"
#include "models/rigid/lublin_run_times.hpp"
#include "models/rigid/lublin_sizes.hpp"
#include "models/rigid/rigid_workload.hpp"

namespace schedfarm::models {

namespace {

using engine::ParameterProblem;
using engine::Parameters;
using engine::Purpose;
using engine::Stream;
using engine::WorkloadContext;
using engine::WorkloadTraits;

LublinSizes sizes_of(const Parameters& parameters, const std::string& type) {
    const std::vector<double> p = lublin_list(parameters, type, "size");
    return LublinSizes(
        {.serial = p[0],
         .power_of_two = p[1],
         .low = p[2],
         .medium = p[3],
         .high = p[4],
         .low_share = p[5]}
    );
}

HyperGammaTime run_times_of(const Parameters& parameters, const std::string& type) {
    const std::vector<double> p = lublin_list(parameters, type, "run_time");
    const double limit = parameters.real("run_time_limit");
    return {ExpGamma(p[0], p[1], limit), ExpGamma(p[2], p[3], limit)};
}

ExpGamma gaps_of(const Parameters& parameters, const std::string& type) {
    const std::vector<double> p = lublin_list(parameters, type, "interarrival");
    return {p[0] * p[2], p[1], parameters.real("interarrival_limit")};
}

DailyCycle cycle_of(const Parameters& parameters, const std::string& type) {
    const std::vector<double> p = lublin_list(parameters, type, "cycle");
    return DailyCycle::gamma_peak(p[0], p[1]);
}

/// What is known of one type of jobs; immutable.
struct JobType {
    JobType(const Parameters& parameters, const std::string& type)
        : sizes(sizes_of(parameters, type))
        , run_times(run_times_of(parameters, type))
        , gaps(gaps_of(parameters, type))
        , cycle(cycle_of(parameters, type))
        , slope(lublin_list(parameters, type, "run_time")[4])
        , intercept(lublin_list(parameters, type, "run_time")[5]) {
        for (std::uint32_t n = 1; n <= sizes.largest(); ++n) {
            const double probability = sizes.probabilities()[n];
            const double run = run_times.mean(first_probability(n));
            mean_size += probability * n;
            mean_run += probability * run;
            mean_area += probability * n * run;
        }
    }

    /// Of the first gamma distribution, that of the shorter run times.
    double first_probability(std::uint32_t size) const { return slope * size + intercept; }

    LublinSizes sizes;
    HyperGammaTime run_times;
    ExpGamma gaps;
    DailyCycle cycle;
    double slope;
    double intercept;
    double mean_size = 0;
    double mean_run = 0;
    double mean_area = 0;
};

/// The types with their number, which is the job class.
struct Types {
    explicit Types(const Parameters& parameters) {
        for (const std::string& type : lublin_types(parameters)) {
            types.emplace_back(parameters, type);
        }
    }

    /// Jobs per second without a load.
    double rate() const {
        double sum = 0;
        for (const JobType& type : types) {
            sum += 1 / type.gaps.mean();
        }
        return sum;
    }

    /// The mean over all jobs of a mean of each type.
    double mean(double JobType::*of_type) const {
        double sum = 0;
        for (const JobType& type : types) {
            sum += type.*of_type / type.gaps.mean();
        }
        return sum / rate();
    }

    std::uint32_t largest() const {
        std::uint32_t largest = 0;
        for (const JobType& type : types) {
            largest = std::max(largest, type.sizes.largest());
        }
        return largest;
    }

    std::vector<JobType> types;
};

/// What the times between arrivals are multiplied by.
double gap_factor(const Types& types, const WorkloadContext& context) {
    const auto wanted = interarrival_for(context, types.mean(&JobType::mean_area));
    return wanted ? *wanted * types.rate() : 1.0;
}

WorkloadTraits lublin_feitelson_traits_of(const Parameters& given, const WorkloadContext& context) {
    const Types types(given);
    WorkloadTraits traits;
    traits.max_size = types.largest();
    traits.job_classes = static_cast<std::uint32_t>(types.types.size());
    traits.class_names = lublin_types(given);
    traits.mean_size = types.mean(&JobType::mean_size);
    traits.mean_service_time = types.mean(&JobType::mean_run);
    traits.mean_interarrival_time = gap_factor(types, context) / types.rate();
    return traits;
}

class LublinFeitelson final : public RigidJobSource {
  public:
    LublinFeitelson(const Parameters& parameters, const WorkloadContext& context)
        : types_(parameters)
        , gap_factor_(gap_factor(types_, context))
        , arrivals_(stream_of(context, Purpose::arrivals))
        , sizes_(stream_of(context, Purpose::sizes))
        , service_(stream_of(context, Purpose::service)) {
        for (std::size_t t = 0; t < types_.types.size(); ++t) {
            advance(t);
        }
    }

    RigidJob next() override {
        std::size_t t = 0;
        for (std::size_t other = 1; other < types_.types.size(); ++other) {
            t = arrival_[other].submit < arrival_[t].submit ? other : t;
        }
        const JobType& type = types_.types[t];
        const std::uint64_t j = 2 * (arrival_[t].count - 1) + t;
        RigidJob job;
        job.submit = arrival_[t].submit;
        job.job_class = static_cast<std::uint32_t>(t);
        job.size = type.sizes.size(uniform_draw(sizes_, j));
        job.run = type.run_times.value(
            type.first_probability(job.size),
            uniform_draw(service_, 2 * j),
            uniform_draw(service_, 2 * j + 1)
        );
        advance(t);
        return job;
    }

  private:
    struct Arrival {
        double points = 0;  ///< of the daily cycle
        double submit = 0;
        std::uint64_t count = 0;
    };

    void advance(std::size_t t) {
        Arrival& arrival = arrival_[t];
        const JobType& type = types_.types[t];
        arrival.points +=
            gap_factor_ * type.gaps.value(uniform_draw(arrivals_, 2 * arrival.count + t)) / slot_s;
        arrival.submit = type.cycle.seconds(arrival.points);
        ++arrival.count;
    }

    Types types_;
    double gap_factor_;
    Stream arrivals_;
    Stream sizes_;
    Stream service_;
    std::array<Arrival, 2> arrival_{};  ///< the next one of each type
};

std::vector<LargestSize> lublin_feitelson_largest_sizes(const Parameters& given) {
    std::vector<LargestSize> result;
    for (const std::string& type : lublin_types(given)) {
        result.push_back({sizes_of(given, type).largest(), type + "_size"});
    }
    return result;
}

std::vector<engine::WorkloadExample> lublin_feitelson_examples() {
    std::vector<engine::WorkloadExample> result;
    for (const char* jobs : {"batch_and_interactive", "interactive", "typeless"}) {
        Parameters given;
        given.set("jobs", jobs);
        result.push_back({with_defaults(lublin_parameters(), given), {.clusters = {128}}});
    }
    result[1].parameters.set("estimates", engine::Choice{.name = "tsafrir"});
    result[2].parameters.set("days", 40.0);
    result[2].parameters.set("estimates", engine::Choice{.name = "f_model"});
    return result;
}

}  // namespace

engine::WorkloadModelDescription describe_lublin_feitelson() {
    return describe_rigid(
        {.alternative =
             {.name = "lublin_feitelson",
              .summary = "Rigid batch and interactive jobs with a daily cycle; times in seconds.",
              .parameters = lublin_parameters(),
              .check = lublin_problems,
              .source = "Lublin & Feitelson 2003"},
         .source = make_source<LublinFeitelson>,
         .traits = lublin_feitelson_traits_of,
         .largest_sizes = lublin_feitelson_largest_sizes,
         .examples = lublin_feitelson_examples()}
    );
}

}  // namespace schedfarm::models
