// Messages on standard error: "schedfarm: level: text". Control characters do not come through:
// what a foreign file says must not command the terminal.
#pragma once

#include <string>

namespace schedfarm::app {

/// Of the default logger, from now on. `before` stands in front of each message, such as what
/// erases a progress line.
void format_messages(const std::string& before = "");

}  // namespace schedfarm::app
