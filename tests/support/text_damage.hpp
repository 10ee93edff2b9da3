// Damages to texts that a seed determines, shared by the tests that feed damaged logs and
// campaigns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "tests/support/dice.hpp"

namespace schedfarm::tests {

/// How long a piece may be, and the characters that mean something in files of this kind.
struct DamageSizes {
    std::size_t longest_piece = 1;
    std::string_view specials;
};

/// What any file may suffer: a bit is flipped, a piece is lost or doubled, or a foreign character
/// comes in. REQUIRES: text is not empty.
inline void damage_bytes(std::string& text, const DamageSizes& sizes, Dice& dice) {
    const std::size_t begin = dice.below(text.size());
    const std::size_t size =
        std::min<std::size_t>(1 + dice.below(sizes.longest_piece), text.size() - begin);
    switch (dice.below(4)) {
        case 0:
            text[begin] = static_cast<char>(text[begin] ^ (1 << dice.below(8)));
            return;
        case 1:
            text.erase(begin, size);
            return;
        case 2:
            text.insert(begin, text.substr(dice.below(text.size()), size));
            return;
        default:
            text.insert(begin, 1, sizes.specials[dice.below(sizes.specials.size())]);
    }
}

}  // namespace schedfarm::tests
