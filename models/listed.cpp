// Jobs that the campaign lists itself, or moldable ones of a file that it names.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/simulation/dependent_workload.hpp"

#include "models/begin_block.hpp"
#include "models/request_check.hpp"
#include "models/task_file.hpp"
#include "models/trace/reading/log_error.hpp"

namespace schedfarm::models {

namespace {

using engine::JobBlock;
using engine::ParameterProblem;
using engine::Parameters;
using engine::ParameterType;
using engine::Value;
using engine::WorkloadContext;
using engine::WorkloadTraits;

/// The lists as columns; components of job i from i * stride on.
struct Jobs {
    explicit Jobs(const Parameters& parameters)
        : stride(static_cast<std::size_t>(parameters.integer("components")))
        , structure(request_structure(parameters.text("request")))
        , submit_times(parameters.reals("submit_times"))
        , service_times(parameters.reals("service_times")) {
        for (const Value& component : parameters.at("sizes").as_list()) {
            components.push_back(static_cast<std::uint32_t>(component.as_integer()));
        }
        if (!parameters.text("file").empty()) {
            read_tasks(parameters);
        }
        if (submit_times.empty()) {
            submit_times.assign(service_times.size(), 0.0);
        }
        estimates = parameters.reals("requested_times");
        users = whole_numbers(parameters, "users");
        queues = whole_numbers(parameters, "queues");
        for (const double start : parameters.reals("fixed_starts")) {
            fixed_starts.push_back(start < 0 ? engine::no_fixed_start : start);
        }
        add_dependences(parameters);
    }

    /// Cells leave the two lists out where they are empty (checksummed).
    void add_dependences(const Parameters& parameters) {
        if (!parameters.contains("after")) {
            return;
        }
        for (const Value& job : parameters.at("after").as_list()) {
            const std::int64_t number = job.as_integer();
            dependences.push_back(
                {.preceding = number < 0 ? engine::no_job : static_cast<std::uint64_t>(number)}
            );
        }
        const std::vector<double> think_times = parameters.reals("think_times");
        for (std::size_t i = 0; i < std::min(think_times.size(), dependences.size()); ++i) {
            dependences[i].think_time = think_times[i];
        }
    }

    static std::vector<std::uint32_t> whole_numbers(
        const Parameters& parameters, const char* name
    ) {
        std::vector<std::uint32_t> result;
        for (const Value& number : parameters.at(name).as_list()) {
            result.push_back(static_cast<std::uint32_t>(number.as_integer()));
        }
        return result;
    }

    /// On one processor each where the policy knows only rigid jobs.
    void read_tasks(const Parameters& parameters) {
        const std::string& file = parameters.text("file");
        TaskFile tasks = read_task_file(file, parameters.folders());
        sha256 = tasks.sha256;
        if (const std::string& wanted = parameters.text("sha256");
            !wanted.empty() && wanted != sha256) {
            throw trace::LogError(
                file + ": this is another file (its SHA-256 is " + sha256 + ", not " + wanted
                + "). Use the file as it was."
            );
        }
        weights = std::move(tasks.weights);
        times = std::move(tasks.times);
        for (const std::vector<double>& own : times) {
            service_times.push_back(own.front());
        }
        components.assign(times.size(), 1);
    }

    std::size_t count() const { return service_times.size(); }
    std::vector<std::uint32_t> components_of(std::size_t i) const {
        const auto first = components.begin() + static_cast<std::ptrdiff_t>(i * stride);
        return {first, first + static_cast<std::ptrdiff_t>(stride)};
    }
    std::uint32_t size_of(std::size_t i) const {
        const std::vector<std::uint32_t> parts = components_of(i);
        return std::accumulate(parts.begin(), parts.end(), std::uint32_t{0});
    }

