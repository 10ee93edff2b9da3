#include "engine/farm/transport/messages.hpp"

#include <fmt/format.h>

#include "engine/farm/task_codec.hpp"

namespace schedfarm::engine {

namespace {

template <typename Kind>
Kind read_kind(ByteReader& reader, Kind last) {
    const std::uint8_t value = reader.u8();
    if (value > static_cast<std::uint8_t>(last)) {
        throw SerializationError(fmt::format("{} is no kind of message", value));
    }
    return static_cast<Kind>(value);
}

void write(ByteWriter& writer, const RankOverhead& rank) {
    writer.u32(rank.rank);
    writer.text(rank.host);
    writer.u64(rank.tasks);
    writer.real(rank.busy_seconds);
    writer.real(rank.idle_seconds);
    writer.real(rank.dispatch_seconds);
    writer.real(rank.io_seconds);
}

RankOverhead read_rank_overhead(ByteReader& reader) {
    RankOverhead rank;
    rank.rank = reader.u32();
    rank.host = reader.text();
    rank.tasks = reader.u64();
    rank.busy_seconds = reader.real();
    rank.idle_seconds = reader.real();
    rank.dispatch_seconds = reader.real();
    rank.io_seconds = reader.real();
    return rank;
}

}  // namespace

Bytes encode(const Order& order) {
    ByteWriter writer;
    writer.u8(static_cast<std::uint8_t>(order.kind));
    writer.u32(static_cast<std::uint32_t>(order.tasks.size()));
    for (const Task& task : order.tasks) {
        write(writer, task);
    }
    return writer.take();
}

Bytes encode(const WorkerReport& report) {
    ByteWriter writer;
    writer.u8(static_cast<std::uint8_t>(report.kind));
    writer.text(report.host);
    writer.u32(static_cast<std::uint32_t>(report.results.size()));
    for (const TaskResult& result : report.results) {
        write(writer, result);
    }
    writer.u32(static_cast<std::uint32_t>(report.ranks.size()));
    for (const RankOverhead& rank : report.ranks) {
        write(writer, rank);
    }
    return writer.take();
}

Order decode_order(const Bytes& bytes) {
    ByteReader reader(bytes);
    Order order;
    order.kind = read_kind(reader, OrderKind::stop);
    const std::uint32_t count = reader.u32();
    for (std::uint32_t i = 0; i < count; ++i) {
        order.tasks.push_back(read_task(reader));
    }
    reader.expect_end();
    return order;
}

WorkerReport decode_report(const Bytes& bytes) {
    ByteReader reader(bytes);
    WorkerReport report;
    report.kind = read_kind(reader, ReportKind::farewell);
    report.host = reader.text();
    const std::uint32_t count = reader.u32();
    for (std::uint32_t i = 0; i < count; ++i) {
        report.results.push_back(read_task_result(reader));
    }
    const std::uint32_t ranks = reader.u32();
    for (std::uint32_t i = 0; i < ranks; ++i) {
        report.ranks.push_back(read_rank_overhead(reader));
    }
    reader.expect_end();
    return report;
}

}  // namespace schedfarm::engine
