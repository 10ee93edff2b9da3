// Small damages to a text, as a tired user or a bad disk would do them.
#pragma once

#include <cstdint>
#include <string>

namespace schedfarm::app::tests {

/// One to three of: flipped byte, deleted piece, doubled piece, replaced number, exchanged words,
/// exchanged lines. A pure function of text and seed.
std::string mutated(const std::string& text, std::uint64_t seed);

}  // namespace schedfarm::app::tests
