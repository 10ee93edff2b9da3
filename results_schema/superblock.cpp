#include "results_schema/superblock.hpp"

#include <array>
#include <bit>
#include <cstdint>

#include "engine/foundation/expect.hpp"

namespace schedfarm::results_schema {

namespace {

constexpr std::size_t version_at = 8;
constexpr std::size_t offset_size_at = 9;
constexpr std::size_t marks_at = 11;
constexpr std::size_t end_at = 28;
constexpr std::size_t checksum_at = 44;

bool is_known(std::span<const std::byte> start) {
    return start.size() >= superblock_size
           && (start[version_at] == std::byte{2} || start[version_at] == std::byte{3})
           && start[offset_size_at] == std::byte{8};
}

std::uint32_t load_word(std::span<const std::byte> bytes, std::size_t at) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4 && at + i < bytes.size(); ++i) {
        word |= std::to_integer<std::uint32_t>(bytes[at + i]) << (8 * i);
    }
    return word;
}

/// Bob Jenkins' lookup3 hash `hashlittle` with seed 0, HDF5's metadata checksum.
std::uint32_t lookup3(std::span<const std::byte> bytes) {
    std::uint32_t a = 0xdeadbeefU + static_cast<std::uint32_t>(bytes.size());
    std::uint32_t b = a;
    std::uint32_t c = a;
    const auto step = [](std::uint32_t& changed, std::uint32_t by, int rotation) {
        changed = (changed - by) ^ std::rotl(by, rotation);
    };
    const auto last_step = [](std::uint32_t& changed, std::uint32_t by, int rotation) {
        changed = (changed ^ by) - std::rotl(by, rotation);
    };
    for (; bytes.size() > 12; bytes = bytes.subspan(12)) {
        a += load_word(bytes, 0);
        b += load_word(bytes, 4);
        c += load_word(bytes, 8);
        for (const std::array<int, 3> rotations : {std::array{4, 6, 8}, std::array{16, 19, 4}}) {
            step(a, c, rotations[0]);
            c += b;
            step(b, a, rotations[1]);
            a += c;
            step(c, b, rotations[2]);
            b += a;
        }
    }
    a += load_word(bytes, 0);
    b += load_word(bytes, 4);
    c += load_word(bytes, 8);
    last_step(c, b, 14);
    last_step(a, c, 11);
    last_step(b, a, 25);
    last_step(c, b, 16);
    last_step(a, c, 4);
    last_step(b, a, 14);
    last_step(c, b, 24);
    return c;
}

}  // namespace

std::optional<std::uint64_t> end_of_data(std::span<const std::byte> start) {
    if (!is_known(start)) {
        return std::nullopt;
    }
    return load_word(start, end_at) | (std::uint64_t{load_word(start, end_at + 4)} << 32);
}

void close_superblock(std::span<std::byte> image) {
    SCHEDFARM_EXPECT(is_known(image), "an HDF5 image with another kind of superblock");
    image[marks_at] = std::byte{0};
    const std::uint32_t checksum = lookup3(image.first(checksum_at));
    for (std::size_t i = 0; i < 4; ++i) {
        image[checksum_at + i] = static_cast<std::byte>(checksum >> (8 * i));
    }
}

}  // namespace schedfarm::results_schema
