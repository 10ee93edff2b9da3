// Home clusters of one system, each with jobs of its own: home k has those of its workload, a log
// or a model, as a machine of its size gets them, and `origin` says so (Hollingsworth &
// Maneewongvatana 1999, section 3.3: ten clusters with the jobs of ten months of one log). Homes
// may have parts of one log, one behind the other, and times of day of their own. Jobs are merged
// by submission, at one instant by home. Their classes are their homes.
//
// Home k draws from a seed of its own: draw number 2^60 + k of Purpose::job_class, replication 0.
// Replications of one home differ as those of its workload do. Cost: O(log homes) per job.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/simulation/dependent_workload.hpp"

#include "models/begin_block.hpp"
#include "models/draws.hpp"
#include "models/workload_version.hpp"

namespace schedfarm::models {

namespace {

using engine::Choice;
using engine::Job;
using engine::JobBlock;
using engine::Parameters;
using engine::ParameterType;
using engine::Value;
using engine::WorkloadContext;

constexpr int federation_place =
    50;  // as moldable_version, of what stands inside; it is of place 0
constexpr std::uint64_t first_seed = std::uint64_t{1} << 60;
constexpr double endless = std::numeric_limits<double>::infinity();

/// Jobs have a size that is theirs, and no home yet.
const std::vector<engine::Alternative>& workloads() {
    using Jobs = engine::WorkloadModelDescription::Jobs;
    static const auto table =
        inner_workloads(federation_place, {Jobs::moldable, Jobs::in_components, Jobs::with_homes});
    return table;
}

/// The workload of each home; one stands for all.
InnerWorkload workload_of(const Parameters& given, std::size_t home) {
    const Value::List& homes = given.at("homes").as_list();
    return InnerWorkload(homes[std::min(home, homes.size() - 1)].as_choice());
}

/// The clusters, ascending, that have the jobs of the workload of one of them in turn: all with the
/// same workload, or it alone.
std::vector<std::size_t> sharing(const Parameters& given, std::size_t clusters, std::size_t home) {
    std::vector<std::size_t> homes;
    for (std::size_t k = 0; k < clusters; ++k) {
        const bool is_alike = given.boolean("in_turn")
                              && workload_of(given, k).text() == workload_of(given, home).text();
        if (k == home || is_alike) {
            homes.push_back(k);
        }
    }
    return homes;
}

/// What a home has of a workload.
struct Share {
    double begin = -endless;  ///< submits, included
    double end = endless;     ///< excluded
    double moved = 0;         ///< jobs come so much later
    std::size_t turns = 1;    ///< it has every so manyth job
    std::size_t turn = 0;     ///< from this one on
    std::size_t source = 0;   ///< the first home that has jobs of the same
};

class Home {
  public:
    Home(std::unique_ptr<engine::WorkloadModel> workload, const Share& share)
        : workload_(std::move(workload)), share_(share) {
        advance(share.turn + 1);
        while (has_job() && block_.submit_time[place_] < share.begin) {
            advance(share.turns);
        }
    }

    const engine::WorkloadTraits& traits() const { return workload_->traits(); }
    bool has_job() const { return block_.count > 0 && block_.submit_time[place_] < share_.end; }
    double submit_time() const { return block_.submit_time[place_] + share_.moved; }
    double fixed_start() const { return job().fixed_start + share_.moved; }
    double clock() const { return traits().clock == 0 ? 0 : traits().clock - share_.moved; }
    Job job() const { return block_.job(place_); }
    std::size_t source() const { return share_.source; }
    const engine::DependentWorkload* dependences() const { return workload_->dependent(); }
    std::int32_t job_number() const {
        return block_.job_number.empty() ? engine::no_job_number : block_.job_number[place_];
    }
    void advance() { advance(share_.turns); }

  private:
    void advance(std::size_t jobs) {
        for (; jobs > 0; --jobs) {
            if (++place_ < block_.count) {
                continue;
            }
            workload_->next(block_);
            place_ = 0;
            if (block_.count == 0) {
                return;
            }
        }
    }

    std::unique_ptr<engine::WorkloadModel> workload_;
    Share share_;
    JobBlock block_;
    std::size_t place_ = 0;
};

class Federation final : public engine::DependentWorkload {
  public:
    Federation(const Parameters& given, const WorkloadContext& context) {
        for (std::size_t k = 0; k < context.system.clusters.size(); ++k) {
            homes_.push_back(home(given, context, k));
            wait_for(k);
        }
        set_traits();
    }

    const engine::WorkloadTraits& traits() const override { return traits_; }

    bool has_dependences() const override { return has_dependences_; }
    /// A job may follow one of another home with jobs of the same workload.
    engine::Dependence dependence(std::uint64_t index) const override {
        const auto [k, own] = origins_[index];
        const engine::DependentWorkload* const dependences = homes_[k].dependences();
        if (dependences == nullptr) {
            return {};
        }
        return dependences->dependence(own).renumbered([&, home = k](std::uint64_t job) {
            const auto found = numbers_.find({homes_[home].source(), job});
            return found == numbers_.end() ? engine::no_job : found->second;
        });
    }

