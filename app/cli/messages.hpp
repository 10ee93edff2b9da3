// Messages on standard error: "schedfarm: level: text". Control characters do not come through:
// what a foreign file says must not command the terminal.
#pragma once

#include <string>

namespace schedfarm::app {

/// Of the default logger, from now on. `before` stands in front of each message, such as what
/// erases a progress line.
void format_messages(const std::string& before = "");

/// "12 s", "1 min 20 s", "2 h 01 min", "3 d 02 h"
std::string duration_text(double seconds);
/// Likewise, with two digits of what is shorter than ten seconds: "0.31 s".
std::string measured_text(double seconds);

}  // namespace schedfarm::app
