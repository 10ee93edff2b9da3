// Which column of a table says what of a job. The map of sacct is built in; those of other tables
// come from files and campaigns, read by the program, which hands them down as a text:
// "submit=submit_time; limit=time_limit [min]; gpus=tres_alloc [1002]; zone=Europe/Paris". A
// quantity may be named several times: the first column that says something counts. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedfarm::models::trace {

enum class Quantity : std::uint8_t {
    id,
    task,  ///< JobID of sacct, "11_4", "15+1", "17.batch": what kind of row it is
    row,   ///< DBIndex: rows with the same are the same row
    submit,
    eligible,
    start,
    end,
    run,
    wait,
    suspended,
    limit,
    nodes,
    requested_nodes,
    processors,
    requested_processors,
    gpus,
    memory,
    user,
    group,
    queue,
    partition,
    qos,
    state,
    started_by,
    node_list,
    submit_line,  ///< of sacct, "sbatch --array=0-9%2 job.sh": what it asked for and waits for
    priority,     ///< of Slurm: 0 of jobs that somebody held
};

inline constexpr std::array<std::string_view, 27> quantity_names{
    "id",
    "task",
    "row",
    "submit",
    "eligible",
    "start",
    "end",
    "run",
    "wait",
    "suspended",
    "limit",
    "nodes",
    "requested_nodes",
    "processors",
    "requested_processors",
    "gpus",
    "memory",
    "user",
    "group",
    "queue",
    "partition",
    "qos",
    "state",
    "started_by",
    "node_list",
    "submit_line",
    "priority"};

struct MappedColumn {
    Quantity quantity{};
    std::string column;  ///< as the header calls it
    double unit = 1;     ///< s; of memory KB
    std::string key;     ///< of a list "cpu=8,node=2"; empty: the cell is the value
};

struct ColumnMap {
    std::vector<MappedColumn> columns;
    std::string zone;  ///< of times that say none; empty: UTC

    bool is_given() const { return !columns.empty(); }
};

/// The map of that text. Throws LogError for words that mean nothing.
ColumnMap column_map(std::string_view text);

/// Columns of sacct, of any version: unknown ones are passed over.
const ColumnMap& sacct_columns();

/// Columns of sacct that hold free text, in which the separator may stand.
bool is_free_text(std::string_view column);

}  // namespace schedfarm::models::trace
