#include "engine/farm/task_codec.hpp"

#include <fmt/format.h>

namespace schedfarm::engine {

namespace {

TaskStatus read_status(ByteReader& reader) {
    const std::uint8_t value = reader.u8();
    if (value > static_cast<std::uint8_t>(TaskStatus::crashed)) {
        throw SerializationError(fmt::format("{} is no task status", value));
    }
    return static_cast<TaskStatus>(value);
}

}  // namespace

void write(ByteWriter& writer, const Task& task) {
    writer.u64(task.id.value);
    writer.real(task.predicted_seconds);
    writer.bytes(task.payload);
}

void write(ByteWriter& writer, const TaskResult& result) {
    writer.u64(result.id.value);
    writer.u8(static_cast<std::uint8_t>(result.status));
    writer.u32(result.rank);
    writer.real(result.seconds);
    writer.bytes(result.payload);
    writer.text(result.message);
    writer.real(result.began_s);
    writer.real(result.run_began_s);
}

Task read_task(ByteReader& reader) {
    Task task;
    task.id.value = reader.u64();
    task.predicted_seconds = reader.real();
    task.payload = reader.bytes();
    return task;
}

TaskResult read_task_result(ByteReader& reader) {
    TaskResult result;
    result.id.value = reader.u64();
    result.status = read_status(reader);
    result.rank = reader.u32();
    result.seconds = reader.real();
    result.payload = reader.bytes();
    result.message = reader.text();
    result.began_s = reader.real();
    result.run_began_s = reader.real();
    return result;
}

TaskId read_id_of_result(ByteReader& reader) {
    const TaskId id{reader.u64()};
    read_status(reader);
    reader.u32();   // rank
    reader.real();  // seconds
    reader.view();  // payload
    reader.view();  // message
    reader.real();  // began_s
    reader.real();  // run_began_s
    return id;
}

}  // namespace schedfarm::engine
