#include "app/run/journal/task_message.hpp"

#include "engine/farm/transport/serialization.hpp"

namespace schedfarm::app {

engine::Bytes task_message(const ReplicationTask& task, const engine::Bytes& cell) {
    engine::ByteWriter writer;
    writer.bytes(encode(task));
    writer.bytes(cell);
    return writer.take();
}

ReceivedTask read_task_message(const engine::Bytes& message) {
    engine::ByteReader reader(message);
    ReceivedTask received;
    received.task = decode_task(reader.bytes());
    received.cell = reader.bytes();
    reader.expect_end();
    return received;
}

}  // namespace schedfarm::app
