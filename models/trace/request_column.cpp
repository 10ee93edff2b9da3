#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/foundation/hash.hpp"

#include "models/trace/dependencies.hpp"
#include "models/trace/row_columns.hpp"

namespace schedfarm::models::trace {

namespace {

/// All that makes up a request, as numbers.
constexpr std::size_t named_from = 11;  ///< behind it are names
using RequestKey = std::array<std::uint64_t, named_from + 4>;

struct RequestHash {
    std::size_t operator()(const RequestKey& key) const {
        constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
        std::uint64_t hash = 0;
        for (const std::uint64_t one : key) {  // most are equal in all jobs
            hash = (std::rotl(hash, 29) ^ one) * odd;
        }
        return engine::mix(hash);
    }
};

class RequestTable {
  public:
    RequestTable(const Log& log, const JobList& jobs)
        : log_(log), first_(first_of_limited_arrays(log)) {
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            if (const double submitted = log.submit_time[jobs.row[i]];
                submitted >= 0 && jobs.submit[i] > submitted) {
                with_held_.insert(submitted);
            }
            if (log.released[jobs.row[i]] == 1 && log.array[jobs.row[i]] > 0) {
                released_.insert(log.array[jobs.row[i]]);
            }
        }
        find_requeued();
    }

    std::uint32_t number_of(std::size_t row, double submit, bool has_left) {
        engine::SubmittedRequest request;
        // What the log held back over the limit of its array is the policy's to hold back.
        const std::int32_t array = log_.array[row];
        const auto first = first_.find(array);
        const double eligible = first == first_.end() ? log_.eligible(row) : first->second;
        request.held_s = std::max(0.0, eligible - submit);
        const auto requeued = places_.find(row);
        const double submitted =
            requeued == places_.end() ? log_.submit_time[row] : requeued->second;
        request.submitted_before_s = submitted < 0 ? 0 : std::max(0.0, submit - submitted);
        // Of an array that was held as a whole only the last task's row says so.
        request.was_released =
            log_.released[row] == 1 || (!released_.empty() && released_.contains(array));
        request.has_left = has_left;
        // Who comes later was perhaps submitted before others of that second.
        if (!with_held_.empty() && with_held_.contains(submitted)) {
            const std::int64_t number = array > 0 ? array : log_.job_number[row];
            request.order = static_cast<std::uint32_t>(
                std::clamp<std::int64_t>(number, 0, std::numeric_limits<std::uint32_t>::max())
            );
        }
        request.array = first_positive(array, 0);
        const auto limit = log_.array_limits.find(array);
        request.array_limit = limit == log_.array_limits.end() ? 0 : limit->second;
        request.held_nodes = first_positive(log_.allocated_nodes[row], 0);
        request.cpus =
            first_positive(log_.requested_processors[row], log_.allocated_processors[row]);
        const SubmitOptions& options = options_of(row);
        add_nodes(row, options, request);
        add_gpus(row, options, request);
        add_memory(row, options, request);
        request.tasks = options.tasks;
        request.cpus_per_task = options.cpus_per_task;
        request.tasks_per_node = options.tasks_per_node;
        request.tasks_per_core = options.tasks_per_core;
        request.threads_per_core = options.threads_per_core;
        request.cpus_per_gpu = options.cpus_per_gpu;
        request.memory_per_gpu = options.memory_per_gpu;
        request.is_exclusive = options.is_exclusive;
        request.is_oversubscribed = options.is_oversubscribed;
        request.least_limit_s = options.least_limit_s;
        request.limit_s = options.least_limit_s > 0 ? options.limit_s : 0;
        const std::array names{
            log_.user[row], log_.group[row], log_.partition[row], log_.quality[row]};
        RequestKey key{
            std::bit_cast<std::uint64_t>(request.held_s),
            std::bit_cast<std::uint64_t>(request.memory_per_node),
            std::bit_cast<std::uint64_t>(request.memory_per_cpu),
            request.nodes,
            request.cpus,
            request.gpus,
            request.array,
            std::bit_cast<std::uint64_t>(request.submitted_before_s),
            std::uint64_t{request.order} << 2 | (request.was_released ? 2U : 0U)
                | (has_left ? 1U : 0U),
            request.held_nodes,
            static_cast<std::uint64_t>(log_.options[row])};
        std::transform(names.begin(), names.end(), key.begin() + named_from, [](std::int64_t name) {
            return static_cast<std::uint64_t>(name);
        });
        const auto number = static_cast<std::uint32_t>(requests_.size());
        const auto [at, is_new] = numbers_.try_emplace(key, number);
        if (is_new) {
            request.user = text(Field::user, names[0]);
            request.account = text(Field::group, names[1]);
            request.partition = text(Field::partition, names[2]);
            request.quality = text(Field::quality, names[3]);
            request.gpu_type = text(options.gpu_type);
            request.gres = text(options.gres);
            request.constraint = text(options.constraint);
            request.licences = text(options.licences);
            requests_.push_back(request);
        }
        return at->second;
    }

    void give_to(RequestColumn& column) {
        column.requests = std::move(requests_);
        column.texts = std::move(texts_);
    }

