// A campaign and its includes as one tree. An included file lies below the file that includes it:
// sections are merged key by key where their keys say different things (not `load`, `policy`),
// everything else is replaced as a whole. Among several includes the later wins.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"
#include "app/campaign/yaml/source.hpp"

namespace schedfarm::app {

/// The name, in positions and in CampaignSource::files, of a file that `from` refers to.
std::string referred_name(const std::string& from, const std::string& text);

/// The scalars of `include`, be it one or a list; what is no scalar is left out.
std::vector<Node> included_names(const Node& file);

/// Puts `above` over `below`.
Node merged(const Node& below, const Node& above);

/// Reads and merges all files of a campaign. Throws ConfigErrors for what is not YAML; a malformed
/// `include` is added to the problems. The result has no key `include`.
Node read_campaign(const CampaignSource& source, Problems& problems);

}  // namespace schedfarm::app
