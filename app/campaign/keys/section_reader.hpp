// The second step, for sections: reads what a table of the campaign file describes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/parameters.hpp"

#include "app/campaign/keys/schema.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// Values of keys for who lacks one.
using Examples = std::map<std::string, std::string>;

/// A key of the top level that must be there; the problem is added when it is not.
const Node* required_key(
    const Node& tree, const char* key, const std::string& suggestion, Problems& problems
);

/// "'load.search.threshold' is missing (…)", with the meaning of the key.
std::string missing_key_text(const Section& section, const std::string& key);

/// The values of a section with their defaults and those of the sections within; absent where a
/// value is wrong or missing. Null node: the section is not given; `at` is where keys are missing
/// then. A section within is a choice without a name.
std::optional<engine::Parameters> read_section(
    const Node* node,
    const Section& section,
    const SourcePosition& at,
    Problems& problems,
    const Examples& examples = {}
);

/// The same of a section at its place in a campaign or cell, be it there or not.
std::optional<engine::Parameters> read_section_in(
    const Node& tree, const Section& section, Problems& problems
);

// Of keys that may have been left out: absent, empty.
std::optional<double> real_in(const engine::Parameters& values, const char* key);
std::optional<std::uint64_t> count_in(const engine::Parameters& values, const char* key);
std::string text_in(const engine::Parameters& values, const char* key);
Names names_in(const engine::Parameters& values, const char* key);
/// Whether the word of a key is this one.
bool says(const engine::Parameters& values, const char* key, const char* word);
const engine::Parameters* section_in(const engine::Parameters& values, const char* key);
std::vector<const engine::Parameters*> sections_in(
    const engine::Parameters& values, const char* key
);

/// The words for the values of an enumeration, in their order; specialised as an array.
template <typename E>
inline constexpr auto words_of = nullptr;

template <typename E>
Names all_words_of() {
    return {words_of<E>.begin(), words_of<E>.end()};
}

/// REQUIRES: one of these words.
template <typename E>
E word_as(const std::string& word) {
    const auto found = std::find(words_of<E>.begin(), words_of<E>.end(), word);
    SCHEDFARM_EXPECT(found != words_of<E>.end(), "'" + word + "' is not one of the words");
    return static_cast<E>(found - words_of<E>.begin());
}

/// A list of names; what is no name is left out and told.
Names read_names(const Node& node, const std::string& key_path, Problems& problems);

/// The text of a key, of several lines if the user likes; empty where it is not there.
std::string read_prose(
    const Node& map, const std::string& key, const std::string& key_path, Problems& problems
);

/// A problem for the key of a map, if it is there.
void refuse_key(
    const Node& map,
    const std::string& key,
    const std::string& key_path,
    const std::string& reason,
    const std::string& suggestion,
    Problems& problems
);

struct KeyWithCount {
    const char* key;
    std::uint64_t count;
};

/// Whether the first count is not above the second; else a problem where one of them is written.
bool expect_in_order(
    const Node& node,
    const std::string& section,
    const KeyWithCount& low,
    const KeyWithCount& high,
    const char* consequence,
    Problems& problems
);

/// Two numbers of a list, the lower one first.
struct Interval {
    double low = 0;
    double high = 0;
};
enum class Ends : std::uint8_t { apart, may_meet };

/// Absent, with a problem, for anything else. REQUIRES: a list of numbers.
std::optional<Interval> interval_in(
    const engine::Parameters& values,
    const char* key,
    Ends ends,
    const Section& section,
    const Node& node,
    const char* example,
    Problems& problems
);

}  // namespace schedfarm::app
