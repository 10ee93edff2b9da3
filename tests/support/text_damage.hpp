// Damages to texts that a seed determines, shared by the tests that feed damaged logs and
// campaigns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/foundation/hash.hpp"

namespace schedfarm::tests {

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : state_(engine::mix(seed + 1)) {}
    /// Below n; 0 when n is 0.
    std::size_t below(std::size_t n) {
        state_ = engine::mix(state_ + 0x9e3779b97f4a7c15U);
        return n == 0 ? 0 : static_cast<std::size_t>(state_ % n);
    }

  private:
    std::uint64_t state_;
};

/// What any file may suffer.
enum class ByteDamage : std::uint8_t { flipped_bit, lost_piece, doubled_piece, foreign_character };

/// How long a piece may be, and the characters that mean something in files of this kind.
struct DamageSizes {
    std::size_t longest_piece = 1;
    std::string_view specials;
};

inline void damage_bytes(
    std::string& text, ByteDamage damage, const DamageSizes& sizes, Dice& dice
) {
    const std::size_t begin = dice.below(text.size());
    const std::size_t size = std::min(1 + dice.below(sizes.longest_piece), text.size() - begin);
    switch (damage) {
        case ByteDamage::flipped_bit:
            if (!text.empty()) {
                text[begin] = static_cast<char>(text[begin] ^ (1 << dice.below(8)));
            }
            return;
        case ByteDamage::lost_piece:
            text.erase(begin, size);
            return;
        case ByteDamage::doubled_piece:
            text.insert(begin, text.substr(dice.below(text.size()), size));
            return;
        case ByteDamage::foreign_character:
            text.insert(begin, 1, sizes.specials[dice.below(sizes.specials.size())]);
    }
}

}  // namespace schedfarm::tests
