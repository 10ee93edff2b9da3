// Queues with priorities and limits, as batch systems have them: the rules of each queue, which job
// goes where, and what is in use under the limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/job.hpp"

#include "policies/size_ranges.hpp"

namespace schedfarm::policies {

inline constexpr std::uint32_t no_limit = SizeRange::no_limit;

struct QueueRule {
    std::uint32_t number = 0;  ///< Job::queue of its jobs
    std::int64_t priority = 0;
    std::uint32_t smallest_size = 1;
    std::uint32_t largest_size = no_limit;
    double longest_request = std::numeric_limits<double>::infinity();
    std::uint32_t most_processors = no_limit;  ///< in use at once by its jobs
    std::uint32_t most_running = no_limit;
    std::uint32_t most_running_per_user = no_limit;

    SizeRange sizes() const;  ///< of its jobs, under its limit of processors
    bool takes(const engine::Job& job) const;
};

/// How a job comes to a queue: by its number, or to the first that takes its size and request.
enum class QueueAssignment : std::uint8_t { number, rules };

struct QueueTable {
    std::vector<QueueRule> rules;  ///< as listed
    QueueAssignment assignment = QueueAssignment::rules;

    std::vector<SizeRange> sizes() const;  ///< by queue

    /// The queue of a job; throws UnservedJobError if none takes it.
    std::size_t queue_of(const engine::Job& job) const;
};

/// `assignment` and the columns of the table.
std::vector<engine::ParameterDescription> queue_table_parameters();
std::vector<engine::ParameterProblem> queue_table_problems(const engine::Parameters& parameters);
QueueTable queue_table(const engine::Parameters& parameters);

/// What keeps a job from starting beside those that run.
enum class Hold : std::uint8_t {
    none,
    queue,  ///< a limit of its queue
    user,   ///< its user has enough jobs of the queue running
};

/// What the running jobs of each queue use.
class QueueUsage {
  public:
    explicit QueueUsage(const QueueTable& table) : queues_(table.rules.size()) {}

    struct Request {
        std::size_t queue = 0;
        std::uint32_t user = 0;
        std::uint32_t size = 0;
    };
    void add(const Request& job);
    void remove(const Request& job);
    Hold hold(const QueueTable& table, const Request& job) const;

  private:
    struct Queue {
        std::uint64_t processors = 0;
        std::uint64_t running = 0;
        std::map<std::uint32_t, std::uint64_t> running_of_user;
    };
    std::vector<Queue> queues_;
};

}  // namespace schedfarm::policies
