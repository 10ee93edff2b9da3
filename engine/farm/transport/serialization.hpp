// Bytes that mean the same on every machine: little-endian integers, doubles by their bits, texts
// and byte strings with a length in front. For journals, messages and whatever a campaign stores
// in them. The reader checks every bound, so that damaged input is an exception, never a crash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/farm/task.hpp"

namespace schedfarm::engine {

/// The bytes read are not what was written: too short, too long, or an impossible value.
class SerializationError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class ByteWriter {
  public:
    void u8(std::uint8_t value);
    void u32(std::uint32_t value);
    void u64(std::uint64_t value);
    /// The bits of the double, so that every value including NaN survives unchanged.
    void real(double value);
    /// u32 length, then the characters. REQUIRES: shorter than 4 GiB.
    void text(std::string_view value);
    /// u32 length, then the bytes. REQUIRES: shorter than 4 GiB.
    void bytes(std::span<const std::byte> value);

    std::size_t size() const { return bytes_.size(); }
    const Bytes& view() const { return bytes_; }
    /// The bytes written; the writer is empty afterwards.
    Bytes take();

  private:
    void append(std::uint64_t value, std::size_t width);

    Bytes bytes_;
};

/// Reads what a ByteWriter wrote, in the same order. Every function throws SerializationError when
/// fewer bytes are left than it needs. The bytes outlive the reader.
class ByteReader {
  public:
    explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    std::uint8_t u8();
    std::uint32_t u32();
    std::uint64_t u64();
    double real();
    std::string text();
    Bytes bytes();
    /// Of text or bytes, where they are.
    std::span<const std::byte> view();

    std::size_t remaining() const { return rest_.size(); }
    /// Throws SerializationError when bytes are left over.
    void expect_end() const;

  private:
    std::span<const std::byte> next(std::size_t count);
    std::uint64_t integer(std::size_t width);

    std::span<const std::byte> rest_;
};

}  // namespace schedfarm::engine
