// The model of Feitelson, "Packing schemes for gang scheduling" (JSSPP 1996): small sizes and
// powers of two dominate, larger jobs run longer, and jobs are run repeatedly.
//
// Sizes: the probability of n is proportional to n^−1.5, and powers of two count several times; the
// paper's sizes are tailored further by hand, which has no formula. Run times: exponential, with
// the short mean with probability 0.95 − 0.2 n/N for N processors, else with the long one. Runs of
// a job: r with a probability proportional to r^−2.5, all of one size and run time; each is
// submitted when the one before would end if it did not wait.
//
// Draws of job k: value k of Purpose::arrivals, of Purpose::sizes and of Purpose::job_class (runs),
// values 2k and 2k + 1 of Purpose::service. New jobs arrive as a Poisson process, which a load
// stretches.
#include <algorithm>
#include <queue>

#include "engine/foundation/elementary.hpp"
#include "engine/random/stream.hpp"

#include "models/draws.hpp"
#include "models/rigid/rigid_workload.hpp"

namespace schedfarm::models {

namespace {

using engine::Parameters;
using engine::ParameterType;
using engine::Purpose;
using engine::Stream;
using engine::WorkloadContext;
using engine::WorkloadTraits;

/// Whole numbers from 1 on, with given weights.
class Numbers {
  public:
    explicit Numbers(const std::vector<double>& weights) {
        double sum = 0;
        double moment = 0;
        for (const double weight : weights) {
            sum += weight;
            cumulative_.push_back(sum);
            moment += static_cast<double>(cumulative_.size()) * weight;
        }
        mean_ = moment / sum;
    }

    double mean() const { return mean_; }
    double probability(std::size_t n) const {
        return (cumulative_[n - 1] - (n > 1 ? cumulative_[n - 2] : 0)) / cumulative_.back();
    }
    std::uint32_t value(double uniform) const {
        const auto place = std::upper_bound(
            cumulative_.begin(), cumulative_.end() - 1, uniform * cumulative_.back()
        );
        return static_cast<std::uint32_t>(place - cumulative_.begin()) + 1;
    }

  private:
    std::vector<double> cumulative_;
    double mean_;
};

/// n^−order for n = 1 … largest, times `factor` at 2, 4, 8 …
Numbers harmonic(std::int64_t largest, double order, double factor) {
    std::vector<double> weights;
    for (std::int64_t n = 1; n <= largest; ++n) {
        const bool is_power = n > 1 && (n & (n - 1)) == 0;
        weights.push_back(engine::power(static_cast<double>(n), -order) * (is_power ? factor : 1));
    }
    return Numbers(weights);
}

struct Feitelson {
    explicit Feitelson(const Parameters& p)
        : largest_size(p.integer("largest_size"))
        , sizes(harmonic(largest_size, p.real("size_order"), p.real("power_of_two_factor")))
        , runs(harmonic(p.integer("most_runs"), p.real("run_order"), 1))
        , short_share(p.real("short_share"))
        , share_slope(p.real("share_slope"))
        , short_mean(p.real("short_run_time"))
        , long_mean(p.real("long_run_time"))
        , interarrival(p.real("interarrival")) {
        for (std::int64_t n = 1; n <= largest_size; ++n) {
            const auto size = static_cast<std::uint32_t>(n);
            const double run = sizes.probability(size) * mean_run_of(size);
            mean_run += run;
            mean_area += size * run;
        }
    }

    double short_probability(std::uint32_t size) const {
        const double part = static_cast<double>(size) / static_cast<double>(largest_size);
        return std::clamp(short_share - share_slope * part, 0.0, 1.0);
    }
    double mean_run_of(std::uint32_t size) const {
        const double p = short_probability(size);
        return p * short_mean + (1 - p) * long_mean;
    }
    /// Between new jobs, at the load of the context.
    double mean_interarrival(const WorkloadContext& context) const {
        const auto wanted = interarrival_for(context, mean_area);
        return wanted ? *wanted * runs.mean() : interarrival;
    }

    std::int64_t largest_size;
    Numbers sizes;
    Numbers runs;
    double short_share;
    double share_slope;
    double short_mean;
    double long_mean;
    double interarrival;
    double mean_run = 0;
    double mean_area = 0;
};

class Feitelson96 final : public RigidJobSource {
  public:
    Feitelson96(const Parameters& parameters, const WorkloadContext& context)
        : model_(parameters)
        , interarrival_(model_.mean_interarrival(context))
        , arrivals_(stream_of(context, Purpose::arrivals))
        , sizes_(stream_of(context, Purpose::sizes))
        , runs_(stream_of(context, Purpose::job_class))
        , service_(stream_of(context, Purpose::service)) {
        draw_new();
    }

    RigidJob next() override {
        if (repeated_.empty() || new_.job.submit < repeated_.top().job.submit) {
            const RigidJob job = new_.job;
            repeat(new_);
            draw_new();
            return job;
        }
        const Run run = repeated_.top();
        repeated_.pop();
        repeat(run);
        return run.job;
    }

