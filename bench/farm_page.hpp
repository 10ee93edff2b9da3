// What `schedfarm-bench --farm` has found, for a terminal and as docs/results/scaling.md. Pure
// functions.
#pragma once

#include <string>
#include <vector>

#include "app/report/text_table.hpp"

#include "bench/farm_bench.hpp"

namespace schedfarm::bench {

/// Where the page comes from.
struct FarmPageOrigin {
    std::string command;
    std::string date;
    std::string program;
    std::string machine;
};

/// Tables for a terminal of `width` columns, acceptance first.
std::string farm_text(const FarmFigures& figures, std::size_t width = app::terminal_width);

/// The Markdown page; its tables as in a terminal.
std::string farm_markdown(const FarmPageOrigin& origin, const FarmFigures& figures);

}  // namespace schedfarm::bench
