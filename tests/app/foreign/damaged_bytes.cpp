#include "tests/app/foreign/damaged_bytes.hpp"

#include <algorithm>

#include "tests/app/foreign/random_choice.hpp"

namespace schedfarm::tests {

namespace {

std::string random_bytes(RandomChoice& choice, std::size_t count) {
    std::string bytes(count, '\0');
    for (char& byte : bytes) {
        byte = static_cast<char>(choice.bits());
    }
    return bytes;
}

void damage(std::string& bytes, RandomChoice& choice) {
    const std::size_t at = choice.below(bytes.size());
    const std::size_t length = std::min(bytes.size() - at, 1 + choice.below(200));
    switch (choice.below(8)) {
        case 0:
        case 1:
            if (!bytes.empty()) {
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << choice.below(8)));
            }
            break;
        case 2:
            bytes.replace(at, length, random_bytes(choice, length));
            break;
        case 3:
            bytes.erase(at, length);
            break;
        case 4:
            bytes.insert(at, bytes.substr(choice.below(bytes.size()), length));
            break;
        case 5:
            bytes.replace(at, length, length, '\0');
            break;
        case 6:
            bytes.resize(at);
            break;
        default:
            bytes += random_bytes(choice, 1 + choice.below(300));
            break;
    }
}

}  // namespace

std::string damaged_bytes(std::string bytes, std::uint64_t seed) {
    RandomChoice choice(seed);
    for (std::size_t damages = 1 + choice.below(3); damages > 0; --damages) {
        damage(bytes, choice);
    }
    return bytes;
}

std::string noise(const std::string& beginning, std::uint64_t seed) {
    RandomChoice choice(seed);
    const std::size_t kept = choice.once_in(3) ? 0 : choice.below(64);
    return beginning.substr(0, kept) + random_bytes(choice, choice.below(2000));
}

}  // namespace schedfarm::tests