  private:
    struct Run {
        RigidJob job;
        std::uint32_t left = 0;    ///< runs after this one
        std::uint64_t number = 0;  ///< of the job
    };
    struct IsLater {
        bool operator()(const Run& a, const Run& b) const {
            return a.job.submit != b.job.submit ? a.job.submit > b.job.submit : a.number > b.number;
        }
    };

    void repeat(Run run) {
        if (run.left > 0) {
            --run.left;
            run.job.submit += run.job.run;
            repeated_.push(run);
        }
    }

    void draw_new() {
        arrival_ += interarrival_ * exponential_draw(arrivals_, count_);
        const std::uint32_t size = model_.sizes.value(uniform_draw(sizes_, count_));
        const bool is_short = uniform_draw(service_, 2 * count_) < model_.short_probability(size);
        const double mean = is_short ? model_.short_mean : model_.long_mean;
        new_.job = {
            .submit = arrival_,
            .run = mean * exponential_draw(service_, 2 * count_ + 1),
            .size = size};
        new_.left = model_.runs.value(uniform_draw(runs_, count_)) - 1;
        new_.number = count_;
        ++count_;
    }

    Feitelson model_;
    double interarrival_;
    Stream arrivals_;
    Stream sizes_;
    Stream runs_;
    Stream service_;
    std::uint64_t count_ = 0;
    double arrival_ = 0;
    Run new_;  ///< the next first run
    std::priority_queue<Run, std::vector<Run>, IsLater> repeated_;
};

WorkloadTraits feitelson_96_traits_of(const Parameters& given, const WorkloadContext& context) {
    const Feitelson model(given);
    WorkloadTraits traits;
    traits.max_size = static_cast<std::uint32_t>(model.largest_size);
    traits.mean_size = model.sizes.mean();
    traits.mean_service_time = model.mean_run;
    traits.mean_interarrival_time = model.mean_interarrival(context) / model.runs.mean();
    return traits;
}

std::vector<engine::ParameterDescription> feitelson_96_parameters() {
    const auto integer = [](const char* name, const char* meaning, const char* unit, int value) {
        return engine::ParameterDescription{
            .name = name,
            .meaning = meaning,
            .unit = unit,
            .type = ParameterType::integer,
            .default_value = value,
            .range = {.low = 1, .high = 1e6}};
    };
    const auto real =
        [](const char* name, const char* meaning, const char* unit, double value, double high) {
            return engine::ParameterDescription{
                .name = name,
                .meaning = meaning,
                .unit = unit,
                .default_value = value,
                .range = {.low = 0, .high = high, .low_is_open = high > 1}};
        };
    return with_rigid_parameters(
        {integer("largest_size", "N, the processors of the modelled machine", "processors", 128),
         real("size_order", "the probability of size n is proportional to n^-order", "", 1.5, 10),
         real("power_of_two_factor", "how many times more frequent 2, 4, 8, ... are", "", 5, 1e6),
         real("short_share", "probability of a short run time, for the smallest jobs", "", 0.95, 1),
         real("share_slope", "by how much it is smaller for jobs of the largest size", "", 0.2, 1),
         real("short_run_time", "mean of short run times", "time", 1, 1e9),
         real("long_run_time", "mean of long run times", "time", 7, 1e9),
         integer("most_runs", "largest number of runs of a job", "runs", 100),
         real("run_order", "the probability of r runs is proportional to r^-order", "", 2.5, 10),
         real("interarrival", "mean time between new jobs without a load", "time", 1, 1e9)}
    );
}

std::vector<LargestSize> feitelson_96_largest_sizes(const Parameters& given) {
    return {{static_cast<std::uint32_t>(given.integer("largest_size")), "largest_size"}};
}

std::vector<engine::WorkloadExample> feitelson_96_examples() {
    Parameters given;
    given.set("largest_size", 100);
    given.set("power_of_two_factor", 1.0);
    given.set("most_runs", 1);
    given.set("days", 0.5);
    return {
        {with_defaults(feitelson_96_parameters()), {.clusters = {128}}},
        {with_defaults(feitelson_96_parameters(), given), {.clusters = {64, 64}}}};
}

}  // namespace

engine::WorkloadModelDescription describe_feitelson_96() {
    return describe_rigid(
        {.alternative =
             {.name = "feitelson_96",
              .summary = "Small jobs, powers of two, repeated runs; a unit of time of its own.",
              .parameters = feitelson_96_parameters(),
              .source = "Feitelson 1996"},
         .source = make_source<Feitelson96>,
         .traits = feitelson_96_traits_of,
         .largest_sizes = feitelson_96_largest_sizes,
         .examples = feitelson_96_examples(),
         .is_in_seconds = false}
    );
}

}  // namespace schedfarm::models
