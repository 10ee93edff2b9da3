// The jobs of any rigid workload, a log or a model, made moldable: a job that takes the time r on
// the s processors it asks for takes r · p(k)/p(s) on k, with a speedup drawn for it
// (models/moldable/speedup.hpp). Of a mix only a share of the jobs become moldable. All else stays:
// submits, sizes, estimates, users. Components are forgotten: a job takes any processors. A policy
// that knows only rigid jobs runs the rigid workload. A reservation takes the processors it asks
// for, moldable or not.
//
// Draws of job j: number 2^40 + j of Purpose::job_class (weight), 2^41 + j (whether it becomes
// moldable) and those of its speedup from Purpose::sizes, which rigid workloads do not reach.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "models/begin_block.hpp"
#include "models/distribution.hpp"
#include "models/draws.hpp"
#include "models/moldable/moldable_draws.hpp"
#include "models/moldable/moldable_times.hpp"
#include "models/moldable/speedup.hpp"
#include "models/workload_version.hpp"

namespace schedfarm::models {

namespace {

using engine::Choice;
using engine::JobBlock;
using engine::Parameters;
using engine::Purpose;
using engine::Stream;
using engine::WorkloadContext;

constexpr std::uint64_t first_choice = std::uint64_t{1} << 41;

/// Appends the entries `first` … `first + count − 1` of a column, or nothing of an empty one.
template <typename Column>
void append_part(Column& to, const Column& from, std::size_t first, std::size_t count) {
    if (!from.empty()) {
        const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
        to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    }
}

class MoldableVersion final : public VersionOfJobs {
  public:
    MoldableVersion(
        std::unique_ptr<engine::WorkloadModel> original,
        const Parameters& given,
        const WorkloadContext& context
    )
        : VersionOfJobs(std::move(original))
        , share_(given.real("share"))
        , weight_(make_distribution(given.choice("weight"), context.system.processors()))
        , weights_(stream_of(context, Purpose::job_class))
        , speedup_(make_speedup(
              given.choice("speedup"),
              stream_of(context, Purpose::sizes),
              context.system.processors()
          ))
        , block_size_(moldable_block_size(context))
        , factors_(context.system.processors()) {
        traits_.structure = engine::RequestStructure::total;
        traits_.max_components = 1;
    }

    void next(JobBlock& block) override {
        if (place_ == drawn_.count) {
            original_->next(drawn_);
            place_ = 0;
        }
        const std::size_t count = std::min(block_size_, drawn_.count - place_);
        begin_block(block, drawn_.first_index + place_, count);
        block.component_stride = 1;
        block.structure = engine::RequestStructure::total;
        copy_columns(block);
        for (std::size_t i = place_; i < place_ + count; ++i) {
            make_moldable(block, i);
        }
        place_ += count;
    }

  private:
    void copy_columns(JobBlock& block) const {
        const auto copy = [&](auto& to, const auto& from) {
            append_part(to, from, place_, block.count);
        };
        copy(block.submit_time, drawn_.submit_time);
        copy(block.service_time, drawn_.service_time);
        copy(block.size, drawn_.size);
        copy(block.components, drawn_.size);
        copy(block.estimate, drawn_.estimate);
        copy(block.job_class, drawn_.job_class);
        copy(block.user, drawn_.user);
        copy(block.origin, drawn_.origin);
        copy(block.queue, drawn_.queue);
        copy(block.priority, drawn_.priority);
        copy(block.memory_per_processor, drawn_.memory_per_processor);
        copy(block.fixed_start, drawn_.fixed_start);
        copy(block.request, drawn_.request);
        copy(block.job_number, drawn_.job_number);
    }

    /// The job as it is where it is none of the share.
    void make_moldable(JobBlock& block, std::size_t i) {
        const std::uint64_t job = drawn_.first_index + i;
        const double u = uniform_draw(weights_, weight_draw(job));
        block.weight.push_back(weight_->value(u));
        if (share_ < 1 && engine::unit_interval(weights_.draw(first_choice + job)) >= share_) {
            block.moldable.push_back(nullptr);
            return;
        }
        speedup_->factors(job, factors_);
        block.moldable.push_back(times_.add(drawn_.service_time[i], factors_, drawn_.size[i]));
    }

    double share_;
    std::unique_ptr<const Distribution> weight_;
    Stream weights_;
    std::unique_ptr<const Speedup> speedup_;
    std::size_t block_size_;
    MoldableTimesStore times_;
    std::vector<double> factors_;
    JobBlock drawn_;         // of the rigid workload
    std::size_t place_ = 0;  // of the next job in it
};

std::vector<engine::ParameterDescription> moldable_version_parameters() {
    return {
        speedup_parameter("speedup", "how much faster on more processors", {.name = "downey"}),
        law_parameter("weight", "weight of a job", "", distribution_choice("constant", {1})),
        {.name = "share",
         .meaning = "probability of a job to become moldable; the others stay rigid",
         .default_value = 1.0,
         .range = {.low = 0, .high = 1}}};
}

/// The examples of the other models would be too many; a model and a list of jobs.
std::vector<engine::WorkloadExample> moldable_version_examples() {
    using engine::Value;
    Choice listed{.name = "listed"};
    listed.parameters.set("service_times", Value::List{4, 2.5, 1});
    listed.parameters.set("sizes", Value::List{4, 2, 1});
    listed.parameters.set("submit_times", Value::List{0, 0, 1});
    Parameters of_list;
    of_list.set("rigid", listed);
    of_list.set("speedup", Choice{.name = "weakly_parallel"});
    of_list.set("weight", distribution_choice("uniform", {1, 10}));
    Choice downey{.name = "downey_97"};
    downey.parameters.set("largest_parallelism", 16.5);
    Parameters of_model;
    of_model.set("rigid", downey);
    of_model.set("share", 0.5);
    return {{of_list, {.clusters = {5}}}, {of_model, {.clusters = {8, 8}}}};
}

}  // namespace

engine::WorkloadModelDescription describe_moldable_version() {
    return describe_version<MoldableVersion>(
        {.alternative =
             {.name = "moldable_version",
              .summary = "The jobs of a rigid workload, each with a speedup.",
              .parameters = moldable_version_parameters(),
              .source = "speedups: Downey 1997, Dutot et al. 2004"},
         .original =
             {.name = "rigid",
              .meaning = "the workload whose jobs are made moldable",
              .default_value = Choice{.name = "lublin_feitelson"}},
         .place = 50,
         .except = {WorkloadVersion::Jobs::moldable},
         .examples = moldable_version_examples()}
    );
}

}  // namespace schedfarm::models