  private:
    /// A run that is submitted as the one before it ends was requeued: it has that one's place.
    void find_requeued() {
        constexpr double at_once_s = 2;
        std::vector<std::uint32_t> rows;  // by job number, those of a job in their order
        for (std::uint32_t row = 0; row < log_.jobs(); ++row) {
            if (log_.job_number[row] > 0) {
                rows.push_back(row);
            }
        }
        const auto number_of = [this](std::uint32_t row) {
            return std::pair(log_.job_number[row], row);
        };
        if (!std::ranges::is_sorted(rows, {}, number_of)) {
            std::ranges::sort(rows, {}, number_of);
        }
        double place = 0;  // of the run before
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::uint32_t row = rows[i];
            const double submitted = log_.submit_time[row];
            const bool is_first = i == 0 || log_.job_number[rows[i - 1]] != log_.job_number[row];
            const double since = is_first ? -1 : submitted - end_of(rows[i - 1]);
            const bool is_requeued = since >= 0 && since <= at_once_s;
            place = is_requeued ? place : submitted;
            if (is_requeued) {
                places_.emplace(row, place);
                with_held_.insert(place);
            }
        }
    }

    double end_of(std::uint32_t row) const {
        return log_.submit_time[row] + log_.wait_time[row] + log_.run_time[row];
    }

    const SubmitOptions& options_of(std::size_t row) const {
        static const SubmitOptions none;
        const std::int32_t number = log_.options[row];
        return number < 0 ? none : log_.submit_options[static_cast<std::size_t>(number)];
    }

    void add_nodes(std::size_t row, const SubmitOptions& options, engine::SubmittedRequest& request)
        const {
        const std::uint32_t asked = first_positive(log_.requested_nodes[row], 0);
        if (options.nodes > 0) {
            request.nodes = options.nodes;
            request.max_nodes = options.max_nodes;
        } else if (options.is_all || (asked > 0 && request.held_nodes > asked)) {
            // On more nodes than it asked for runs what asked for processors alone.
            request.nodes = std::max(asked, 1U);
        } else {
            request.nodes = request.max_nodes = asked > 0 ? asked : request.held_nodes;
        }
    }

    void add_gpus(std::size_t row, const SubmitOptions& options, engine::SubmittedRequest& request)
        const {
        const std::uint32_t gpus = first_positive(log_.gpus[row], 0);
        const std::uint32_t nodes = std::max({request.nodes, request.held_nodes, 1U});
        request.gpus =
            options.gpus_per_node > 0 ? options.gpus_per_node : (gpus + nodes - 1) / nodes;
    }

    /// Of the whole job, as far as columns say it: of each node where their number is given.
    void add_memory(
        std::size_t row, const SubmitOptions& options, engine::SubmittedRequest& request
    ) const {
        request.memory_per_node = options.memory_per_node;
        request.memory_per_cpu = options.memory_per_cpu;
        if (options.memory_per_node > 0 || options.memory_per_cpu > 0 || options.is_all) {
            return;
        }
        const double held =
            first_positive(log_.allocated_processors[row], log_.requested_processors[row]);
        const double mb = std::max(log_.requested_memory[row], 0.0) * held / 1024;
        if (request.max_nodes == 0) {
            request.memory_per_cpu = std::ceil(mb / std::max(request.cpus, 1U));
        } else {
            request.memory_per_node = mb / std::max(request.nodes, 1U);
        }
    }

    static std::uint32_t first_positive(std::int32_t a, std::int32_t b) {
        return static_cast<std::uint32_t>(std::max(a > 0 ? a : b, 0));
    }

    std::string_view text(Field field, std::int64_t number) {
        if (number < 0) {
            return {};
        }
        const auto [at, is_new] = known_.try_emplace(std::pair(field, number));
        if (is_new) {
            const std::string name = log_.name_of(field, number);
            at->second = texts_->emplace_back(name.empty() ? std::to_string(number) : name);
        }
        return at->second;
    }

    /// Of an option, which lives no longer than the log.
    std::string_view text(const std::string& option) {
        if (option.empty()) {
            return {};
        }
        const auto [at, is_new] = known_options_.try_emplace(option);
        if (is_new) {
            at->second = texts_->emplace_back(option);
        }
        return at->second;
    }

    const Log& log_;
    std::map<std::int32_t, double> first_;  ///< eligible time of arrays with a limit
    std::unordered_set<double> with_held_;  ///< seconds in which one was submitted that came later
    std::unordered_map<std::size_t, double> places_;  ///< of requeued rows: their job's submission
    std::unordered_set<std::int32_t> released_;       ///< arrays that were held
    std::unordered_map<RequestKey, std::uint32_t, RequestHash> numbers_;
    std::vector<engine::SubmittedRequest> requests_;
    std::map<std::pair<Field, std::int64_t>, std::string_view> known_;
    std::map<std::string, std::string_view> known_options_;
    std::shared_ptr<std::deque<std::string>> texts_ = std::make_shared<std::deque<std::string>>();
};

}  // namespace

RequestColumn request_column(const Log& log, const JobList& jobs, const JobList& left) {
    RequestColumn column;
    if (!log.allocated_nodes.is_given() && !log.requested_nodes.is_given() && !log.gpus.is_given()
        && !log.quality.is_given() && !log.array.is_given() && log.names.empty()) {
        return column;
    }
    RequestTable table(log, jobs);
    column.of_row.resize(log.jobs());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        column.of_row[jobs.row[i]] = table.number_of(jobs.row[i], jobs.submit[i], false);
    }
    for (std::size_t i = 0; i < left.size(); ++i) {
        column.of_row[left.row[i]] = table.number_of(left.row[i], left.submit[i], true);
    }
    table.give_to(column);
    return column;
}

}  // namespace schedfarm::models::trace
