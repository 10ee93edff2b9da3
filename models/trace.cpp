// Jobs of a log in the Standard Workload Format.
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "engine/simulation/dependent_workload.hpp"

#include "models/begin_block.hpp"
#include "models/draws.hpp"
#include "models/rigid/estimates.hpp"
#include "models/trace/built_in_logs.hpp"
#include "models/trace/prepared_log.hpp"
#include "models/trace/reading/log_error.hpp"
#include "models/trace/replayed_log.hpp"
#include "models/trace/trace_settings.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::JobBlock;
using engine::ParameterProblem;
using engine::Parameters;
using engine::Purpose;
using engine::Value;
using engine::WorkloadContext;
using engine::WorkloadTraits;
using trace::JobList;
using trace::TraceSettings;

/// What the log's load is multiplied by.
double load_factor(
    const TraceSettings& settings, const trace::PreparedLog& log, const WorkloadContext& context
) {
    if (!context.utilization || log.offered_area_per_s <= 0) {
        return settings.load_factor;
    }
    return *context.utilization * context.system.processors() / log.offered_area_per_s;
}

double most_memory(const trace::PreparedLog& log) {
    double most = 0;
    for (const std::uint32_t row : log.jobs.row) {
        most = std::max(most, log.columns.memory.size() == 0 ? 0 : log.columns.memory[row]);
    }
    return most;
}

/// Estimates that jobs get together are those of a whole lap.
class Trace final : public engine::DependentWorkload {
  public:
    Trace(const Parameters& parameters, const WorkloadContext& context)
        : settings_(parameters)
        , log_(trace::prepared_log(settings_))
        , estimates_(
              make_estimates(parameters.choice("estimates"), stream_of(context, Purpose::estimates))
          )
        , replay_(
              log_,
              settings_,
              load_factor(settings_, *log_, context),
              stream_of(context, Purpose::resampling),
              estimates_->window() == 1 && log_->dependencies.empty() ? trace::LapParts::pieces
                                                                      : trace::LapParts::whole
          )
        , processors_(context.system.processors()) {
        traits_.max_size = log_->max_size;
        traits_.max_memory_per_processor = most_memory(*log_);
        traits_.clock = settings_.resampling == trace::Resampling::none ? log_->clock : 0;
        traits_.job_classes = log_->columns.job_classes;
        traits_.class_names = log_->columns.class_names;
    }

    const WorkloadTraits& traits() const override { return traits_; }

    bool has_dependences() const override { return follows() || log_->left.size() > 0; }
    engine::Dependence dependence(std::uint64_t index) const override {
        return follows() ? dependences_[index] : engine::Dependence{};
    }
    std::vector<engine::LeavingJob> leaving() const override {
        const JobList& left = replay_.left();
        std::vector<engine::LeavingJob> jobs;
        for (std::size_t i = 0; i < left.size(); ++i) {
            if (left.processors[i] > processors_) {
                continue;  // it could wait nowhere
            }
            engine::LeavingJob& one = jobs.emplace_back();
            one.leaves = left.submit[i] + left.run[i];
            one.job.submit_time = left.submit[i];
            one.job.estimate = left.request[i];
            one.job.size = left.processors[i];
            one.job.components = std::span(left.processors).subspan(i, 1);
            one.job.user = user_of(left, i);
            one.job.queue = of_row<std::uint32_t>(log_->columns.queue, left.row[i]);
            one.job.memory_per_processor = of_row<double>(log_->columns.memory, left.row[i]);
            const trace::RequestColumn& asked = log_->requests;
            one.job.request =
                asked.requests.empty() ? nullptr : &asked.requests[asked.of_row[left.row[i]]];
        }
        return jobs;
    }

    void next(JobBlock& block) override {
        begin_block(block, next_index_, 0);
        block.component_stride = 1;
        block.structure = engine::RequestStructure::total;
        while (block.count < JobBlock::capacity && has_jobs()) {
            append_to(block);
        }
        next_index_ += block.count;
    }

  private:
    template <typename T, typename Rows>
    static T of_row(const Rows& rows, std::uint32_t row) {
        return rows.size() == 0 ? T{} : rows[row];
    }

    bool follows() const { return !log_->dependencies.empty(); }

    /// Draws a part where the last one is used up.
    bool has_jobs() {
        while (place_ == part_.size() && !replay_.is_over()) {
            part_ = replay_.next_part();
            place_ = 0;
            estimates_->assign(drawn_, part_.run, part_.request);
            if (follows()) {
                add_dependences();
            }
            drawn_ += part_.size();
        }
        return place_ < part_.size();
    }

