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

}  // namespace

Bytes encode(const Order& order) {
    ByteWriter writer;
    writer.u8(static_cast<std::uint8_t>(order.kind));
    writer.u32(static_cast<std::uint32_t>(order.tasks.size()));
    for (const Task& task : order.tasks) {
        write(writer, task);
    }
    writer.u32(static_cast<std::uint32_t>(order.bundle_sizes.size()));
    for (const std::uint32_t size : order.bundle_sizes) {
        writer.u32(size);
    }
    return writer.take();
}

Bytes encode(const WorkerReport& report) {
    ByteWriter writer;
    writer.u8(static_cast<std::uint8_t>(report.kind));
    writer.text(report.text);
    writer.u32(static_cast<std::uint32_t>(report.results.size()));
    for (const TaskResult& result : report.results) {
        write(writer, result);
    }
    writer.u32(report.first_rank);
    writer.u32(report.children);
    return writer.take();
}

Order decode_order(const Bytes& bytes) {
    ByteReader reader(bytes);
    Order order;
    order.kind = read_kind(reader, OrderKind::alive);
    const std::uint32_t count = reader.u32();
    for (std::uint32_t i = 0; i < count; ++i) {
        order.tasks.push_back(read_task(reader));
    }
    const std::uint32_t bundles = reader.u32();
    for (std::uint32_t i = 0; i < bundles; ++i) {
        order.bundle_sizes.push_back(reader.u32());
    }
    reader.expect_end();
    return order;
}

WorkerReport decode_report(const Bytes& bytes) {
    ByteReader reader(bytes);
    WorkerReport report;
    report.kind = read_kind(reader, ReportKind::alive);
    report.text = reader.text();
    const std::uint32_t count = reader.u32();
    for (std::uint32_t i = 0; i < count; ++i) {
        report.results.push_back(read_task_result(reader));
    }
    report.first_rank = reader.u32();
    report.children = reader.u32();
    reader.expect_end();
    return report;
}

}  // namespace schedfarm::engine
