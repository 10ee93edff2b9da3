// Every word of a site's files: what it is in the model, and for numbers and times the range. One
// table serves the reader, its messages and the page that lists them. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedfarm::policies::slurm {

/// Where a word stands.
enum class Place : std::uint8_t { conf, parameter, node, partition, reservation, association, qos };

enum class Use : std::uint8_t {
    modelled,
    harmless,               ///< touches no schedule: the note says why
    refused,                ///< would change schedules: the note is the word that accepts it
    refused_if_preempting,  ///< likewise, where jobs may be sent away
};

enum class Kind : std::uint8_t { text, number, time, fraction, flag };

/// What may stand behind a word.
struct Values {
    Kind kind = Kind::text;
    std::int64_t least = 0;  ///< of numbers; of times in seconds
    std::int64_t most = 0;
    std::string_view unit = {};
    bool may_be_unlimited = false;
    std::string_view idle = {};  ///< of a refused one: values that change nothing, divided by |
};

struct Key : Values {
    Place place = Place::conf;
    std::string_view name = {};  ///< in small letters, without blanks
    Use use = Use::modelled;
    std::string_view note = {};  ///< of a modelled one: what it is
};

/// Nothing where there is no such word.
const Key* find_key(Place place, std::string_view name);

/// In the order of the table.
const std::vector<Key>& site_keys();

/// The command that prints every column that is read.
std::string dump_command(Place place);

}  // namespace schedfarm::policies::slurm
