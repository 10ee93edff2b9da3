#include "engine/farm/journal/journal_format.hpp"

#include <limits>

#include "engine/farm/journal/crc32c.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::size_t kind_offset = 8;  // after length and checksum

}  // namespace

Bytes encode_record(JournalRecordKind kind, std::span<const std::byte> body) {
    SCHEDFARM_EXPECT(
        body.size() <= std::numeric_limits<std::uint32_t>::max(),
        "a journal record of 4 GiB or more"
    );
    ByteWriter checked;
    checked.u8(static_cast<std::uint8_t>(kind));
    Bytes tail = checked.take();
    tail.insert(tail.end(), body.begin(), body.end());
    ByteWriter record;
    record.u32(static_cast<std::uint32_t>(body.size()));
    record.u32(crc32c(tail));
    Bytes bytes = record.take();
    bytes.insert(bytes.end(), tail.begin(), tail.end());
    return bytes;
}

std::optional<RecordView> next_record(std::span<const std::byte> bytes) {
    if (bytes.size() < record_overhead) {
        return std::nullopt;
    }
    ByteReader reader(bytes);
    const std::size_t length = reader.u32();
    const std::uint32_t checksum = reader.u32();
    if (bytes.size() - record_overhead < length) {
        return std::nullopt;
    }
    if (crc32c(bytes.subspan(kind_offset, 1 + length)) != checksum) {
        return std::nullopt;
    }
    return RecordView{
        static_cast<JournalRecordKind>(reader.u8()), bytes.subspan(record_overhead, length)};
}

Bytes encode_header(const JournalHeader& header) {
    ByteWriter writer;
    writer.u32(header.format);
    writer.text(header.program_version);
    writer.text(header.campaign_name);
    writer.text(header.plan_hash);
    writer.text(header.campaign);
    writer.text(header.cell_keys);
    return writer.take();
}

Bytes encode_suspects(const std::vector<Suspect>& suspects) {
    ByteWriter writer;
    writer.u32(static_cast<std::uint32_t>(suspects.size()));
    for (const Suspect& suspect : suspects) {
        writer.u64(suspect.id.value);
        writer.u32(suspect.deaths);
        writer.u32(suspect.blames);
    }
    return writer.take();
}

std::vector<Suspect> decode_suspects(std::span<const std::byte> body) {
    ByteReader reader(body);
    std::vector<Suspect> suspects;
    const std::uint32_t count = reader.u32();
    for (std::uint32_t i = 0; i < count; ++i) {
        Suspect suspect;
        suspect.id = TaskId{reader.u64()};
        suspect.deaths = reader.u32();
        suspect.blames = reader.u32();
        suspects.push_back(suspect);
    }
    reader.expect_end();
    return suspects;
}

JournalHeader decode_header(std::span<const std::byte> body) {
    ByteReader reader(body);
    JournalHeader header;
    header.format = reader.u32();
    if (header.format != journal_format) {
        return header;
    }
    header.program_version = reader.text();
    header.campaign_name = reader.text();
    header.plan_hash = reader.text();
    header.campaign = reader.text();
    header.cell_keys = reader.text();
    reader.expect_end();
    return header;
}

}  // namespace schedfarm::engine
