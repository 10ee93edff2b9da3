// The code of others that a policy starts: its command, and the files that it consists of. They are
// held to their checksums, which are parameters of the cell, and started only where this process
// was told that it may: no command but run, resume, simulate and replay ever says so.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/foundation/parameters.hpp"

namespace schedfarm::policies {

/// What a policy of somebody else did; the replication fails, others go on.
class ExternalPolicyError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The files of a policy are not those that the campaign was begun with: the run ends.
class ExternalCodeChanged : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Whether a text of others in JSON has more than 100 brackets open at once: what reads a tree of
/// it calls itself for each.
bool nests_too_deep(std::string_view json);

/// The command of a policy `external`, word by word, and where it is started; of a policy `plugin`
/// the library alone.
struct ExternalCode {
    std::vector<std::string> command;
    std::vector<std::string> files;  ///< named from `folder`: those among the words, then `files`
    std::filesystem::path folder;    ///< of the campaign; empty: the current one

    /// As a reader can paste it into a shell.
    std::string text() const;
    /// Where a library lies. REQUIRES: it is one.
    std::filesystem::path first_file() const { return folder / files.front(); }
    /// Throws ExternalCodeChanged where the checksums that the parameters have are not those now.
    void expect_unchanged(const engine::Parameters& given) const;
    /// SHA-256 of each file. Throws ExternalPolicyError where one cannot be read.
    std::vector<std::string> checksums() const;
    /// Whom a file belongs to who is neither this user nor root, or who else can replace one; empty
    /// where all is this user's.
    std::string foreign_part() const;

    friend bool operator==(const ExternalCode&, const ExternalCode&) = default;
};

/// Of the parameters of a policy `external` or `plugin`.
ExternalCode external_code(const engine::Parameters& given);
/// What cannot be started, or is not known by a checksum.
std::vector<engine::ParameterProblem> external_problems(const engine::Parameters& given);

/// What a policy and those within it start, in the order of the text.
std::vector<ExternalCode> external_codes(const engine::Choice& policy);

/// The policy with the checksums of its code, and of that within it, as parameters; `seen` (file,
/// checksum) is told of each file.
engine::Choice with_checksums(
    const engine::Choice& policy, std::vector<std::pair<std::string, std::string>>& seen
);

/// From now on this process and those that it forks may start the code of policies; `variables`
/// ("NAME=value") are added to the environment of what they start.
void allow_external_code(std::vector<std::string> variables = {});
/// Null: it may not.
const std::vector<std::string>* external_variables();
/// Throws ExternalPolicyError where it may not.
void expect_may_start(const ExternalCode& code);

/// Keeps with which version of what the code runs in this process, as it says itself.
void note_versions(const ExternalCode& code, const std::string& versions);
/// What was noted since the last call: "python3 mine.py: numpy 1.24.2, python 3.11.2". Sorted.
std::vector<std::string> take_versions();

}  // namespace schedfarm::policies