    std::size_t stride;
    engine::RequestStructure structure;
    std::vector<double> submit_times;
    std::vector<double> service_times;
    std::vector<std::uint32_t> components;
    // Empty where the campaign does not say.
    std::vector<double> estimates;
    std::vector<double> fixed_starts;
    std::vector<engine::Dependence> dependences;
    std::vector<std::uint32_t> users;
    std::vector<std::uint32_t> queues;
    // Of a file.
    std::vector<double> weights;
    std::vector<std::vector<double>> times;
    std::string sha256;
};

/// 0 for a list that the cell leaves out.
std::size_t entries_of(const Parameters& parameters, const char* list) {
    return parameters.contains(list) ? parameters.at(list).as_list().size() : 0;
}

/// The optional columns.
constexpr std::array optional_columns = {
    "requested_times", "fixed_starts", "users", "queues", "after", "think_times"};

template <typename Column>
void append(Column& to, const Column& from, std::size_t first, std::size_t count) {
    if (from.empty()) {
        return;
    }
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
    to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
}

class Listed final : public engine::DependentWorkload {
  public:
    Listed(const Parameters& parameters, const WorkloadContext& context) : jobs_(parameters) {
        if (context.experiment.starts_with_all()) {
            std::fill(jobs_.submit_times.begin(), jobs_.submit_times.end(), 0.0);
        }
        traits_.max_components = jobs_.stride;
        traits_.structure = jobs_.structure;
        traits_.has_fixed_starts = !jobs_.fixed_starts.empty();
        for (std::size_t i = 0; i < jobs_.count(); ++i) {
            traits_.max_size = std::max(traits_.max_size, jobs_.size_of(i));
        }
        for (const std::vector<double>& times : jobs_.times) {
            const std::size_t most = context.system.processors();
            moldable_.push_back({std::span(times).first(std::min(times.size(), most))});
        }
    }

    const WorkloadTraits& traits() const override { return traits_; }

    bool has_dependences() const override { return !jobs_.dependences.empty(); }
    engine::Dependence dependence(std::uint64_t index) const override {
        return jobs_.dependences[index];
    }

    void next(JobBlock& block) override {
        begin_block(block, next_, std::min(JobBlock::capacity, jobs_.count() - next_));
        block.structure = jobs_.structure;
        block.component_stride = jobs_.stride;
        append(block.submit_time, jobs_.submit_times, next_, block.count);
        append(block.service_time, jobs_.service_times, next_, block.count);
        append(block.estimate, jobs_.estimates, next_, block.count);
        append(block.fixed_start, jobs_.fixed_starts, next_, block.count);
        append(block.user, jobs_.users, next_, block.count);
        append(block.queue, jobs_.queues, next_, block.count);
        append(block.weight, jobs_.weights, next_, block.count);
        for (std::size_t i = 0; i < (moldable_.empty() ? 0 : block.count); ++i) {
            block.moldable.push_back(&moldable_[next_ + i]);
        }
        append(
            block.components, jobs_.components, next_ * jobs_.stride, block.count * jobs_.stride
        );
        for (std::size_t i = 0; i < block.count; ++i) {
            block.size.push_back(jobs_.size_of(next_ + i));
        }
        next_ += block.count;
    }

