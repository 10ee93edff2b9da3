// What the tables that `schedfarm simulate` reads have in common: files of CSV with a header and a
// line for each task or reservation, the first field of which is its name; and messages about them.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/plan/analyses/csv.hpp"

namespace schedfarm::app {

/// The text of a file of at most 256 MiB. Throws ConfigErrors where it cannot be read.
std::string table_text(const std::string& file);

/// A field in quotes, shortened.
std::string shown_field(const std::string& field);

class TableFile {
  public:
    /// `what` a line is: "task". `header`: how the first line is written, for messages.
    /// Throws ConfigErrors, as all members do, where there is no header or no line behind it.
    TableFile(std::string file, const std::string& content, std::string what, std::string header);

    const CsvRecord& header() const { return records_.front(); }
    std::span<const CsvRecord> rows() const { return std::span(records_).subspan(1); }

    /// At the first column that is called otherwise, and where a line has not as many fields.
    void expect_columns(const std::vector<std::string>& names) const;

    /// The first field: no other line has it.
    const std::string& name_in(const CsvRecord& record);

    /// A number of at most 1e100, positive or negative.
    double number_in(const CsvRecord& record, std::size_t column) const;

    /// At a field of a line. REQUIRES: it has it.
    [[noreturn]] void refuse(
        const CsvRecord& record,
        std::size_t column,
        const std::string& reason,
        const std::string& suggestion
    ) const;

  private:
    std::string file_;
    std::string what_;
    std::string header_;
    std::vector<CsvRecord> records_;
    std::set<std::string> names_;
};

}  // namespace schedfarm::app
