// The other side of IsolationServer: the server process and the children that it forks.
#pragma once

#include <string>

#include "engine/farm/processes/isolation.hpp"

namespace schedfarm::engine {

/// How a task ended, as it travels from child to server to owner.
struct IsolatedOutcome {
    TaskStatus status = TaskStatus::done;
    Bytes payload;
    std::string message;
};

Bytes encode(const IsolatedOutcome& outcome);
/// Throws SerializationError.
IsolatedOutcome decode_isolated_outcome(const Bytes& bytes);

/// A signal's number and name, as in "signal 11 (Segmentation fault)".
std::string signal_text(int signal);

/// The life of the server: answers every task with its outcome until the owner is gone. Never
/// returns.
[[noreturn]] void serve_isolated(
    int socket, pid_t owner, const TaskFunction& function, const TaskLimits& limits
);

}  // namespace schedfarm::engine
