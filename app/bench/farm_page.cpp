#include "app/bench/farm_page.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace schedfarm::app {

namespace {

std::string efficiency_text(double efficiency) {
    return fmt::format("{:.3f}", efficiency);
}

/// 0.001 → "1 ms"
std::string duration_text(double seconds) {
    return seconds < 1 ? fmt::format("{:.0f} ms", 1e3 * seconds) : fmt::format("{:.0f} s", seconds);
}

std::string rate_text(double per_second) {
    return fmt::format("{:.1f} k/s", 1e-3 * per_second);
}

std::string microseconds_text(double seconds) {
    return fmt::format("{:.2f} us", 1e6 * seconds);
}

TextTable table_of(std::string title, std::string source, std::vector<std::string> headings) {
    TextTable table;
    table.title = std::move(title);
    table.source = std::move(source);
    const auto is_label = [](const std::string& heading) {
        return heading == "T" || heading == "P" || heading == "ranks";
    };
    const auto first = std::find_if_not(headings.begin(), headings.end(), is_label);
    table.label_columns = static_cast<std::size_t>(first - headings.begin());
    for (std::string& heading : headings) {
        table.columns.push_back({std::move(heading), Alignment::right});
    }
    return table;
}

TextTable acceptance_table(const FarmFigures& figures) {
    TextTable table;
    table.title = "Acceptance";
    table.columns = {
        {"asked for", Alignment::left, Overflow::wrap},
        {"found", Alignment::right},
        {"", Alignment::left}};
    for (const Acceptance& acceptance : acceptances(figures)) {
        table.rows.push_back(
            {acceptance.text, acceptance.found, acceptance.is_met ? "met" : "not met"}
        );
    }
    return table;
}

TextTable dispatch_table(const FarmFigures& figures) {
    TextTable table = table_of(
        "Dispatch on real ranks",
        "empty tasks, results of 1 KiB; alone: one task per message, bundled: 256",
        {"ranks", "alone", "master CPU/task", "bundled", "master CPU/task", "master peak"}
    );
    for (const DispatchRow& row : figures.dispatch) {
        table.rows.push_back(
            {std::to_string(row.ranks),
             rate_text(row.alone.tasks_per_second),
             microseconds_text(row.alone.cpu_seconds_per_task),
             rate_text(row.bundled.tasks_per_second),
             microseconds_text(row.bundled.cpu_seconds_per_task),
             fmt::format("{:.0f} MiB", row.alone.memory_mib)}
        );
    }
    const auto note = [&table](const char* workers, const MasterCosts& costs) {
        table.notes.push_back(fmt::format(
            "A master with {} virtual workers: {} per message and {} per task or result in it. A "
            "task alone costs s = {}.",
            workers,
            microseconds_text(costs.message_seconds),
            microseconds_text(costs.task_seconds),
            microseconds_text(costs.per_task_alone())
        ));
    };
    note("10,000", figures.costs);
    note("250", figures.group_costs);
    table.notes.push_back(
        fmt::format("An idle worker costs its master {:.0f} bytes.", figures.bytes_per_idle_worker)
    );
    return table;
}

TextTable emulated_table(const FarmFigures& figures) {
    TextTable table = table_of(
        "Virtual workers over real MPI",
        "one rank impersonates P workers; formula: min(1, c T / (P s)) with s of the row",
        {"T", "P", "c", "tasks", "s", "master busy", "efficiency", "formula"}
    );
    for (const EmulatedRow& row : figures.emulated) {
        table.rows.push_back(
            {duration_text(row.task_seconds),
             std::to_string(row.workers),
             std::to_string(row.bundle_tasks),
             rate_text(row.master.tasks_per_second),
             microseconds_text(row.master.cpu_seconds_per_task),
             fmt::format("{:.2f}", row.master.cpu_share),
             efficiency_text(row.efficiency),
             efficiency_text(row.formula)}
        );
    }
    table.notes.emplace_back(
        "s is the master's processor time per task. Where it is not busy, most of that is looking "
        "for messages."
    );
    return table;
}

TextTable group_table(const FarmFigures& figures) {
    TextTable table = table_of(
        "Two levels over real MPI",
        "one rank is all the sub-masters and their P workers, 250 each, tasks in bundles",
        {"T", "P", "tasks", "s of the top", "top busy", "efficiency", "virtual time"}
    );
    for (const GroupRow& row : figures.groups) {
        const double served = row.master.served_seconds_per_task;
        table.rows.push_back(
            {duration_text(row.task_seconds),
             std::to_string(row.workers),
             rate_text(row.master.tasks_per_second),
             microseconds_text(served),
             fmt::format("{:.2f}", served * row.master.tasks_per_second),
             efficiency_text(row.efficiency),
             efficiency_text(row.in_virtual_time)}
        );
    }
    table.notes.emplace_back(
        "s is the time in which the top master does not wait for messages, per task. Where tasks "
        "are short the rank that is all the sub-masters is the limit, not the master above it: on "
        "a real machine each sub-master has a core of its own, as it has in virtual time, where "
        "the top's costs are the dearest of this table."
    );
    return table;
}

TextTable sleeping_table(const FarmFigures& figures) {
    TextTable table = table_of(
        "Real ranks and virtual time",
        "tasks that sleep, one per message, on more ranks than cores",
        {"T", "ranks", "real", "virtual time"}
    );
    for (const SleepingRow& row : figures.sleeping) {
        table.rows.push_back(
            {duration_text(row.task_seconds),
             std::to_string(row.ranks),
             efficiency_text(row.real),
             efficiency_text(row.in_virtual_time)}
        );
    }
    table.notes.emplace_back(
        "Real ranks share the cores: 63 of them wake up 63,000 times per second where T = 1 ms."
    );
    return table;
}

TextTable virtual_table(const FarmFigures& figures) {
    TextTable table = table_of(
        "Efficiency in virtual time",
        "the master's state machine with 2 us of latency per message and the costs above",
        {"T", "P", "one level, c = 1", "one level, bundles", "two levels, bundles"}
    );
    for (const VirtualRow& row : figures.virtual_time) {
        table.rows.push_back(
            {duration_text(row.task_seconds),
             std::to_string(row.workers),
             efficiency_text(row.alone),
             efficiency_text(row.bundled),
             efficiency_text(row.two_levels)}
        );
    }
    return table;
}

TextTable parallel_table(const FarmFigures& figures) {
    TextTable table = table_of(
        "Parallel efficiency of 3 ranks",
        "whole runs of computing tasks, against two processes that compute without a farm",
        {"T", "efficiency", "lowest", "highest"}
    );
    for (const ParallelRow& row : figures.parallel) {
        table.rows.push_back(
            {duration_text(row.task_seconds),
             efficiency_text(row.efficiency),
             efficiency_text(row.lowest),
             efficiency_text(row.highest)}
        );
    }
    return table;
}

std::vector<TextTable> tables_of(const FarmFigures& figures) {
    return {
        acceptance_table(figures),
        dispatch_table(figures),
        emulated_table(figures),
        group_table(figures),
        sleeping_table(figures),
        virtual_table(figures),
        parallel_table(figures)};
}

Acceptance at_least(std::string text, double wanted, double found) {
    return {
        fmt::format("{} >= {:.2f}", std::move(text), wanted),
        efficiency_text(found),
        found >= wanted};
}

/// Markdown's tables do not line up in a terminal: the page shows the text.
std::string page_table(const TextTable& table) {
    TextTable bare = table;
    bare.title.clear();
    bare.source.clear();
    bare.notes.clear();
    std::string rows = render(bare, ReportFormat::text);
    rows.erase(0, rows.find_first_not_of('\n'));
    std::string text = "\n## " + table.title + "\n\n";
    text += table.source.empty() ? "" : table.source + "\n\n";
    text += "```\n" + rows + "```\n";
    for (const std::string& note : table.notes) {
        text += "\n" + note + "\n";
    }
    return text;
}

}  // namespace

