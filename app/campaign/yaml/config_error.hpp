// What is wrong with a user's campaign file. All problems of a file are collected and shown at
// once.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace schedfarm::app {

struct SourcePosition {
    std::string file;
    int line = 0;    ///< from 1; 0: the file as a whole
    int column = 0;  ///< from 1
    /// In which the file's name begins; empty: the current one.
    std::string folder{};

    friend bool operator==(const SourcePosition&, const SourcePosition&) = default;
};

struct ConfigProblem {
    SourcePosition position;
    std::string key_path;    ///< "workload.component_size.uniform"
    std::string reason;      ///< what is wrong and why it matters
    std::string suggestion;  ///< what to write instead; may be empty

    /// "file:line:column: reason. Suggestion"
    std::string text() const;
};

/// At least one problem; exit code 2.
class ConfigErrors : public std::runtime_error {
  public:
    explicit ConfigErrors(std::vector<ConfigProblem> problems);
    const std::vector<ConfigProblem>& problems() const { return problems_; }

  private:
    std::vector<ConfigProblem> problems_;
};

/// Throws ConfigErrors with this problem alone.
[[noreturn]] void throw_problem(SourcePosition at, std::string reason, std::string suggestion = {});

}  // namespace schedfarm::app