  private:
    Jobs jobs_;
    std::vector<engine::MoldableTimes> moldable_;  // of a file
    WorkloadTraits traits_;
    std::size_t next_ = 0;
};

std::vector<ParameterProblem> file_problems(const Parameters& parameters) {
    for (const char* column :
         {"service_times",
          "sizes",
          "submit_times",
          "requested_times",
          "fixed_starts",
          "users",
          "queues",
          "after",
          "think_times"}) {
        if (entries_of(parameters, column) > 0) {
            return {
                {column,
                 "the jobs are those of 'file' (the list would be ignored)",
                 "Leave one of them out."}};
        }
    }
    if (parameters.integer("components") != 1) {
        return {{"components", "the jobs of a file have one component", "Leave 'components' out."}};
    }
    try {
        const Jobs jobs(parameters);
    } catch (const trace::LogError& error) {
        return {{"file", error.what(), ""}};
    }
    return {};
}

/// A job follows one of the list, and not itself, nor one that follows it.
std::optional<ParameterProblem> dependence_problem(const Jobs& jobs, const Parameters& parameters) {
    if (jobs.dependences.empty() && entries_of(parameters, "think_times") > 0) {
        return ParameterProblem{
            "think_times", "no job follows another (they would be ignored)", "Write 'after'."};
    }
    for (std::size_t i = 0; i < jobs.dependences.size(); ++i) {
        std::uint64_t before = jobs.dependences[i].preceding;
        if (before != engine::no_job && before >= jobs.count()) {
            return ParameterProblem{
                "after",
                "job " + std::to_string(i) + " follows job " + std::to_string(before)
                    + " (the last is " + std::to_string(jobs.count() - 1) + ", from 0)",
                "Write -1 for none."};
        }
        if (before != engine::no_job && !jobs.fixed_starts.empty()
            && jobs.fixed_starts[i] != engine::no_fixed_start) {
            return ParameterProblem{
                "after",
                "job " + std::to_string(i)
                    + " is an advance reservation (its start is agreed, whenever another job ends)",
                "Write -1."};
        }
        for (std::size_t steps = 0; before < jobs.count(); ++steps) {
            if (steps == jobs.count()) {
                return ParameterProblem{
                    "after",
                    "job " + std::to_string(i) + " waits for itself (it would never arrive)",
                    "Let one of them come first."};
            }
            before = jobs.dependences[before].preceding;
        }
    }
    return std::nullopt;
}

std::vector<ParameterProblem> listed_parameter_problems(const Parameters& parameters) {
    if (!parameters.text("file").empty()) {
        return file_problems(parameters);
    }
    const Jobs jobs(parameters);
    const std::string count = std::to_string(jobs.count()) + " service times";
    if (jobs.count() == 0) {
        return {
            {"service_times",
             "the list is empty (there are no jobs)",
             "List a job, or name a file."}};
    }
    if (jobs.submit_times.size() != jobs.count()) {
        return {
            {"submit_times",
             count + " but " + std::to_string(jobs.submit_times.size())
                 + " submit times (every job needs both)",
             "Give lists of equal length, or no submit times."}};
    }
    for (const char* column : optional_columns) {
        const std::size_t entries = entries_of(parameters, column);
        if (entries != 0 && entries != jobs.count()) {
            return {
                {column,
                 count + " but " + std::to_string(entries) + " " + column
                     + " (every job needs one, or none has)",
                 "Give lists of equal length, or an empty one."}};
        }
    }
    if (!std::is_sorted(jobs.submit_times.begin(), jobs.submit_times.end())) {
        return {
            {"submit_times",
             "the times decrease (jobs are listed in the order of their arrival)",
             "Sort the jobs by submit time."}};
    }
    if (auto problem = dependence_problem(jobs, parameters)) {
        return {*problem};
    }
    if (jobs.components.size() != jobs.count() * jobs.stride) {
        return {
            {"sizes",
             count + " but " + std::to_string(jobs.components.size()) + " sizes (every job needs "
                 + std::to_string(jobs.stride) + ")",
             "Write every component of every job, 0 for an absent one."}};
    }
    for (std::size_t i = 0; i < jobs.count(); ++i) {
        if (jobs.size_of(i) == 0) {
            return {
                {"sizes",
                 "job " + std::to_string(i) + " asks for no processors (it could not run)",
                 "Give it a positive size."}};
        }
    }
    return {};
}

std::vector<ParameterProblem> listed_system_problems(
    const Parameters& parameters, const engine::SystemDescription& system
) {
    const Jobs jobs(parameters);
    for (std::size_t i = 0; i < jobs.count(); ++i) {
        std::vector<std::uint32_t> components = jobs.components_of(i);
        if (jobs.structure != engine::RequestStructure::ordered) {
            std::erase(components, 0U);
        }
        auto problem = request_problem(
            jobs.structure, components, system, {.count = "components", .sizes = "sizes"}
        );
        if (problem) {
            problem->reason = "job " + std::to_string(i) + ": " + problem->reason;
            return {*problem};
        }
    }
    return {};
}

/// In the place of lists.
std::vector<engine::ParameterDescription> file_parameters() {
    return {
        {.name = "file",
         .meaning = "in place of the lists: moldable jobs, all there at time 0, of a CSV file "
                    "with the line task,weight,p1,p2,...,pm and a line for each: its name, "
                    "its weight, its times on 1, 2, ... m processors; a path from the current "
                    "folder, or from that of the campaign file that names it",
         .type = ParameterType::text,
         .default_value = "",
         .names_file = true},
        {.name = "sha256",
         .meaning = "of that file; another is refused; empty: the file that is there when the "
                    "campaign is begun",
         .type = ParameterType::text,
         .default_value = ""}};
}

std::vector<engine::ParameterDescription> listed_parameters() {
    std::vector<engine::ParameterDescription> table{
        {.name = "service_times",
         .meaning = "service time of every job",
         .unit = "time",
         .type = ParameterType::real_list,
         .default_value = Value::List{},
         .range = {.low = 0.0, .high = 1e15}},
        {.name = "sizes",
         .meaning = "size of every job; with several components, those of the first job, then "
                    "those of the second, ...; 0: an absent component",
         .unit = "processors",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = 0, .high = 1e6}},
        {.name = "submit_times",
         .meaning = "submit time of every job, in order; empty: all at time 0",
         .unit = "time",
         .type = ParameterType::real_list,
         .default_value = Value::List{},
         .range = {.low = 0.0, .high = 1e15}},
        {.name = "components",
         .meaning = "components of a job",
         .type = ParameterType::integer,
         .default_value = 1,
         .range = {.low = 1, .high = 1024}},
        {.name = "request",
         .meaning = "where components go, as for coallocation",
         .type = ParameterType::text,
         .default_value = "total",
         .words = request_words()},
        {.name = "requested_times",
         .meaning = "requested run time of every job; empty: the service times",
         .unit = "time",
         .type = ParameterType::real_list,
         .default_value = Value::List{},
         .range = {.low = 0.0, .high = 1e15}},
        {.name = "fixed_starts",
         .meaning = "advance reservations: when each job must start; -1: whenever it can; "
                    "empty: none is reserved",
         .unit = "time",
         .type = ParameterType::real_list,
         .default_value = Value::List{},
         .range = {.low = -1, .high = 1e15}},
        {.name = "users",
         .meaning = "number of every job's user; empty: all 0",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = 0, .high = 4e9}},
        {.name = "queues",
         .meaning = "number of every job's queue, for queues; empty: all 0",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = 0, .high = 4e9}},
        {.name = "after",
         .meaning = "number of the job that must have ended before each job arrives, from 0; "
                    "-1: none; empty: none for all",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = -1, .high = 4e9}},
        {.name = "think_times",
         .meaning = "of jobs that follow others: from that end to their arrival, whatever "
                    "their submit times; -1 or empty: they arrive at that end, not before "
                    "their submit times",
         .unit = "time",
         .type = ParameterType::real_list,
         .default_value = Value::List{},
         .range = {.low = -1, .high = 1e15}}};
    const std::vector<engine::ParameterDescription> file = file_parameters();
    table.insert(table.end(), file.begin(), file.end());
    return table;
}

