#include "engine/farm/transport/serialization.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

std::uint32_t checked_length(std::size_t length) {
    SCHEDFARM_EXPECT(
        length <= std::numeric_limits<std::uint32_t>::max(),
        "a text or byte string of 4 GiB or more"
    );
    return static_cast<std::uint32_t>(length);
}

}  // namespace

void ByteWriter::append(std::uint64_t value, std::size_t width) {
    const auto bytes = std::as_bytes(std::span(&value, 1)).first(width);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void ByteWriter::u8(std::uint8_t value) {
    append(value, 1);
}

void ByteWriter::u32(std::uint32_t value) {
    append(value, 4);
}

void ByteWriter::u64(std::uint64_t value) {
    append(value, 8);
}

void ByteWriter::real(double value) {
    u64(std::bit_cast<std::uint64_t>(value));
}

void ByteWriter::text(std::string_view value) {
    bytes(std::as_bytes(std::span(value)));
}

void ByteWriter::bytes(std::span<const std::byte> value) {
    u32(checked_length(value.size()));
    bytes_.insert(bytes_.end(), value.begin(), value.end());
}

Bytes ByteWriter::take() {
    return std::exchange(bytes_, {});
}

std::span<const std::byte> ByteReader::next(std::size_t count) {
    if (count > rest_.size()) {
        throw SerializationError(
            fmt::format("serialized data ends early: {} bytes needed, {} left", count, rest_.size())
        );
    }
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
}

std::uint64_t ByteReader::integer(std::size_t width) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t value = 0;
    std::memcpy(&value, next(width).data(), width);
    return value;
}

std::uint8_t ByteReader::u8() {
    return static_cast<std::uint8_t>(integer(1));
}

std::uint32_t ByteReader::u32() {
    return static_cast<std::uint32_t>(integer(4));
}

std::uint64_t ByteReader::u64() {
    return integer(8);
}

double ByteReader::real() {
    return std::bit_cast<double>(u64());
}

std::string ByteReader::text() {
    const auto raw = view();
    return {reinterpret_cast<const char*>(raw.data()), raw.size()};
}

Bytes ByteReader::bytes() {
    const auto raw = view();
    return {raw.begin(), raw.end()};
}

std::span<const std::byte> ByteReader::view() {
    return next(u32());
}

void ByteReader::expect_end() const {
    if (!rest_.empty()) {
        throw SerializationError(fmt::format("serialized data has {} bytes too many", rest_.size())
        );
    }
}

}  // namespace schedfarm::engine
