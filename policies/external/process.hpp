// A program that answers a line with a line. It is started in a group of its own and dies with this
// process; what it prints to standard error is kept, the last of it, for messages. One process
// serves many replications, one after the other: PolicyProcess::lend() gives one that is idle, or
// starts it.
// Cost: three system calls a line on this side.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "policies/external/code.hpp"

namespace schedfarm::policies {

class PolicyProcess {
  public:
    /// Throws ExternalPolicyError where it cannot be started, or where this process may not start
    /// code (allow_external_code).
    explicit PolicyProcess(ExternalCode code);
    PolicyProcess(const PolicyProcess&) = delete;
    PolicyProcess& operator=(const PolicyProcess&) = delete;
    /// Ends it, and all of its group, however it behaves.
    ~PolicyProcess();

    /// `line` ends with a newline; the answer has none and is valid until the next call. Throws
    /// ExternalPolicyError where none comes in time or the program ends.
    std::string_view exchange(std::string_view line, double timeout_s);

    /// " Its last words on standard error: …", or nothing. What is under way is waited for a
    /// moment.
    std::string last_words();

    const ExternalCode& code() const { return code_; }

    /// An idle process that was started so, else a new one.
    static std::unique_ptr<PolicyProcess> lend(const ExternalCode& code);
    /// REQUIRES: it has answered all that it was sent.
    static void give_back(std::unique_ptr<PolicyProcess> process);

  private:
    void start();
    void send(std::string_view line, double deadline);
    /// Whether the answers can be read; false: only standard error could.
    bool wait(short events, double deadline);
    void read_errors();
    std::string end_text();

    ExternalCode code_;
    pid_t pid_ = -1;
    int lines_ = -1;    // a socket, as a write to it raises no signal
    int answers_ = -1;  // a pipe, as the next
    int errors_ = -1;
    std::string received_;
    std::size_t taken_ = 0;  // of what was received
    std::string last_errors_;
    double timeout_s_ = 0;
};

}  // namespace schedfarm::policies
