// How often foreign files were refused and accepted, by kind of damage and command; written as a
// page where SCHEDFARM_FOREIGN_PAGE names a file.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tests/app/foreign/guarded_command.hpp"

namespace schedfarm::tests {

struct Tally {
    std::uint64_t refused = 0;
    std::uint64_t accepted = 0;
};

/// By damage, then by command.
using Tallies = std::map<std::string, std::map<std::string, Tally>>;

/// Prints a summary line; replaces the section `title` of the page, if one is asked for.
void record_tallies(const std::string& title, std::uint64_t files, const Tallies& tallies);

/// SCHEDFARM_MUTATIONS files in all, by default 250, in the long form 1,000: a share of them, at
/// least 1.
std::uint64_t mutations(double share);
/// SCHEDFARM_MUTATION_SEED, 0 unless told.
std::uint64_t first_seed();

}  // namespace schedfarm::tests