engine::Alternative listed_alternative() {
    return {
        .name = "listed",
        .summary =
            "Jobs listed in the campaign itself, or moldable ones of a file; a utilization does "
            "not "
            "change them.",
        .parameters = listed_parameters(),
        .check = listed_parameter_problems};
}

/// A cell without dependences is the cell that it was before there were any.
Parameters without_empty_dependences(const Parameters& parameters) {
    Parameters result;
    result.set_folders(parameters.folders());
    for (const auto& [name, value] : parameters.entries()) {
        const bool is_of_dependence = name == "after" || name == "think_times";
        if (!is_of_dependence || !value.as_list().empty()) {
            result.set(name, value);
        }
    }
    return result;
}

/// Five jobs of two components on 4 + 3 processors, one of them with a single component.
std::vector<engine::WorkloadExample> listed_examples() {
    std::vector<engine::WorkloadExample> result;
    for (const std::string& word : request_words()) {
        Parameters given;
        given.set("service_times", Value::List{4, 2.5, 1, 3, 0.5});
        given.set("sizes", Value::List{4, 2, 1, 1, 3, 0, 2, 3, 4, 3});
        given.set("submit_times", Value::List{0, 0, 1, 2.5, 7});
        given.set("components", 2);
        given.set("request", word);
        result.push_back(
            {with_defaults(listed_alternative().parameters, given), {.clusters = {4, 3}}}
        );
    }
    Parameters reserved = result.front().parameters;
    reserved.set("requested_times", Value::List{5, 3, 1, 2, 2});
    reserved.set("fixed_starts", Value::List{-1, 6, -1, 4.5, -1});
    reserved.set("users", Value::List{0, 1, 0, 1, 2});
    reserved.set("queues", Value::List{1, 0, 0, 2, 0});
    result.push_back({reserved, {.clusters = {4, 3}}});
    Parameters following = result.front().parameters;
    following.set("after", Value::List{-1, 0, -1, 1, 1});
    following.set("think_times", Value::List{-1, 0.5, -1, -1, 0});
    result.push_back({following, {.clusters = {4, 3}}});
    return result;
}

}  // namespace

engine::WorkloadModelDescription describe_listed() {
    return {
        .alternative = listed_alternative(),
        .make = [](const Parameters& parameters, const WorkloadContext& context
                ) { return std::make_unique<Listed>(parameters, context); },
        .check_system = listed_system_problems,
        .facts =
            [](const Parameters& given) {
                return engine::WorkloadFacts{
                    .has_fixed_starts = !given.at("fixed_starts").as_list().empty(),
                    .has_own_arrivals = true,
                    .draws = false,
                    .end = engine::JobsEnd::given};
            },
        .checksummed =
            [](const Parameters& parameters) {
                Parameters result = without_empty_dependences(parameters);
                if (!parameters.text("file").empty()) {
                    result.set("sha256", Jobs(parameters).sha256);
                }
                return result;
            },
        .examples = listed_examples()};
}

}  // namespace schedfarm::models
