#include "models/trace/writing/table_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/trace/reading/clock.hpp"
#include "models/trace/reading/number.hpp"
#include "models/trace/tables/cells.hpp"
#include "models/trace/writing/swf_writer.hpp"

namespace schedfarm::models::trace {

namespace {

/// Empty for what is missing.
std::string number_cell(double value) {
    if (value < 0) {
        return "";
    }
    std::string text;
    append_number(text, value);
    return text;
}

/// "2-03:04:05": not every limit is of whole minutes; broken seconds are cut off.
std::string limit_text(double seconds) {
    if (seconds < 0) {
        return "";
    }
    const auto whole = static_cast<std::int64_t>(seconds);
    return fmt::format(
        "{}-{:02}:{:02}:{:02}", whole / 86400, whole / 3600 % 24, whole / 60 % 60, whole % 60
    );
}

std::string state_text(const Log& log, std::size_t row) {
    if (const std::int8_t state = log.state[row]; state >= 0) {
        return std::string(word_of(static_cast<JobState>(state)));
    }
    switch (static_cast<Status>(log.status[row])) {
        case Status::completed:
            return std::string(word_of(JobState::completed));
        case Status::failed:
            return std::string(word_of(JobState::failed));
        case Status::cancelled:
            return std::string(word_of(JobState::cancelled));
        default:
            return "";
    }
}

std::string starter_text(const Log& log, std::size_t row) {
    const std::int8_t starter = log.started_by[row];
    return starter < 0 ? "" : std::string(starter_words.at(static_cast<std::size_t>(starter)));
}

std::string name_text(const Log& log, Field field, std::int64_t number) {
    if (number < 0) {
        return "";
    }
    return log.names.contains(field) ? log.name_of(field, number) : std::to_string(number);
}

bool is_under_way(const Log& log, std::size_t row) {
    const auto state = static_cast<JobState>(log.state[row]);
    return state == JobState::running || state == JobState::suspended;
}

struct TableColumn {
    std::string_view name;
    bool is_said = true;
    std::function<std::string(std::size_t)> text;
};

template <typename Values>
bool is_said(const Values& column) {
    return std::ranges::any_of(column.values(), [](auto value) { return value >= 0; });
}

std::vector<TableColumn> columns_of(const Log& log) {
    const auto clock = clock_of(log.header);
    const double base = clock ? static_cast<double>(clock->unix_start) : 0;
    const auto time = [base](double second) {
        return second < 0 ? std::string("Unknown") : number_cell(base + second);
    };
    const auto number = [](const auto& column) {
        return [&column](std::size_t row) {
            return number_cell(static_cast<double>(column[row]));
        };
    };
    const auto name = [&log](Field field, const Log::Names& column) {
        return [&log, &column, field](std::size_t row) {
            return name_text(log, field, column[row]);
        };
    };
    return {
        {"JobIDRaw", true, number(log.job_number)},
        {"User", is_said(log.user), name(Field::user, log.user)},
        {"Account", is_said(log.group), name(Field::group, log.group)},
        {"Partition", is_said(log.partition), name(Field::partition, log.partition)},
        {"QOS", is_said(log.quality), name(Field::quality, log.quality)},
        {"Submit",
         true,
         [&log, time](std::size_t row) {
             return time(log.submit_time[row]);
         }},
        {"Eligible",
         is_said(log.eligible_time),
         [&log, time](std::size_t row) {
             return time(log.eligible_time[row]);
         }},
        {"Start",
         true,
         [&log, time](std::size_t row) {
             return time(log.start(row));
         }},
        {"End",
         true,
         [&log, time](std::size_t row) {
             const bool has_ended =
                 log.start(row) >= 0 && log.run_time[row] >= 0 && !is_under_way(log, row);
             return time(has_ended ? log.start(row) + log.run_time[row] : -1);
         }},
        {"ElapsedRaw", true, number(log.run_time)},
        {"Timelimit",
         is_said(log.requested_time),
         [&log](std::size_t row) {
             return limit_text(log.requested_time[row]);
         }},
        {"State",
         is_said(log.state) || is_said(log.status),
         [&log](std::size_t row) {
             return state_text(log, row);
         }},
        {"ReqNodes", is_said(log.requested_nodes), number(log.requested_nodes)},
        {"AllocNodes", is_said(log.allocated_nodes), number(log.allocated_nodes)},
        {"ReqCPUS", is_said(log.requested_processors), number(log.requested_processors)},
        {"AllocCPUS", is_said(log.allocated_processors), number(log.allocated_processors)},
        {"ReqMem",
         is_said(log.requested_memory),
         [&log](std::size_t row) {
             const std::string kb = number_cell(log.requested_memory[row]);
             return kb.empty() ? kb : kb + "Kc";
         }},
        {"AllocTRES",
         is_said(log.gpus),
         [&log](std::size_t row) {
             return log.gpus[row] < 0 ? "" : fmt::format("gres/gpu={}", log.gpus[row]);
         }},
        {"Flags",
         is_said(log.started_by),
         [&log](std::size_t row) {
             return starter_text(log, row);
         }},
        {"NodeList", is_said(log.node_list), [&log](std::size_t row) {
             const std::int32_t list = log.node_list[row];
             return list < 0 ? "" : log.node_lists.at(static_cast<std::size_t>(list));
         }}};
}

/// One cell; names of sacct may hold anything but what divides it.
void append_cell(std::string& text, std::string cell, TableForm form) {
    if (form == TableForm::csv) {
        text += csv_cell(std::move(cell));
        return;
    }
    for (const char letter : cell) {
        text += letter == '|' || letter == '\n' ? '_' : letter;
    }
}

struct Loss {
    bool is_there;
    const char* what;
};

std::string joined(std::initializer_list<Loss> losses) {
    std::string text;
    for (const Loss& loss : losses) {
        if (loss.is_there) {
            text += (text.empty() ? "" : ", ") + std::string(loss.what);
        }
    }
    return text;
}

}  // namespace

std::string csv_cell(std::string text) {
    const bool is_formula = !text.empty()
                            && std::string_view("=+-@").find(text.front()) != std::string_view::npos
                            && !parse_number(text);
    text.insert(0, is_formula ? "'" : "");
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char letter : text) {
        quoted += letter == '"' ? "\"\"" : std::string(1, letter);
    }
    return quoted + '"';
}

