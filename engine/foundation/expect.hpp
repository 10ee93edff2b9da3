// Contracts between parts of the program. A broken contract is a defect of the caller, never of the
// user's file, and is reported by an exception so that one replication can fail without ending the
// farm.
#pragma once

#include <stdexcept>
#include <string>

namespace schedfarm::engine {

/// A caller broke a contract; the text names the condition, the file and the line.
class ContractViolation : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

[[noreturn]] inline void throw_contract_violation(
    const char* condition, const char* file, int line, const std::string& message
) {
    throw ContractViolation(
        std::string(file) + ":" + std::to_string(line) + ": contract broken: " + message + " ("
        + condition + ")"
    );
}

}  // namespace schedfarm::engine

/// Checks a contract in every build type. Keep it out of the innermost event loop.
#define SCHEDFARM_EXPECT(condition, message)               \
    do {                                                   \
        if (!(condition)) [[unlikely]] {                   \
            ::schedfarm::engine::throw_contract_violation( \
                #condition, __FILE__, __LINE__, message    \
            );                                             \
        }                                                  \
    } while (false)
