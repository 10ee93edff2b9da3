// Moldable jobs drawn at random: a sequential time, a speedup and a weight for each; small and
// large jobs may have laws of their own (Dutot, Eyraud, Mounié & Trystram, SPAA 2004, section 4.1).
// Off-line all jobs are there at time 0; on-line they arrive in a Poisson process. A policy that
// knows only rigid jobs runs each on one processor.
//
// Draws of job j: number j of Purpose::arrivals, of Purpose::job_class (small or large) and of
// Purpose::service (sequential time), number 2^40 + j of Purpose::job_class (weight), and those of
// its speedup from Purpose::sizes (models/moldable/speedup.hpp).
#include <algorithm>
#include <array>
#include <memory>

#include "engine/simulation/workload_model.hpp"

#include "models/begin_block.hpp"
#include "models/distribution.hpp"
#include "models/draws.hpp"
#include "models/moldable/moldable_draws.hpp"
#include "models/moldable/moldable_times.hpp"
#include "models/moldable/speedup.hpp"

namespace schedfarm::models {

namespace {

using engine::Choice;
using engine::JobBlock;
using engine::Parameters;
using engine::Purpose;
using engine::Stream;
using engine::WorkloadContext;
using engine::WorkloadTraits;

/// Small or large jobs.
struct JobKind {
    std::unique_ptr<const Distribution> sequential;
    std::unique_ptr<const Speedup> speedup;
};

struct Streams {
    explicit Streams(const WorkloadContext& context)
        : arrivals(stream_of(context, Purpose::arrivals))
        , service(stream_of(context, Purpose::service))
        , job_class(stream_of(context, Purpose::job_class))
        , speedup(stream_of(context, Purpose::sizes)) {}

    Stream arrivals;
    Stream service;
    Stream job_class;
    Stream speedup;
};

class Moldable final : public engine::WorkloadModel {
  public:
    Moldable(const Parameters& given, const WorkloadContext& context)
        : processors_(context.system.processors())
        , streams_(context)
        , large_share_(given.real("large_share"))
        , weight_(make_distribution(given.choice("weight"), processors_))
        , kinds_{kind_of(given, ""), kind_of(given, "large_")}
        , arrives_(context.experiment.is_open())
        , block_size_(moldable_block_size(context))
        , factors_(processors_) {
        const double work = (1 - large_share_) * kinds_[0].sequential->mean()
                            + large_share_ * kinds_[1].sequential->mean();
        traits_.max_size = 1;
        if (large_share_ > 0) {
            traits_.job_classes = 2;
            traits_.class_names = {"small", "large"};
        }
        traits_.mean_size = 1;
        traits_.mean_service_time = work;
        interarrival_ = context.utilization ? work / (*context.utilization * processors_)
                                            : given.real("interarrival");
        if (arrives_) {
            traits_.mean_interarrival_time = interarrival_;
        }
    }

    const WorkloadTraits& traits() const override { return traits_; }

    void next(JobBlock& block) override {
        begin_block(block, next_, block_size_);
        block.component_stride = 1;
        block.structure = engine::RequestStructure::total;
        for (std::size_t i = 0; i < block_size_; ++i) {
            append(block);
            ++next_;
        }
    }

  private:
    JobKind kind_of(const Parameters& given, const std::string& prefix) const {
        return {
            make_distribution(given.choice(prefix + "sequential"), processors_),
            make_speedup(given.choice(prefix + "speedup"), streams_.speedup, processors_)};
    }

    void append(JobBlock& block) {
        const bool is_large =
            large_share_ > 0 && uniform_draw(streams_.job_class, next_) >= 1 - large_share_;
        const JobKind& kind = kinds_.at(is_large ? 1 : 0);
        const double sequential = kind.sequential->value(uniform_draw(streams_.service, next_));
        kind.speedup->factors(next_, factors_);
        if (arrives_) {
            submit_ += interarrival_ * exponential_draw(streams_.arrivals, next_);
        }
        block.submit_time.push_back(submit_);
        block.service_time.push_back(sequential);
        block.size.push_back(1);
        block.components.push_back(1);
        if (traits_.job_classes > 1) {
            block.job_class.push_back(is_large ? 1 : 0);
        }
        block.weight.push_back(weight_->value(uniform_draw(streams_.job_class, weight_draw(next_)))
        );
        block.moldable.push_back(times_.add(sequential, factors_));
    }

    std::uint32_t processors_;
    Streams streams_;
    double large_share_;
    std::unique_ptr<const Distribution> weight_;
    std::array<JobKind, 2> kinds_;  // small, large
    bool arrives_;
    std::size_t block_size_;
    double interarrival_ = 0;
    WorkloadTraits traits_;
    MoldableTimesStore times_;
    std::vector<double> factors_;
    std::uint64_t next_ = 0;
    double submit_ = 0;
};

std::vector<engine::ParameterDescription> moldable_parameters() {
    return {
        law_parameter(
            "sequential", "time on one processor", "time", distribution_choice("uniform", {1, 10})
        ),
        speedup_parameter(
            "speedup", "how much faster on more processors", {.name = "weakly_parallel"}
        ),
        {.name = "large_share",
         .meaning = "share of large jobs, which have laws of their own; they are class 1",
         .default_value = 0.0,
         .range = {.low = 0, .high = 1}},
        law_parameter(
            "large_sequential", "of large jobs", "time", distribution_choice("normal", {10, 5})
        ),
        speedup_parameter("large_speedup", "of large jobs", {.name = "highly_parallel"}),
        law_parameter("weight", "weight of a job", "", distribution_choice("uniform", {1, 10})),
        {.name = "interarrival",
         .meaning = "open: mean time between arrivals without a load; a utilization is that of "
                    "all jobs on one processor each",
         .unit = "time",
         .default_value = 1.0,
         .range = {.low = 0, .high = 1e12, .low_is_open = true}}};
}

std::vector<engine::WorkloadExample> moldable_examples() {
    Parameters mixed;
    mixed.set("sequential", distribution_choice("normal", {1, 0.5}));
    mixed.set("large_share", 0.3);
    Parameters cirne;
    cirne.set("speedup", Choice{.name = "downey"});
    cirne.set("sequential", distribution_choice("log_uniform", {0.5, 20}));
    Choice printed{.name = "highly_parallel"};
    printed.parameters.set("reading", "printed");
    printed.parameters.set("drawn", "per_job");
    Parameters other;
    other.set("speedup", printed);
    return {
        {with_defaults(moldable_parameters()), {.clusters = {200}}},
        {with_defaults(moldable_parameters(), mixed), {.clusters = {16}}},
        {with_defaults(moldable_parameters(), cirne), {.clusters = {64}}},
        {with_defaults(moldable_parameters(), other), {.clusters = {1}}}};
}

}  // namespace

engine::WorkloadModelDescription describe_moldable() {
    return {
        .alternative =
            {.name = "moldable",
             .summary = "Moldable jobs: sequential times, speedups and weights drawn at random.",
             .parameters = moldable_parameters(),
             .source = "Dutot, Eyraud, Mounie & Trystram 2004, section 4.1"},
        .make = [](const Parameters& given, const WorkloadContext& context
                ) { return std::make_unique<Moldable>(given, context); },
        .check_system = nullptr,
        .examples = moldable_examples(),
        .jobs = engine::WorkloadModelDescription::Jobs::moldable};
}

}  // namespace schedfarm::models
