// Which journals are meant by what a user names to ask about a run.
#pragma once

#include <filesystem>
#include <vector>

namespace schedfarm::app {

/// The journal that is meant by a journal, a result file, or a campaign file (that of its default
/// output in this folder); where it is not there, those of the parts that will make it, the
/// journals of an array's tasks, in the order of their numbers. Never empty. Throws JournalError
/// where a campaign has neither.
std::vector<std::filesystem::path> journals_named(const std::filesystem::path& given);

}  // namespace schedfarm::app
