// How --help looks: lines of at most so many columns, every option with its word for a value and,
// in sentences below it, what it means, admits and goes with. Groups of options stand before the
// other options, and required options before those that may be left out.
#pragma once

#include <cstddef>
#include <memory>

#include <CLI/CLI.hpp>

namespace schedfarm::campaigns {

/// For a program before its commands are added, which inherit it. The program's footer is its own:
/// a command shows a footer only where it has another one.
std::shared_ptr<CLI::FormatterBase> help_formatter(std::size_t width);

}  // namespace schedfarm::campaigns
