// How a journal looks in bytes; shared by its reader and its writer. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/farm/journal/journal.hpp"
#include "engine/farm/transport/serialization.hpp"

namespace schedfarm::engine {

/// The first line of the file. A newline in it keeps text tools from taking the rest for a line.
inline constexpr std::string_view journal_magic = "schedfarm journal\n";
inline constexpr std::uint32_t journal_format = 2;
/// Bytes before a record's body: length, checksum, kind.
inline constexpr std::size_t record_overhead = 4 + 4 + 1;

/// One record: length, checksum, kind, body. REQUIRES: a body shorter than 4 GiB.
Bytes encode_record(JournalRecordKind kind, std::span<const std::byte> body);

struct RecordView {
    JournalRecordKind kind;
    std::span<const std::byte> body;
};

/// The record at the front of `bytes`; absent when it is cut or does not match its checksum.
std::optional<RecordView> next_record(std::span<const std::byte> bytes);

Bytes encode_header(const JournalHeader& header);
Bytes encode_suspects(const std::vector<Suspect>& suspects);
/// Throws SerializationError.
std::vector<Suspect> decode_suspects(std::span<const std::byte> body);
/// Throws SerializationError. Of a header in a format that is not read only the format is read.
JournalHeader decode_header(std::span<const std::byte> body);

}  // namespace schedfarm::engine