    /// The part is a whole lap: a job follows one of the same copy in it.
    void add_dependences() {
        const trace::Dependencies& of_row = log_->dependencies;
        const auto key = [this](std::uint32_t row, std::size_t place) {
            return std::uint64_t{row} << 32 | (part_.copy.empty() ? 0 : part_.copy[place]);
        };
        std::unordered_map<std::uint64_t, std::uint64_t> index;
        for (std::size_t i = 0; i < part_.size(); ++i) {
            index.emplace(key(part_.row[i], i), drawn_ + i);
        }
        for (std::size_t i = 0; i < part_.size(); ++i) {
            const std::uint32_t row = part_.row[i];
            const auto number_of = [&](std::uint32_t before) {
                const auto found = index.find(key(before, i));
                return found == index.end() ? engine::no_job : found->second;
            };
            engine::Dependence& one = dependences_.emplace_back();
            if (!of_row.preceding.empty()) {
                one.preceding = number_of(of_row.preceding[row]);
                one.think_time = one.preceding == engine::no_job ? -1 : of_row.think_time[row];
            }
            const auto of_it =
                std::ranges::equal_range(of_row.further, row, {}, &trace::RowDependency::row);
            for (const trace::RowDependency& further : of_it) {
                if (const auto number = number_of(further.before); number != engine::no_job) {
                    one.also.push_back(number);
                    one.earlier = further.decides ? of_row.earlier[row] : one.earlier;
                }
            }
            one.earlier_task = of_row.earlier_task.empty() ? 0 : of_row.earlier_task[row];
        }
    }

    void append_to(JobBlock& block) {
        const std::size_t count = std::min(JobBlock::capacity - block.count, part_.size() - place_);
        const trace::RequestColumn& asked = log_->requests;
        append(block.submit_time, part_.submit, count);
        append(block.service_time, part_.run, count);
        append(block.estimate, part_.request, count);
        append(block.size, part_.processors, count);
        append(block.components, part_.processors, count);
        for (std::size_t i = place_; i < place_ + count; ++i) {
            block.user.push_back(user_of(part_, i));
            add_number(part_.row[i], block.job_number);
            if (!asked.requests.empty()) {
                block.request.push_back(&asked.requests[asked.of_row[part_.row[i]]]);
            }
        }
        append_of_rows(block.memory_per_processor, log_->columns.memory, count);
        append_of_rows(block.queue, log_->columns.queue, count);
        append_of_rows(block.job_class, log_->columns.job_class, count);
        place_ += count;
        block.count += count;
    }

    /// 0: not known. Users who are drawn have numbers of their own.
    std::uint32_t user_of(const JobList& jobs, std::size_t place) const {
        const std::vector<std::uint32_t>& ranks = log_->columns.user;
        return ranks.empty() || draws_users(settings_.resampling)
                   ? static_cast<std::uint32_t>(std::max<std::int64_t>(jobs.user[place], 0))
                   : ranks[jobs.row[place]];
    }

    void add_number(std::uint32_t row, std::vector<std::int32_t>& to) const {
        const trace::RowColumns& columns = log_->columns;
        if (columns.job_number.is_given()) {
            to.push_back(static_cast<std::int32_t>(
                columns.has_wide_numbers ? std::int64_t{row} + 1 : columns.job_number[row]
            ));
        }
    }

    template <typename T>
    void append(std::vector<T>& to, const std::vector<T>& from, std::size_t count) const {
        const auto begin = from.begin() + static_cast<std::ptrdiff_t>(place_);
        to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    }

    template <typename T, typename Rows>
    void append_of_rows(std::vector<T>& to, const Rows& rows, std::size_t count) const {
        for (std::size_t i = place_; i < place_ + count && rows.size() > 0; ++i) {
            to.push_back(rows[part_.row[i]]);
        }
    }

    TraceSettings settings_;
    std::shared_ptr<const trace::PreparedLog> log_;
    std::unique_ptr<const EstimateModel> estimates_;
    trace::ReplayedLog replay_;
    std::uint32_t processors_;
    WorkloadTraits traits_;
    JobList part_;
    std::size_t place_ = 0;    ///< in the part
    std::uint64_t drawn_ = 0;  ///< jobs of all parts
    std::uint64_t next_index_ = 0;
    std::vector<engine::Dependence> dependences_;  // of all parts, where there are any
};

/// The error of a log as a problem of the parameter `file`.
ParameterProblem problem_of(const trace::LogError& error) {
    const std::string text = error.what();
    const std::size_t end = text.rfind("). ");
    if (end == std::string::npos) {
        return {"file", text, ""};
    }
    return {"file", text.substr(0, end + 1), text.substr(end + 3)};
}

