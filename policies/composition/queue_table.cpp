#include "policies/composition/queue_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "engine/simulation/kernel/unserved_job.hpp"

#include "policies/columns.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::array queue_columns = {
    "numbers",
    "priority",
    "smallest_size",
    "largest_size",
    "longest_request",
    "most_processors",
    "most_running",
    "most_running_per_user"};

ParameterDescription queue_column(const char* name, std::string meaning, double low, double high) {
    return {
        .name = name,
        .meaning = std::move(meaning),
        .type = ParameterType::integer_list,
        .default_value = Value::List{},
        .range = {.low = low, .high = high}};
}

/// A limit on a count; 0 in the table: none.
std::uint32_t limit(const Parameters& parameters, const char* name, std::size_t row) {
    const auto given = static_cast<std::uint32_t>(entry(parameters, name, row, 0));
    return given == 0 ? no_limit : given;
}

}  // namespace

SizeRange QueueRule::sizes() const {
    return {smallest_size, std::min(largest_size, most_processors)};
}

bool QueueRule::takes(const Job& job) const {
    return sizes().takes(job.size) && job.estimate <= longest_request;
}

std::vector<SizeRange> QueueTable::sizes() const {
    std::vector<SizeRange> sizes;
    sizes.reserve(rules.size());
    for (const QueueRule& rule : rules) {
        sizes.push_back(rule.sizes());
    }
    return sizes;
}

std::size_t QueueTable::queue_of(const Job& job) const {
    const bool by_number = assignment == QueueAssignment::number;
    for (std::size_t i = 0; i < rules.size(); ++i) {
        if ((!by_number || rules[i].number == job.queue) && rules[i].takes(job)) {
            return i;
        }
    }
    throw UnservedJobError(fmt::format(
        "job {} ({} processors, request {}, queue {}) goes to no queue (by size they take {}: it "
        "could never start). Give 'queues' a queue for such jobs{}.",
        job.index,
        job.size,
        job.estimate,
        job.queue,
        text(sizes()),
        by_number ? ", or assign by rules" : ""
    ));
}

std::vector<ParameterDescription> queue_table_parameters() {
    constexpr double most = 1e9;
    return {
        {.name = "assignment",
         .meaning = "rules: a job goes to the first queue that takes its size and request; number: "
                    "to the queue of its own number (of a trace: field 15)",
         .type = ParameterType::text,
         .default_value = "rules",
         .words = {"rules", "number"}},
        queue_column(
            "numbers", "number of each queue, for assignment by number; empty: 0, 1, ...", 0, most
        ),
        queue_column(
            "priority",
            "of each queue: higher first, equal ones by arrival; empty: equal",
            -most,
            most
        ),
        queue_column("smallest_size", "smallest job of each queue; empty: 1", 1, most),
        queue_column(
            "largest_size",
            "largest job of each queue; 0 or empty: no limit. A workload whose largest jobs no "
            "queue "
            "takes is refused",
            0,
            most
        ),
        {.name = "longest_request",
         .meaning = "longest requested run time of each queue; empty: no limit",
         .unit = "time",
         .type = ParameterType::real_list,
         .default_value = Value::List{},
         .range = {.low = 0}},
        queue_column(
            "most_processors",
            "processors in use at once by the jobs of each queue; 0 or empty: no limit",
            0,
            most
        ),
        queue_column(
            "most_running", "jobs of each queue running at once; 0 or empty: no limit", 0, most
        ),
        queue_column(
            "most_running_per_user",
            "jobs of one user running at once in each queue; others pass a job that is held by "
            "this; 0 or empty: no limit",
            0,
            most
        )};
}

std::vector<ParameterProblem> queue_table_problems(const Parameters& parameters) {
    std::vector<ParameterProblem> found = length_problems(parameters, queue_columns, "queue");
    if (!found.empty()) {
        return found;
    }
    const QueueTable table = queue_table(parameters);
    for (std::size_t i = 0; i < table.rules.size(); ++i) {
        const QueueRule& rule = table.rules[i];
        const std::uint32_t largest = rule.sizes().largest;
        if (rule.smallest_size > largest) {
            found.push_back(
                {"smallest_size",
                 fmt::format(
                     "queue {} takes jobs of {} to {} processors (there are none)",
                     i + 1,
                     rule.smallest_size,
                     largest
                 ),
                 "Keep smallest_size <= largest_size and <= most_processors."}
            );
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (table.rules[j].number == rule.number) {
                found.push_back(
                    {"numbers",
                     fmt::format(
                         "two queues have the number {} (jobs could go to both)", rule.number
                     ),
                     "Give each a number of its own."}
                );
            }
        }
    }
    return found;
}

QueueTable queue_table(const Parameters& parameters) {
    QueueTable table;
    for (std::size_t row = 0; row < row_count(parameters, queue_columns); ++row) {
        QueueRule rule;
        rule.number =
            static_cast<std::uint32_t>(entry(parameters, "numbers", row, static_cast<double>(row)));
        rule.priority = static_cast<std::int64_t>(entry(parameters, "priority", row, 0));
        rule.smallest_size = static_cast<std::uint32_t>(entry(parameters, "smallest_size", row, 1));
        rule.largest_size = limit(parameters, "largest_size", row);
        rule.longest_request = entry(parameters, "longest_request", row, rule.longest_request);
        rule.most_processors = limit(parameters, "most_processors", row);
        rule.most_running = limit(parameters, "most_running", row);
        rule.most_running_per_user = limit(parameters, "most_running_per_user", row);
        table.rules.push_back(rule);
    }
    table.assignment = parameters.text("assignment") == "number" ? QueueAssignment::number
                                                                 : QueueAssignment::rules;
    return table;
}

void QueueUsage::add(const Request& job) {
    Queue& queue = queues_[job.queue];
    queue.processors += job.size;
    ++queue.running;
    ++queue.running_of_user[job.user];
}

void QueueUsage::remove(const Request& job) {
    Queue& queue = queues_[job.queue];
    queue.processors -= job.size;
    --queue.running;
    --queue.running_of_user[job.user];
}

Hold QueueUsage::hold(const QueueTable& table, const Request& job) const {
    const QueueRule& rule = table.rules[job.queue];
    const Queue& queue = queues_[job.queue];
    if (queue.processors + job.size > rule.most_processors || queue.running >= rule.most_running) {
        return Hold::queue;
    }
    const auto own = queue.running_of_user.find(job.user);
    const std::uint64_t running = own == queue.running_of_user.end() ? 0 : own->second;
    return running >= rule.most_running_per_user ? Hold::user : Hold::none;
}

}  // namespace schedfarm::policies
