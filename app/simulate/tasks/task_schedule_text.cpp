#include "app/simulate/tasks/task_schedule_text.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/message_text.hpp"
#include "engine/simulation/measurement/published_columns.hpp"

#include "policies/moldable/moldable_bounds.hpp"

#include "app/simulate/json.hpp"
#include "app/simulate/tasks/task_problem.hpp"

namespace schedfarm::app {

namespace {

constexpr std::size_t task_label_width = 20;
/// Of a longer front the text shows so many points, evenly spread.
constexpr std::size_t shown_points = 12;

using engine::MinsumProgram;

/// Empty beside a bound of 0, as of tasks without weight.
std::string ratio(double value, double bound) {
    return bound > 0 ? fmt::format("{:.3f}", value / bound) : "";
}

std::string beside(double value, double bound, const char* what) {
    if (!(bound > 0)) {
        return fmt::format("{:.6g}, the {} {:.6g}", value, what, bound);
    }
    return fmt::format("{:.6g}, {:.3f} times the {} {:.6g}", value, value / bound, what, bound);
}

std::string front_text(const TaskScheduleSummary& summary) {
    const std::vector<policies::FrontPoint>& front = summary.front;
    const std::size_t shown = std::min(front.size(), shown_points);
    std::string text =
        fmt::format("\n{:>14}{:>14}{:>14}{:>14}\n", "makespan", "/ bound", "minsum", "/ bound");
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& point = front[shown == 1 ? 0 : i * (front.size() - 1) / (shown - 1)];
        text += fmt::format(
            "{:>14.6g}{:>14}{:>14.6g}{:>14}\n",
            point.makespan,
            ratio(point.makespan, summary.makespan_bound),
            point.minsum,
            ratio(point.minsum, summary.refined)
        );
    }
    return text;
}

Json front_json(const std::vector<policies::FrontPoint>& front) {
    Json list = Json::array();
    for (const policies::FrontPoint& point : front) {
        list.push_back(
            {{"makespan", json_number(point.makespan)}, {"minsum", json_number(point.minsum)}}
        );
    }
    return list;
}

/// When each task ran, in the order of starts.
std::string task_lines(const TaskTable& table, const engine::JobLog& log, std::size_t width) {
    const std::size_t name_width = width - 3 * 14 - 2;
    std::string text = fmt::format("\n{:>14}{:>14}{:>14}  task\n", "start", "finish", "processors");
    std::vector<std::size_t> order(table.names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&log](std::size_t a, std::size_t b) {
        return log.start[a] < log.start[b];
    });
    for (const std::size_t i : order) {
        text += fmt::format(
            "{:>14.6g}{:>14.6g}{:>14}  {}\n",
            log.start[i],
            log.finish[i],
            log.size[i],
            clipped(table.names[i], name_width)
        );
    }
    return text;
}

const TaskTable& table_of(const Simulation& simulation) {
    SCHEDFARM_EXPECT(simulation.source.table != nullptr, "no simulation of a task table");
    return *simulation.source.table;
}

/// Of those that the policy did not take, which tasks need not keep clear of.
double refused(const Simulation& simulation) {
    for (const PublishedValue& published : simulation.published) {
        if (published.name == engine::reservations_refused) {
            return published.value;
        }
    }
    return 0;
}

std::string reservations_text(const Simulation& simulation) {
    const std::size_t all = table_of(simulation).reservations.size();
    const double left_out = refused(simulation);
    return left_out == 0 ? std::to_string(all)
                         : fmt::format(
                             "{}, of which the policy refused {}: bounds count them", all, left_out
                         );
}

}  // namespace

TaskScheduleSummary summarise_task_schedule(const Simulation& simulation) {
    const TaskTable& table = table_of(simulation);
    const engine::JobLog& log = simulation.log;
    TaskScheduleSummary summary;
    for (std::size_t i = 0; i < table.names.size(); ++i) {
        summary.makespan = std::max(summary.makespan, log.finish[i]);
        summary.minsum += table.weights[i] * log.finish[i];
    }
    const TaskProblem problem(table, simulation.system.processors());
    summary.lambda = problem->dual().lambda;
    summary.makespan_bound = problem->makespan_bound();
    const auto bound = [&](MinsumProgram program) {
        return policies::minsum_bound(*problem, {.program = program});
    };
    summary.printed = bound(MinsumProgram::printed);
    summary.safe = bound(MinsumProgram::safe);
    summary.refined = bound(MinsumProgram::refined);
    return summary;
}

std::string task_schedule_text(
    const Simulation& simulation, const TaskScheduleSummary& summary, std::size_t width
) {
    const TaskTable& table = table_of(simulation);
    const auto entry = [width](const std::string& label, const std::string& text) {
        return labelled(label, text, task_label_width, width);
    };
    std::string text = entry("tasks", fmt::format("{} of {}", table.names.size(), table.file));
    text += entry("system", engine::counted(simulation.system.processors(), "processor"));
    if (!table.reservations.empty()) {
        text += entry("reservations", reservations_text(simulation));
    }
    text += entry("policy", simulation.policy.choice.text());
    text += entry("makespan", beside(summary.makespan, summary.makespan_bound, "bound"));
    text += entry("lambda*", fmt::format("{:.6g}", summary.lambda));
    text += entry("minsum", beside(summary.minsum, summary.refined, "refined bound"));
    text += entry("safe bound", fmt::format("{:.6g}", summary.safe));
    text += entry("printed program", fmt::format("{:.6g} (no bound)", summary.printed));
    if (!summary.front.empty()) {
        const std::size_t points = summary.front.size();
        text += entry(
            "front",
            points > shown_points
                ? fmt::format("{} points, {} of them shown; all: --json", points, shown_points)
                : engine::counted(points, "point")
        );
        text += front_text(summary);
    }
    return text + task_lines(table, simulation.log, width);
}

std::string task_schedule_json(const Simulation& simulation, const TaskScheduleSummary& summary) {
    const TaskTable& table = table_of(simulation);
    const engine::JobLog& log = simulation.log;
    Json object{
        {"instance", table.file},
        {"processors", simulation.system.processors()},
        {"policy", simulation.policy.choice.text()},
        {"tasks", table.names.size()}};
    if (!table.reservations.empty()) {
        object["reservations"] = table.reservations.size();
        object["reservations_refused"] = json_number(refused(simulation));
    }
    object["fingerprint"] = fmt::format("{:016x}", simulation.fingerprint);
    object["makespan"] = json_number(summary.makespan);
    object["minsum"] = json_number(summary.minsum);
    object["lambda_star"] = json_number(summary.lambda);
    object["makespan_bound"] = json_number(summary.makespan_bound);
    object["minsum_bounds"] = {
        {"printed", json_number(summary.printed)},
        {"safe", json_number(summary.safe)},
        {"refined", json_number(summary.refined)}};
    if (!summary.front.empty()) {
        object["front"] = front_json(summary.front);
    }
    Json& schedule = object["schedule"] = Json::array();
    for (std::size_t i = 0; i < table.names.size(); ++i) {
        schedule.push_back(
            {{"task", table.names[i]},
             {"start", json_number(log.start[i])},
             {"processors", log.size[i]},
             {"finish", json_number(log.finish[i])}}
        );
    }
    return json_text(object);
}

}  // namespace schedfarm::app
