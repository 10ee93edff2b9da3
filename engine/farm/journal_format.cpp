#include "engine/farm/journal_format.hpp"

#include <limits>

#include "engine/farm/crc32c.hpp"
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
    return writer.take();
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
    reader.expect_end();
    return header;
}

}  // namespace schedfarm::engine