    void next(JobBlock& block) override {
        begin_block(block, next_index_, 0);
        block.component_stride = 1;
        block.structure = engine::RequestStructure::total;
        while (block.count < JobBlock::capacity && !next_.empty()) {
            const std::size_t k = next_.top().second;
            next_.pop();
            append(block, k);
            homes_[k].advance();
            wait_for(k);
        }
        next_index_ += block.count;
    }

  private:
    static Home home(const Parameters& given, const WorkloadContext& context, std::size_t k) {
        const auto homes = sharing(given, context.system.clusters.size(), k);
        WorkloadContext own = context;
        own.system.clusters.clear();
        for (const std::size_t home : homes) {
            own.system.clusters.push_back(context.system.clusters[home]);
        }
        own.seed = engine::Stream(context.seed, engine::Purpose::job_class, 0, context.generator)
                       .draw(first_seed + homes.front());
        const std::vector<double> shifts = given.reals("shifts");
        const double begin = static_cast<double>(k) * given.real("every");
        const double shift = shifts.empty() ? 0 : shifts[std::min(k, shifts.size() - 1)];
        const auto turn = std::find(homes.begin(), homes.end(), k) - homes.begin();
        return {
            workload_of(given, k).jobs(own),
            {.begin = given.real("every") > 0 ? begin : -endless,
             .end = given.real("length") > 0 ? begin + given.real("length") : endless,
             .moved = shift - begin,
             .turns = homes.size(),
             .turn = static_cast<std::size_t>(turn),
             .source = homes.front()}};
    }

    void wait_for(std::size_t k) {
        if (homes_[k].has_job()) {
            next_.emplace(homes_[k].submit_time(), k);
        }
    }

    void append(JobBlock& block, std::size_t k) {
        const Job job = homes_[k].job();
        if (has_dependences_) {
            origins_.emplace_back(k, job.index);
            numbers_.emplace(std::pair(homes_[k].source(), job.index), next_index_ + block.count);
        }
        const auto home = static_cast<std::uint32_t>(k);
        ++block.count;
        block.submit_time.push_back(homes_[k].submit_time());
        block.service_time.push_back(job.service_time);
        block.estimate.push_back(job.estimate);
        block.size.push_back(job.size);
        block.components.push_back(job.size);
        block.job_class.push_back(home);
        block.origin.push_back(home);
        block.user.push_back(job.user * static_cast<std::uint32_t>(homes_.size()) + home);
        block.queue.push_back(job.queue);
        block.priority.push_back(job.priority);
        block.weight.push_back(job.weight);
        block.memory_per_processor.push_back(job.memory_per_processor);
        block.request.push_back(job.request);
        block.job_number.push_back(homes_[k].job_number());
        if (traits_.has_fixed_starts) {
            block.fixed_start.push_back(homes_[k].fixed_start());
        }
    }

    void set_traits() {
        traits_.job_classes = static_cast<std::uint32_t>(homes_.size());
        for (const Home& home : homes_) {
            const engine::WorkloadTraits& own = home.traits();
            traits_.max_size = std::max(traits_.max_size, own.max_size);
            traits_.max_memory_per_processor =
                std::max(traits_.max_memory_per_processor, own.max_memory_per_processor);
            traits_.has_fixed_starts = traits_.has_fixed_starts || own.has_fixed_starts;
            traits_.clock = traits_.clock == 0 ? home.clock() : traits_.clock;
            has_dependences_ = has_dependences_ || home.dependences() != nullptr;
            traits_.has_infinite_mean_slowdown =
                traits_.has_infinite_mean_slowdown || own.has_infinite_mean_slowdown;
            traits_.class_names.push_back(fmt::format("home {}", traits_.class_names.size() + 1));
        }
    }

    using Next = std::pair<double, std::size_t>;  // submit time, home

