#include "tests/app/campaign/mutation.hpp"

#include <cctype>
#include <cstddef>
#include <utility>
#include <vector>

#include "tests/support/text_damage.hpp"

namespace schedfarm::app::tests {

namespace {

using schedfarm::tests::Dice;

struct Piece {
    std::size_t begin = 0;
    std::size_t size = 0;
};

/// Longest runs of characters of which `belongs` is true.
template <typename Predicate>
std::vector<Piece> runs_of(const std::string& text, Predicate belongs) {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!belongs(text[i])) {
            continue;
        }
        const std::size_t begin = i;
        while (i < text.size() && belongs(text[i])) {
            ++i;
        }
        pieces.push_back({begin, i - begin});
    }
    return pieces;
}

bool is_digit(char c) {
    return (c >= '0' && c <= '9') || c == '.';
}
bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_line(char c) {
    return c != '\n';
}

void exchange(std::string& text, const std::vector<Piece>& pieces, Dice& dice) {
    if (pieces.size() < 2) {
        return;
    }
    Piece a = pieces[dice.below(pieces.size())];
    Piece b = pieces[dice.below(pieces.size())];
    if (a.begin > b.begin) {
        std::swap(a, b);
    }
    if (a.begin == b.begin) {
        return;
    }
    const std::string first = text.substr(a.begin, a.size);
    const std::string second = text.substr(b.begin, b.size);
    text.replace(b.begin, b.size, first);
    text.replace(a.begin, a.size, second);
}

void replace_number(std::string& text, Dice& dice) {
    static const char* const numbers[] = {
        "0",    "1",  "-1",  "2",     "3",     "0.5",  "0.25", "7",
        "1e3",  "33", "100", "1e308", "1e999", ".nan", ".inf", "99999999999999999999",
        "0x10", "1.", "",    "4",     "8",     "16",   "1000", "\"5\""};
    const auto pieces = runs_of(text, is_digit);
    if (!pieces.empty()) {
        const Piece piece = pieces[dice.below(pieces.size())];
        text.replace(piece.begin, piece.size, numbers[dice.below(std::size(numbers))]);
    }
}

void damage(std::string& text, Dice& dice) {
    const schedfarm::tests::DamageSizes sizes{20, "{}[]:,#&*!|>'\"%@`-? \n\t\xff"};
    switch (dice.below(8)) {
        case 0:
            exchange(text, runs_of(text, is_word), dice);
            return;
        case 1:
            exchange(text, runs_of(text, is_line), dice);
            return;
        case 2:
        case 3:
            replace_number(text, dice);
            return;
        default:
            damage_bytes(text, sizes, dice);
    }
}

}  // namespace

std::string mutated(const std::string& text, std::uint64_t seed) {
    Dice dice(seed);
    std::string result = text;
    const std::size_t times = 1 + dice.below(3);
    for (std::size_t i = 0; i < times && !result.empty(); ++i) {
        damage(result, dice);
    }
    return result;
}

}  // namespace schedfarm::app::tests
