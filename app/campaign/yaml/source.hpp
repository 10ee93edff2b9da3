// The text of a campaign: the main file and everything it refers to, read once by the master and
// sent to the other ranks, so that all of them parse the same bytes.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "engine/farm/task.hpp"

namespace schedfarm::app {

struct CampaignSource {
    std::string main_file;                     ///< as given by the user; key of `files`
    std::map<std::string, std::string> files;  ///< name → content: campaign, includes, references …
    /// In which the names, and those in the files, begin; empty: the current folder.
    std::string folder{};

    engine::Bytes serialize() const;
    /// Throws SerializationError. Older journals have sources without a folder.
    static CampaignSource deserialize(const engine::Bytes& bytes);
};

/// Reads a campaign file, what it includes, its reference files and its logs of outages. Throws
/// ConfigErrors when one cannot be read (naming the line that refers to it) or an include goes
/// round in a circle.
CampaignSource load_source(const std::filesystem::path& path);

}  // namespace schedfarm::app
