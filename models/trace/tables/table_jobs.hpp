// Rows of a table as jobs of a log: what a table says of a job in its own words and clock becomes
// the columns of a log. Rows that are no jobs, doubled ones and parts of jobs are told apart here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/trace/reading/log_builder.hpp"
#include "models/trace/reading/zone_rules.hpp"
#include "models/trace/tables/cells.hpp"
#include "models/trace/tables/column_map.hpp"
#include "models/trace/tables/row_dependencies.hpp"
#include "models/trace/tables/seen_rows.hpp"

namespace schedfarm::models::trace {

/// Why a job of TableJobs::add cannot be one.
inline constexpr std::string_view no_such_time = "a time of it does not exist in its zone";

/// What a row says; the texts live as long as the row.
struct TableRow {
    std::uint64_t line = 0;  ///< of the file, from 1
    std::string_view id;
    std::string_view task;  ///< "11_4", "15+1", "17.batch": of sacct alone
    std::string_view key;   ///< what no other row has; empty: its id and submit time
    CellTime submit;
    CellTime eligible;
    CellTime start;
    CellTime end;
    double run = not_said;
    double wait = not_said;
    double suspended = not_said;
    double limit = not_said;
    LimitWord limit_word = LimitWord::none;
    bool is_eligible_unsaid = false;  ///< there is a column of eligible times, and it says nothing
    bool is_end_unsaid = false;       ///< likewise
    bool has_unknown_state = false;
    bool has_fraction = false;      ///< of a processor, node or GPU
    bool has_joined_cells = false;  ///< separators or ends of lines in its texts
    bool is_header = false;         ///< no job: the header again
    bool has_length = true;  ///< of its own; false: only a simulation of its program would tell
    double nodes = not_said;
    double requested_nodes = not_said;
    double processors = not_said;
    double requested_processors = not_said;
    double gpus = not_said;
    Memory memory;
    std::string_view user;
    std::string_view group;
    std::string_view queue;
    std::string_view partition;
    std::string_view qos;
    std::string_view cluster;
    JobState state = JobState::unknown;
    double status = not_said;  ///< where the table has that of SWF in the place of states
    StartedBy started_by = StartedBy::unknown;
    std::string_view node_list;
    std::string_view submit_line;
    AskedColumns asked;
    double priority = not_said;
    double array = not_said;  ///< the number of its array
};

/// Texts, numbered from 1 in the order in which they come.
class NumberedTexts {
  public:
    /// −1 for a text that says nothing.
    double number_of(std::string_view text);
    bool knows(std::string_view text) const { return numbers_.find(text) != numbers_.end(); }
    const std::vector<std::string>& texts() const { return texts_; }
    /// The texts; the object is spent.
    std::vector<std::string> taken() { return std::move(texts_); }

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>{}(text);
        }
    };

    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
    std::vector<std::string> texts_;
    struct Recent {
        std::string_view text;  ///< of numbers_
        std::uint32_t number = 0;
    };
    std::vector<Recent> recent_;  ///< by a few of their letters
};

/// End − Start − Suspended − run time in s; 0 where one of them is not known.
double excess_of(const TableRow& row);

class TableJobs {
  public:
    /// `zone`: of local times; empty: UTC. Throws LogError for one that this machine does not know.
    TableJobs(LogBuilder& log, std::string zone, RowChoice choice = {});

    /// Makes its times those of the Unix clock. False: one of them does not exist in the zone, and
    /// the row is left out.
    bool add(TableRow& row);

    /// All rows have come: times are counted from the first submission on, and the header says
    /// when that was. Throws LogError for jobs of several clusters, and where none is chosen.
    void finish();

    /// How many of the row's names other rows have had.
    std::size_t known_names(const TableRow& row) const;
    /// A job of this table needs as many processors as nodes.
    void take_nodes_for_processors() { nodes_are_processors_ = true; }
    /// Jobs that left while they waited are load only where that is asked for, as those of an SWF.
    void keep_left_from_load() { left_is_load_ = false; }

  private:
    /// A day of local time.
    struct Day {
        std::int64_t number = -1;
        double utc_offset_s = 0;
        bool is_plain = false;  ///< no change of clocks is near
    };

    bool is_chosen(const TableRow& row);
    SeenRows::Before seen_before(const TableRow& row);
    void examine_task(TableRow& row);
    bool is_whole(TableRow& row, SeenRows::Before seen);
    void remove_sentinels(TableRow& row) const;
    bool make_universal(TableRow& row);
    bool is_made_by_day(CellTime& time);
    bool settle(TableRow& row);
    void complete(TableRow& row) const;
    void examine(const TableRow& row);
    void fill(const TableRow& row);
    bool add_whole(TableRow& row);
    void finish_names(Log& log);

    LogBuilder& log_;
    std::string zone_;
    std::shared_ptr<const ZoneRules> rules_;
    std::array<Day, 64> days_;
    SeenRows rows_;
    std::map<std::string, TableRow, std::less<>> parts_;  ///< of resized jobs, by id, without texts
    std::array<NumberedTexts, column_count> texts_;
    RowChoice choice_;
    NumberedTexts clusters_;
    bool nodes_are_processors_ = false;
    bool left_is_load_ = true;
    std::map<std::int32_t, std::uint32_t> array_limits_;
    RowDependencies dependencies_;
    NumberedOptions options_;
    double first_submit_ = not_said;
    std::int64_t place_ = 0;
};

}  // namespace schedfarm::models::trace