std::string table_text(const Log& log, TableForm form) {
    std::vector<TableColumn> columns = columns_of(log);
    std::erase_if(columns, [](const TableColumn& column) { return !column.is_said; });
    std::string text;
    const auto end_cell = [&](std::size_t i) {
        text += i + 1 < columns.size() ? static_cast<char>(form) : '\n';
    };
    for (std::size_t i = 0; i < columns.size(); ++i) {
        append_cell(text, std::string(columns[i].name), form);
        end_cell(i);
    }
    for (std::size_t row = 0; row < log.jobs(); ++row) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            append_cell(text, columns[i].text(row), form);
            end_cell(i);
        }
    }
    return text;
}

std::string lost_in_table(const Log& log) {
    return joined(
        {{!log.header.lines.empty(), "the header with the size of the machine"},
         {log.cpu_time.is_given(), "CPU times"},
         {log.used_memory.is_given(), "used memory"},
         {log.executable.is_given(), "executables"},
         {log.queue.is_given(), "queues"},
         {log.preceding_job.is_given(), "preceding jobs and think times"},
         {log.array.is_given(), "arrays"}}
    );
}

std::string lost_in_swf(const Log& log) {
    return joined(
        {{log.eligible_time.is_given(), "submit times of jobs that became eligible later"},
         {log.allocated_nodes.is_given() || log.requested_nodes.is_given(), "nodes"},
         {log.gpus.is_given(), "GPUs"},
         {log.quality.is_given(), "QOS"},
         {log.state.is_given(), "states finer than failed, completed and cancelled"},
         {log.started_by.is_given(), "who started a job"},
         {log.node_list.is_given(), "lists of nodes"},
         {log.array.is_given(), "arrays"}}
    );
}

}  // namespace schedfarm::models::trace
