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
    cluster,
    constraint,      ///< on features of its nodes, "a&(b|c)"
    licences,        ///< "mat:2,sim"
    requested_tres,  ///< "cpu=4,gres/fpga=2"
};

inline constexpr std::array<std::string_view, 31> quantity_names{
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
    "priority",
    "cluster",
    "constraint",
    "licences",
    "requested_tres"};

constexpr std::string_view name_of(Quantity quantity) {
    return quantity_names[static_cast<std::size_t>(quantity)];
}

struct MappedColumn {
    Quantity quantity{};
    std::string column;          ///< as the header calls it
    double unit = 1;             ///< s; of memory KB
    std::string key;             ///< of a list "cpu=8,node=2"; empty: the cell is the value
    bool is_swf_status = false;  ///< its numbers are those of Status, not Slurm's of states
};

struct ColumnMap {
    std::vector<MappedColumn> columns;
    std::string zone;  ///< of times that say none; empty: UTC
    /// Of a table without a header, the names of its columns: "JobIDRaw,JobID,Submit".
    std::vector<std::string> header;

    bool is_given() const { return !columns.empty(); }
    /// Whether columns are called by their places from 1, for want of a header.
    bool has_places() const;
};

/// Which rows of a table are jobs of the log; empty: all.
struct RowChoice {
    std::string cluster;
    std::vector<std::string> partitions;
    std::vector<std::string> accounts;

    bool is_everything() const { return cluster.empty() && partitions.empty() && accounts.empty(); }
};

/// The map of that text. Throws LogError for words that mean nothing.
ColumnMap column_map(std::string_view text);

/// Columns of sacct, of any version: unknown ones are passed over.
const ColumnMap& sacct_columns();

/// How likely the separator stands in the texts of a column of sacct: in free texts, in names and
/// lists, in no cell.
enum class Separators : std::uint8_t { likely, unlikely, never };
Separators separators_in(std::string_view column);

}  // namespace schedfarm::models::trace
