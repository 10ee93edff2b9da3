// What the journal's tests share: a folder that goes away, and a small journal.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/farm/journal/journal.hpp"

namespace schedfarm::tests {

/// An empty folder of its own for one test.
class TemporaryFolder {
  public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

void write_file(const std::filesystem::path& path, const std::string& content);

engine::JournalHeader sample_header();
/// Results with every status, a payload and a message that depend on the number.
engine::TaskResult sample_result(std::uint64_t number);
std::vector<engine::TaskResult> as_list(const engine::JournalResults& results);
bool same_result(const engine::TaskResult& a, const engine::TaskResult& b);

/// The message of the JournalError that reading this file throws; empty: it is read.
std::string reading_error(const std::filesystem::path& path);

}  // namespace schedfarm::tests
