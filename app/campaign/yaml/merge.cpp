#include "app/campaign/yaml/merge.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "app/campaign/keys/schema.hpp"
#include "app/campaign/yaml/reader.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

constexpr std::array<std::string_view, 11> merged_sections{
    "system",
    "workload",
    "horizon",
    "random_numbers",
    "pilot",
    "precision",
    "claims",
    "job_log",
    "report",
    "factors",
    "derived"};

bool is_merged(std::string_view key) {
    return contains(merged_sections, key);
}

/// What says how many replications there are replaces what an included file says of it.
bool is_excluded(std::string_view key, const Node& above) {
    constexpr std::array<std::string_view, 3> deciders{"replications", "precision", "selection"};
    return contains(deciders, key)
           && std::any_of(deciders.begin(), deciders.end(), [&](std::string_view other) {
                  return above.find(other) != nullptr;
              });
}

/// Own keys first, then those that only the included map has.
Node merged_section(const Node& below, const Node& above) {
    Node result = above;
    for (const Node::Entry& entry : below.entries) {
        if (above.find(entry.key) == nullptr) {
            result.entries.push_back(entry);
        }
    }
    return result;
}

/// Within the section claims: quantities and names of both, the list of claims one behind the
/// other.
void merge_claims(const Node& below, Node& above) {
    for (const char* path : {"claims.quantities", "claims.names"}) {
        const Node* first = find_path(below, path);
        const Node* own = find_path(above, path);
        if (first != nullptr && own != nullptr && first->is_map() && own->is_map()) {
            set_path(above, path, merged_section(*first, *own), own->at);
        }
    }
    const Node* first = find_path(below, "claims.list");
    const Node* own = find_path(above, "claims.list");
    if (first != nullptr && own != nullptr && first->is_list() && own->is_list()) {
        Node list = *own;
        list.items.insert(list.items.begin(), first->items.begin(), first->items.end());
        set_path(above, "claims.list", list, list.at);
    }
}

/// Of a file that is something else nothing may be quoted.
bool has_key_of_campaign(const Node& tree) {
    const auto& known = campaign_section().keys;
    return std::any_of(known.begin(), known.end(), [&](const auto& row) {
        return tree.find(row.name) != nullptr;
    });
}

Node read_with_includes(
    const CampaignSource& source,
    const std::string& name,
    const std::vector<std::string>& chain,
    Problems& problems
) {
    Node own = read_yaml(name, source.files.at(name), source.folder);
    if (!own.is_map()) {
        throw_problem(
            own.at, "a campaign is a mapping of keys to values", "Begin with 'campaign_format: 1'."
        );
    }
    if (chain.size() > 1 && !has_key_of_campaign(own)) {
        throw_problem(
            {name, 0, 0}, "it is included, and is no part of a campaign (it has none of its keys)"
        );
    }
    const Node* include = own.find("include");
    const bool is_names =
        include == nullptr || include->is_scalar()
        || (include->is_list() && include->items.size() == included_names(own).size());
    if (!is_names) {
        problems.add(
            include->at, "include", "'include' must be a list of file names", "Write [common.yaml]."
        );
    }
    Node below = Node::map(own.at);
    for (const Node& item : included_names(own)) {
        const std::string included = referred_name(name, item.scalar);
        const bool is_circle = contains(chain, included);
        if (is_circle || !source.files.contains(included)) {
            problems.add(
                item.at, "include", "'" + item.scalar + "' is not among the campaign's files"
            );
            continue;
        }
        std::vector<std::string> longer = chain;
        longer.push_back(included);
        below = merged(below, read_with_includes(source, included, longer, problems));
    }
    own.erase("include");
    return merged(below, own);
}

}  // namespace

std::string referred_name(const std::string& from, const std::string& text) {
    const std::filesystem::path folder = std::filesystem::path(from).parent_path();
    return (folder / text).lexically_normal().generic_string();
}

std::vector<Node> included_names(const Node& file) {
    std::vector<Node> names;
    const Node* include = file.find("include");
    if (include == nullptr) {
        return names;
    }
    if (include->is_scalar()) {
        names.push_back(*include);
    }
    for (const Node& item : include->items) {
        if (item.is_scalar()) {
            names.push_back(item);
        }
    }
    return names;
}

Node merged(const Node& below, const Node& above) {
    Node result = above;
    merge_claims(below, result);
    for (const Node::Entry& entry : below.entries) {
        const Node* own = result.find(entry.key);
        if (own == nullptr && !is_excluded(entry.key, above)) {
            result.entries.push_back(entry);
        } else if (own != nullptr && own->is_map() && entry.value->is_map() && is_merged(entry.key)) {
            result.find_entry(entry.key)->value = merged_section(entry.value, *own);
        }
    }
    return result;
}

Node read_campaign(const CampaignSource& source, Problems& problems) {
    return read_with_includes(source, source.main_file, {source.main_file}, problems);
}

}  // namespace schedfarm::app
