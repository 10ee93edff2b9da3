// Reads tables with a header: sacct's, and CSV by RFC 4180 with any of the separators | , ; and
// tab. Rows that cannot be read are left out and counted; a table of which no row can be read is
// none (LogError).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/trace/tables/column_map.hpp"
#include "models/trace/tables/known_lists.hpp"
#include "models/trace/tables/read_cell.hpp"
#include "models/trace/tables/table_jobs.hpp"

namespace schedfarm::models::trace {

/// The separator of a header: the one that stands in it most often; '\0': none does.
char separator_of(std::string_view header);

/// Whether these are columns of sacct.
bool is_sacct_header(std::string_view header);

class TableReader final : public FormatReader {
  public:
    /// `map`: none given: that of sacct. `zone`: of times that say none; empty: that of the map.
    TableReader(
        LogBuilder& log, const ColumnMap& map, const std::string& zone, const RowChoice& choice = {}
    );

    std::size_t add(std::string_view text, bool is_last) override;
    void finish() override;

  private:
    struct Wanted {
        MappedColumn mapped;
        std::size_t place;  ///< in a row
        KnownDay day = {};
        bool is_of_list = false;  ///< what KnownLists holds
    };

    struct TornLine {
        std::uint64_t line;
        OddityKind kind;
        std::string problem;
    };

    /// sacct writes none, and `"` may stand in its texts.
    bool has_quotes() const { return !is_sacct_ || separator_ != '|'; }
    std::size_t row_length(std::string_view text, bool is_last) const;
    bool begin(std::string_view row);
    void add_row(std::string_view row);
    void add_header();
    void tell_statuses(std::string_view rows);
    void expect_once(const std::string& column) const;
    void split(std::string_view row);
    void split_quoted(std::string_view row);
    bool read_row(std::string_view text, TableRow& job);
    bool read_cells(TableRow& row);
    void join_lists();
    bool join_texts();
    void take(TableRow& job);
    void give_up_torn_lines();
    std::string shown_columns() const;
    void leave_out(std::uint64_t line, OddityKind kind, const std::string& problem);

    LogBuilder& log_;
    ColumnMap map_;
    TableJobs jobs_;
    bool is_sacct_ = false;
    char separator_ = '|';
    std::uint64_t line_ = 0;       ///< in which the row begins, from 1
    std::uint64_t next_line_ = 1;  ///< in which the next one begins
    std::vector<std::string> header_;
    std::vector<Wanted> wanted_;
    KnownLists lists_;
    std::size_t task_place_ = 0;          ///< of a column that tells steps, of sacct
    std::vector<Separators> separators_;  ///< where they may stand, by column
    std::vector<std::string_view> cells_;
    std::vector<std::unique_ptr<std::string>> unquoted_;
    UnreadCells unread_;         ///< of the row that was read last
    OddityKind problem_kind_{};  ///< of the row or the cell that could not be read last
    std::string problem_;
    std::vector<TornLine> torn_lines_;  ///< may be parts of one row, whose texts have ends of lines
    std::string torn_text_;             ///< of all of them
    std::string first_problem_;         ///< of the first row that was left out, with its place
    std::uint64_t rows_ = 0;            ///< below the header
    std::uint64_t lost_ = 0;            ///< of these
};

}  // namespace schedfarm::models::trace
