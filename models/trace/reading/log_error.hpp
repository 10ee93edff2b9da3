// A log that cannot be read, or not be used as asked: the text says where, what, why and what to
// do.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace schedfarm::models::trace {

class LogError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;

    /// "name:line: problem (why). Suggestion?"
    LogError(const std::string& name, std::uint64_t line, const std::string& text)
        : std::runtime_error(name + ":" + std::to_string(line) + ": " + text) {}
};

}  // namespace schedfarm::models::trace