std::vector<Acceptance> acceptances(const FarmFigures& figures) {
    std::vector<Acceptance> found;
    for (const ParallelRow& row : figures.parallel) {
        found.push_back(at_least(
            fmt::format(
                "efficiency of 3 ranks on 2 cores, tasks of {}", duration_text(row.task_seconds)
            ),
            row.task_seconds < 0.05 ? 0.90 : 0.95,
            row.efficiency
        ));
    }
    found.push_back(
        at_least("efficiency at P = 10^4, T = 10 ms, two levels", 0.95, figures.goal_efficiency)
    );
    found.push_back(
        {"a waiting master needs less than 0.05 of a core",
         fmt::format("{:.4f}", figures.idle_cpu_share),
         figures.idle_cpu_share < 0.05}
    );
    return found;
}

std::string farm_text(const FarmFigures& figures, std::size_t width) {
    std::string text;
    for (const TextTable& table : tables_of(figures)) {
        text += render(table, ReportFormat::text, width) + "\n";
    }
    return text;
}

std::string farm_markdown(const FarmPageOrigin& origin, const FarmFigures& figures) {
    std::string text = fmt::format(
        R"(# Scaling

Generated by `{}`. Do not edit this page: run the command again.

| | |
|---|---|
| date | {} |
| program | {} |
| machine | {} |

A master serves one message after the other. If a task travels alone and costs the master s (its
order and its report), P workers with tasks of length T ask for P/T tasks per second, and the master
is busy all the time from the knee P* = T/s on; with c tasks per message P* is about cT/s. Beyond it
efficiency falls as cT/(Ps). Tasks whose length is known are bundled up to 50 ms. Two levels (256
workers per sub-master at most) switch on by themselves where Ps/T exceeds 0.3.

Efficiency is the share of the workers' time in which they execute tasks. With virtual workers and
in virtual time it is that of the steady state: a window that opens when every worker has done its
first tasks. Virtual workers' tasks take time but no processor. Virtual time runs the same state
machines and rules, with the processor time of this machine's master per message and per task: of
one with 10,000 workers for one level; with two levels of one with 40 sub-masters for the top and of
one with 250 workers for the sub-masters.
)",
        origin.command,
        origin.date,
        origin.program,
        origin.machine
    );
    for (const TextTable& table : tables_of(figures)) {
        text += page_table(table);
    }
    return text;
}

}  // namespace schedfarm::app
