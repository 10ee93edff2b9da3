// Which rows of a table wait for which others, by the options of their command lines: `after…:17`,
// `after…:17_4`, `aftercorr`, `singleton`. Rows come in the order of the log; what they name is
// found when all are there. Of `after:` (a start), of dependencies of which any will do (`?`) and
// of what names no row nothing is known here: such jobs come when the log says.
#pragma once

#include <cstdint>
#include <vector>

#include "models/trace/log.hpp"
#include "models/trace/tables/submit_line.hpp"

namespace schedfarm::models::trace {

struct TableRow;

class RowDependencies {
  public:
    /// The next row of the log, and its command line.
    void add(const TableRow& row, const SubmitLine& line);

    /// Of the rows of the log, sorted. A job waits for those alone that had ended when it started.
    std::vector<RowDependency> found(const Log& log) const;

  private:
    struct Named {
        std::uint32_t row;
        std::int64_t job;   ///< or array
        std::int64_t task;  ///< of it; −1: all of them, or it is none
    };

    /// Of a row with a command line; the clock is the table's.
    struct Known {
        double eligible = -1;
        double start = -1;
        double end = -1;
        std::uint64_t name = 0;  ///< of user and job, hashed; 0: not known
        std::int32_t task = -1;
    };
    bool waits(std::uint32_t row, std::uint32_t before) const;

    std::uint32_t rows_ = 0;
    std::vector<Known> known_;  ///< by row, up to the last with a command line
    std::vector<Named> named_;
    std::vector<std::uint32_t> singletons_;
};

}  // namespace schedfarm::models::trace
