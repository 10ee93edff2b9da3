// The jobs of any workload, a log or a model, a share of them as advance reservations: each asks,
// at its submission, to start a lead time later (Smith, Foster & Taylor 2000). All else stays:
// submits, sizes, run times, estimates. What becomes of reservations that cannot be had, the policy
// decides and counts (docs/background/workload-models.md). Jobs that are reservations already stay
// so.
//
// Draws of job j from Purpose::estimates, beyond those of estimates: number 2^60 + j says whether
// it reserves, value number 2^48 + j is its lead time.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/random/distribution.hpp"
#include "engine/random/uniforms.hpp"

#include "models/draws.hpp"
#include "models/workload_version.hpp"

namespace schedfarm::models {

namespace {

using engine::Choice;
using engine::JobBlock;
using engine::Parameters;
using engine::ParameterType;
using engine::Purpose;
using engine::WorkloadContext;

constexpr std::uint64_t first_reservation_choice = std::uint64_t{1} << 60;
constexpr std::uint64_t first_lead = std::uint64_t{1} << 48;

class ReservedVersion final : public VersionOfJobs {
  public:
    ReservedVersion(
        std::unique_ptr<engine::WorkloadModel> original,
        const Parameters& given,
        const WorkloadContext& context
    )
        : VersionOfJobs(std::move(original))
        , share_(given.real("share"))
        , lead_time_(engine::make_time_distribution(given.choice("lead_time")))
        , stream_(stream_of(context, Purpose::estimates)) {
        traits_.has_fixed_starts = traits_.has_fixed_starts || share_ > 0;
    }

    /// The start of a reservation is agreed, whenever another job ends.
    engine::Dependence dependence(std::uint64_t index) const override {
        double uniform = 0;
        engine::fill_uniforms(stream_, first_reservation_choice + index, {&uniform, 1});
        return uniform < share_ ? engine::Dependence{} : VersionOfJobs::dependence(index);
    }

    void next(JobBlock& block) override {
        original_->next(block);
        if (share_ == 0) {
            return;
        }
        uniforms_.resize(block.count);
        leads_.resize(block.count);
        engine::fill_uniforms(stream_, first_reservation_choice + block.first_index, uniforms_);
        lead_time_->fill(stream_, first_lead + block.first_index, leads_);
        block.fixed_start.resize(block.count, engine::no_fixed_start);
        for (std::size_t i = 0; i < block.count; ++i) {
            if (uniforms_[i] < share_ && block.fixed_start[i] == engine::no_fixed_start) {
                block.fixed_start[i] = block.job(i).submit_time + leads_[i];
            }
        }
    }

  private:
    double share_;
    std::unique_ptr<const engine::TimeDistribution> lead_time_;
    engine::Stream stream_;
    std::vector<double> uniforms_;
    std::vector<double> leads_;
};

std::vector<engine::ParameterDescription> reserved_version_parameters() {
    Choice hours{.name = "exponential"};
    hours.parameters.set("mean", 7200.0);
    return {
        {.name = "share",
         .meaning = "probability of a job to be an advance reservation",
         .default_value = 0.1,
         .range = {.low = 0, .high = 1}},
        {.name = "lead_time",
         .meaning = "time from its submission to the start that it asks for",
         .unit = "time",
         .type = ParameterType::choice,
         .default_value = hours,
         .alternatives = engine::time_distributions}};
}

std::vector<engine::WorkloadExample> reserved_version_examples() {
    Parameters of_log;
    of_log.set("jobs", example_log());
    of_log.set("share", 0.25);
    Choice lead{.name = "erlang"};
    lead.parameters.set("shape", 4);
    lead.parameters.set("mean", 600.0);
    Parameters of_model;
    of_model.set("jobs", Choice{.name = "downey_97"});
    of_model.set("lead_time", lead);
    return {{of_log, {.clusters = {64}}}, {of_model, {.clusters = {256}}}};
}

}  // namespace

engine::WorkloadModelDescription describe_reserved_version() {
    return describe_version<ReservedVersion>(
        {.alternative =
             {.name = "reserved_version",
              .summary = "The jobs of a workload, a share of them as advance reservations.",
              .parameters = reserved_version_parameters(),
              .source = "Smith, Foster & Taylor 2000"},
         .original = {.name = "jobs", .meaning = "the workload whose jobs reserve"},
         .place = 40,
         .adds_fixed_starts = [](const Parameters& given) { return given.real("share") > 0; },
         .draws = [](const Parameters& given) { return given.real("share") > 0; },
         .examples = reserved_version_examples()}
    );
}

}  // namespace schedfarm::models
