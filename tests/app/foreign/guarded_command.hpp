// Commands of the program run in this process, and held to what the program promises about foreign
// files: refused with one message and exit code 2, and nothing on the disk is changed; or accepted.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "app/cli/exit_code.hpp"

namespace schedfarm::tests {

/// Every file of a folder with its content.
using FolderContent = std::map<std::string, std::string>;

FolderContent content_of(const std::filesystem::path& folder);
/// Makes the folder hold these files and no others.
void restore(const std::filesystem::path& folder, const FolderContent& content);

enum class Verdict { refused, accepted };

struct Guarded {
    Verdict verdict = Verdict::refused;
    app::ExitCode code = app::ExitCode::done;
    std::string message;  ///< of the refusal
    std::string problem;  ///< what broke the promise; empty: nothing
};

/// Runs a command on files of `folder` as main() does, its output thrown away. A refusal must name
/// a file whose name contains `name`.
Guarded guarded(
    const std::filesystem::path& folder,
    const std::string& name,
    const std::function<app::ExitCode()>& command
);

}  // namespace schedfarm::tests