    std::vector<Home> homes_;
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next_;
    engine::WorkloadTraits traits_;
    std::uint64_t next_index_ = 0;
    bool has_dependences_ = false;
    // Where it has, of the jobs here: home and number there; by source and number there: that here.
    std::vector<std::pair<std::size_t, std::uint64_t>> origins_;
    std::map<std::pair<std::size_t, std::uint64_t>, std::uint64_t> numbers_;
};

std::vector<engine::ParameterDescription> parameters() {
    return {
        {.name = "homes",
         .meaning = "the workload of every cluster, or a list: one for each; loads are relative to "
                    "the cluster",
         .type = ParameterType::choice_list,
         .alternatives = workloads},
        {.name = "every",
         .meaning = "the second cluster begins so much later in its workload than the first, the "
                    "third twice as much, and so on: what is submitted before is left out, and "
                    "times count from there; 0: workloads are as they are",
         .unit = "time",
         .default_value = 0.0,
         .range = {.low = 0, .high = 1e12}},
        {.name = "length",
         .meaning = "what is submitted as much later as this, or more, is left out; 0: nothing is",
         .unit = "time",
         .default_value = 0.0,
         .range = {.low = 0, .high = 1e12}},
        {.name = "in_turn",
         .meaning =
             "clusters with the same workload have its jobs in turn, the first the first, and "
             "its load is relative to all of them; else each draws jobs of its own",
         .type = ParameterType::boolean,
         .default_value = false},
        {.name = "shifts",
         .meaning = "of each cluster: its jobs come so much later, as in another time zone; the "
                    "last for all above; empty: none",
         .unit = "time",
         .type = ParameterType::real_list,
         .default_value = Value::List{},
         .range = {.low = 0, .high = 1e12}}};
}

std::size_t workload_count(const Parameters& given) {
    return given.at("homes").as_list().size();
}

engine::WorkloadFacts facts_of_homes(const Parameters& given) {
    engine::WorkloadFacts facts{
        .is_in_seconds = true, .draws = false, .end = engine::JobsEnd::given};
    for (std::size_t k = 0; k < workload_count(given); ++k) {
        const engine::WorkloadFacts own = workload_of(given, k).facts();
        facts.is_in_seconds = facts.is_in_seconds && own.is_in_seconds;
        facts.has_fixed_starts = facts.has_fixed_starts || own.has_fixed_starts;
        facts.has_own_arrivals = facts.has_own_arrivals || own.has_own_arrivals;
        facts.draws = facts.draws || own.draws;
        facts.end = std::min(facts.end, own.end);
        facts.logs.insert(facts.logs.end(), own.logs.begin(), own.logs.end());
    }
    if (given.real("length") > 0) {
        facts.end = std::max(facts.end, engine::JobsEnd::drawn);
    }
    return facts;
}

std::vector<engine::ParameterProblem> problems(
    const Parameters& given, const engine::SystemDescription& system
) {
    const std::size_t clusters = system.clusters.size();
    if (workload_count(given) != 1 && workload_count(given) != clusters) {
        return {
            {"homes",
             fmt::format(
                 "{} workloads for {} clusters (each has one of its own, or all have the same)",
                 workload_count(given),
                 clusters
             ),
             "Give a list as long as system.clusters."}};
    }
    for (std::size_t k = 0; k < workload_count(given); ++k) {
        auto found = workload_of(given, k).system_problems("homes", system);
        if (!found.empty()) {
            return found;
        }
    }
    return {};
}

std::vector<engine::ParameterProblem> parameter_problems(const Parameters& given) {
    if (given.boolean("in_turn") && given.real("every") > 0) {
        return {
            {"in_turn",
             "clusters have parts of their workloads one behind the other already ('every')",
             "Give one of the two."}};
    }
    return {};
}

Parameters checksummed(Parameters given) {
    Value::List homes;
    for (std::size_t k = 0; k < workload_count(given); ++k) {
        homes.emplace_back(workload_of(given, k).checksummed());
    }
    given.set("homes", std::move(homes));
    return given;
}

std::vector<engine::WorkloadExample> examples() {
    const auto example = [](Value::List homes, std::vector<std::uint32_t> clusters) {
        Parameters given;
        given.set("homes", std::move(homes));
        given.set("shifts", Value::List{0.0, 3600.0});
        return engine::WorkloadExample{
            with_defaults(parameters(), given), {.clusters = std::move(clusters)}};
    };
    Choice log = example_log();
    std::vector<engine::WorkloadExample> all = {
        example({Value(log)}, {64, 64}),
        example({Value(Choice{.name = "downey_97"}), Value(log)}, {256, 64})};
    all.front().parameters.set("every", 86400.0);
    all.front().parameters.set("length", 8 * 86400.0);
    log.parameters.set("resampling", "none");
    Choice reserved{.name = "reserved_version"};
    reserved.parameters.set("jobs", log);
    all.push_back(example({Value(log), Value(reserved), Value(log)}, {64, 64, 64}));
    all.back().parameters.set("in_turn", true);
    return all;
}

}  // namespace

engine::WorkloadModelDescription describe_federation() {
    return {
        .alternative =
            {.name = "federation",
             .summary = "Clusters with workloads of their own, logs, parts of a log, or models.",
             .parameters = parameters(),
             .check = parameter_problems,
             .source = "Hollingsworth & Maneewongvatana 1999, section 3.3"},
        .experiments = engine::experiments_with_response_times(),
        .make = [](const Parameters& given, const WorkloadContext& context
                ) { return std::make_unique<Federation>(given, context); },
        .check_system = problems,
        .facts = facts_of_homes,
        .checksummed = checksummed,
        .examples = examples(),
        .jobs = engine::WorkloadModelDescription::Jobs::with_homes};
}

}  // namespace schedfarm::models
