// The jobs of any workload and, besides, advance reservations of a part of the machine at regular
// times: maintenance, courses, another site's turn. Reservation k asks for its processors from
// first + k · period on and is submitted a lead time before (off-line, and where that would be
// before time 0, at 0). It is rigid, without weight, and comes before jobs of the same time. What
// becomes of reservations that cannot be had, the policy decides and counts
// (docs/background/workload-models.md). No random numbers of its own: a cell's jobs are the same
// whatever is reserved.
//
// Components of the jobs are forgotten, they take any processors, as those of moldable_version.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/begin_block.hpp"
#include "models/workload_version.hpp"

namespace schedfarm::models {

namespace {

using engine::Choice;
using engine::JobBlock;
using engine::Parameters;
using engine::ParameterType;
using engine::WorkloadContext;

class Reservations {
  public:
    Reservations(const Parameters& given, const WorkloadContext& context)
        : processors_(static_cast<std::uint32_t>(
            std::lround(given.real("machine_share") * context.system.processors())
        ))
        , length_(given.real("length"))
        , period_(given.real("period"))
        , first_(given.real("first"))
        , lead_(
              context.experiment.starts_with_all() ? std::numeric_limits<double>::infinity()
                                                   : given.real("lead_time")
          )
        , left_(processors_ > 0 ? static_cast<std::uint64_t>(given.integer("count")) : 0) {}

    bool empty() const { return left_ == 0; }
    std::uint32_t processors() const { return processors_; }
    double length() const { return length_; }
    double start() const { return first_ + static_cast<double>(next_) * period_; }
    double submit_time() const { return std::max(0.0, start() - lead_); }
    void pop() {
        ++next_;
        --left_;
    }

  private:
    std::uint32_t processors_;
    double length_;
    double period_;
    double first_;
    double lead_;
    std::uint64_t left_;
    std::uint64_t next_ = 0;
};

class PeriodicReservations final : public VersionOfJobs {
  public:
    PeriodicReservations(
        std::unique_ptr<engine::WorkloadModel> original,
        const Parameters& given,
        const WorkloadContext& context
    )
        : VersionOfJobs(std::move(original)), reservations_(given, context) {
        if (reservations_.empty()) {
            return;
        }
        traits_.structure = engine::RequestStructure::total;
        traits_.max_components = 1;
        traits_.max_size = std::max(traits_.max_size, reservations_.processors());
        traits_.has_fixed_starts = true;
        if (!traits_.class_names.empty()) {
            traits_.class_names.front() += " and reservations";
        }
        // Those of the jobs alone.
        traits_.mean_size.reset();
        traits_.mean_service_time.reset();
        traits_.mean_interarrival_time.reset();
    }

    /// Jobs have other numbers among the reservations.
    engine::Dependence dependence(std::uint64_t index) const override {
        if (!traits_.has_fixed_starts) {
            return VersionOfJobs::dependence(index);
        }
        const auto own = std::lower_bound(outer_.begin(), outer_.end(), index);
        if (own == outer_.end() || *own != index) {
            return {};
        }
        return VersionOfJobs::dependence(static_cast<std::uint64_t>(own - outer_.begin()))
            .renumbered([this](std::uint64_t job) {
                return job < outer_.size() ? outer_[job] : engine::no_job;
            });
    }

    void next(JobBlock& block) override {
        if (!traits_.has_fixed_starts) {
            original_->next(block);
            return;
        }
        begin_block(block, next_, 0);
        block.component_stride = 1;
        block.structure = engine::RequestStructure::total;
        while (block.count < JobBlock::capacity && has_drawn()) {
            append(block);
            ++block.count;
            if (place_ == drawn_.count && !is_over_) {
                break;  // no more are drawn than the original gives at a time
            }
        }
        next_ += block.count;
    }

  private:
    /// Whether there is a job or a reservation left; draws the jobs after the last.
    bool has_drawn() {
        if (place_ == drawn_.count && !is_over_) {
            original_->next(drawn_);
            place_ = 0;
            is_over_ = drawn_.count == 0;
        }
        return place_ < drawn_.count || !reservations_.empty();
    }