/// What says how a file is read says nothing of a log that is part of the program.
std::vector<ParameterProblem> built_in_problems(const Parameters& parameters) {
    std::vector<ParameterProblem> problems;
    for (const engine::ParameterDescription& row : trace::trace_parameters()) {
        const bool reads = trace::is_of_reading(row.name) || row.name == "arrival";
        if (reads && parameters.contains(row.name)
            && parameters.at(row.name).text() != row.default_value->text()) {
            problems.push_back(
                {row.name,
                 "the log '" + parameters.text("file") + "' is part of the program and no file ('"
                     + row.name + "' would change nothing)",
                 "Remove '" + row.name + "'."}
            );
        }
    }
    return problems;
}

std::vector<ParameterProblem> trace_parameter_problems(const Parameters& parameters) {
    if (trace::is_built_in_log(parameters.text("file"))) {
        if (auto found = built_in_problems(parameters); !found.empty()) {
            return found;
        }
    }
    std::vector<ParameterProblem> problems = trace::interval_problems(parameters);
    if (problems.empty()) {
        try {
            const TraceSettings settings(parameters);
            trace::expect_readable_again(settings);
            trace::prepared_log(settings, trace::Checksum::sha256);
        } catch (const trace::LogError& error) {
            problems.push_back(problem_of(error));
        }
    }
    return problems;
}

engine::WorkloadFacts trace_facts(const Parameters& given) {
    const bool is_whole = trace::resampling_of(given) == trace::Resampling::none;
    return {
        .is_in_seconds = true,
        .has_own_arrivals = true,
        .draws = given.integer("shake") > 0 || are_drawn(given.choice("estimates")),
        .end = is_whole ? engine::JobsEnd::given : engine::JobsEnd::open_ended,
        .is_log = true,
        .logs = {given}};
}

std::vector<ParameterProblem> trace_system_problems(
    const Parameters& parameters, const engine::SystemDescription& system
) {
    const auto log = trace::prepared_log(TraceSettings(parameters));
    std::vector<ParameterProblem> problems;
    if (log->max_size > system.processors()) {
        const std::string processors = std::to_string(system.processors());
        problems.push_back(
            {"sizes",
             "a job of the log needs " + std::to_string(log->max_size)
                 + " processors (the system has " + processors + ": it could not run)",
             "Write sizes: [1, " + processors + "]."}
        );
    }
    if (system.memory_per_processor > 0 && most_memory(*log) > system.memory_per_processor) {
        problems.push_back(
            {"memory",
             fmt::format(
                 "a job of the log needs {} KB per processor (the system has {}: it could not run)",
                 most_memory(*log),
                 system.memory_per_processor
             ),
             "Give more system.memory_per_processor, or 0, which leaves memory out."}
        );
    }
    return problems;
}

std::vector<engine::ParameterDescription> parameter_table() {
    std::vector<engine::ParameterDescription> result = trace::trace_parameters();
    result.push_back(estimates_parameter());
    return result;
}

std::vector<engine::WorkloadExample> trace_examples() {
    std::vector<engine::WorkloadExample> result;
    for (const char* resampling : {"users", "weeks", "none", "free_users"}) {
        Parameters given;
        given.set("file", "example");
        given.set("resampling", resampling);
        result.push_back({with_defaults(parameter_table(), given), {.clusters = {64}}});
    }
    result[0].parameters.set("classes", "queues");
    result[1].parameters.set("shake", 30);
    result[1].parameters.set("estimates", engine::Choice{.name = "tsafrir"});
    result[2].parameters.set("sizes", Value::List{1.0, 8.0});
    result[2].parameters.set("from", "2000-01-10");
    return result;
}

}  // namespace

engine::WorkloadModelDescription describe_trace() {
    return {
        .alternative =
            {.name = "trace",
             .summary =
                 "Jobs of a log, SWF or a table such as sacct's, times in seconds; replications by "
                 "resampling.",
             .parameters = parameter_table(),
             .check = trace_parameter_problems,
             .source = "Chapin et al. 1999; Zakay & Feitelson 2013; Tsafrir et al. 2007"},
        .experiments = {ExperimentKind::trace},
        .make = [](const Parameters& parameters, const WorkloadContext& context
                ) { return std::make_unique<Trace>(parameters, context); },
        .check_system = trace_system_problems,
        .facts = trace_facts,
        .checksummed = trace::checksummed,
        .examples = trace_examples()};
}

}  // namespace schedfarm::models
