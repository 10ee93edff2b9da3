// What cells such as "billing=8,cpu=8,mem=4000M,node=2" say of counts and of memory, by their
// texts: jobs ask for the same again and again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "models/trace/tables/column_map.hpp"
#include "models/trace/tables/table_jobs.hpp"

namespace schedfarm::models::trace {

/// Takes over what another row says of a quantity of which nothing is known yet. False: it is
/// neither a count nor memory.
bool take_number(Quantity quantity, const TableRow& from, TableRow& row);

class KnownLists {
  public:
    /// Of a column of lists that says a count or memory. False: it is none, and read as others are.
    bool add(const MappedColumn& mapped, std::size_t place);

    /// What the cell says of all that was added for its place; null: not all of it can be read.
    /// Lives until the next call.
    const TableRow* said(std::size_t place, std::string_view cell);

  private:
    struct Known {
        std::string text;
        TableRow said;
    };
    struct List {
        std::size_t place;
        std::vector<MappedColumn> columns;
        std::vector<Known> known;
    };
    std::vector<List> lists_;
};

}  // namespace schedfarm::models::trace