    void append(JobBlock& block) {
        const bool is_job =
            place_ < drawn_.count
            && (reservations_.empty() || drawn_.submit_time[place_] < reservations_.submit_time());
        const engine::Job job = is_job ? drawn_.job(place_) : reservation();
        block.submit_time.push_back(job.submit_time);
        block.service_time.push_back(job.service_time);
        block.estimate.push_back(job.estimate);
        block.size.push_back(job.size);
        block.components.push_back(job.size);
        block.job_class.push_back(job.job_class);
        block.user.push_back(job.user);
        block.origin.push_back(job.origin);
        block.queue.push_back(job.queue);
        block.priority.push_back(job.priority);
        block.weight.push_back(job.weight);
        block.memory_per_processor.push_back(job.memory_per_processor);
        block.fixed_start.push_back(job.fixed_start);
        block.moldable.push_back(job.moldable);
        block.request.push_back(job.request);
        const bool is_numbered = is_job && !drawn_.job_number.empty();
        block.job_number.push_back(is_numbered ? drawn_.job_number[place_] : engine::no_job_number);
        if (is_job) {
            if (has_dependences()) {
                outer_.push_back(next_ + block.count);
            }
            ++place_;
        } else {
            reservations_.pop();
        }
    }

    engine::Job reservation() const {
        engine::Job job;
        job.submit_time = reservations_.submit_time();
        job.service_time = reservations_.length();
        job.estimate = reservations_.length();
        job.size = reservations_.processors();
        job.weight = 0;
        job.fixed_start = reservations_.start();
        return job;
    }

    Reservations reservations_;
    JobBlock drawn_;         // of the original
    std::size_t place_ = 0;  // of the next job in it
    bool is_over_ = false;   // the original has no more jobs
    std::uint64_t next_ = 0;
    std::vector<std::uint64_t> outer_;  // of the original's jobs: their numbers here
};

std::vector<engine::ParameterDescription> periodic_reservations_parameters() {
    return {
        {.name = "machine_share",
         .meaning = "share of the machine's processors that a reservation takes, rounded; where "
                    "that is none, nothing is reserved",
         .default_value = 0.25,
         .range = {.low = 0, .high = 1}},
        {.name = "length",
         .meaning = "run time of a reservation",
         .unit = "time",
         .range = {.low = 0, .high = 1e15, .low_is_open = true}},
        {.name = "period",
         .meaning = "time from the start of a reservation to that of the next",
         .unit = "time",
         .range = {.low = 0, .high = 1e15, .low_is_open = true}},
        {.name = "first",
         .meaning = "start of the first reservation",
         .unit = "time",
         .default_value = 0.0,
         .range = {.low = 0, .high = 1e15}},
        {.name = "lead_time",
         .meaning = "time from the submission of a reservation to its start, ahead of jobs of the "
                    "same submit time; off-line all are submitted at time 0",
         .unit = "time",
         .default_value = 0.0,
         .range = {.low = 0, .high = 1e15}},
        {.name = "count",
         .meaning = "number of reservations, which are among the jobs of the horizon",
         .type = ParameterType::integer,
         .default_value = 10,
         .range = {.low = 0, .high = 1e9}}};
}

bool reserves(const Parameters& given) {
    return given.real("machine_share") > 0 && given.integer("count") > 0;
}

std::vector<engine::WorkloadExample> periodic_reservations_examples() {
    Parameters of_moldable;
    of_moldable.set("jobs", Choice{.name = "moldable"});
    of_moldable.set("length", 2.0);
    of_moldable.set("period", 3.0);
    Parameters of_log;
    of_log.set("jobs", example_log());
    of_log.set("machine_share", 0.5);
    of_log.set("length", 3600.0);
    of_log.set("period", 86400.0);
    of_log.set("first", 7200.0);
    of_log.set("lead_time", 3600.0);
    of_log.set("count", 30);
    return {{of_moldable, {.clusters = {16}}}, {of_log, {.clusters = {64}}}};
}

}  // namespace

engine::WorkloadModelDescription describe_periodic_reservations() {
    return describe_version<PeriodicReservations>(
        {.alternative =
             {.name = "periodic_reservations",
              .summary = "The jobs of a workload, and advance reservations at regular times.",
              .parameters = periodic_reservations_parameters(),
              .source = ""},
         .original = {.name = "jobs", .meaning = "the workload beside which is reserved"},
         .place = 60,
         .adds_fixed_starts = reserves,
         .draws = [](const Parameters& /*given*/) { return false; },
         .examples = periodic_reservations_examples()}
    );
}

}  // namespace schedfarm::models
