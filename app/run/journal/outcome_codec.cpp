#include "app/run/journal/outcome_codec.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/farm/transport/serialization.hpp"

namespace schedfarm::app {

namespace {

/// A group of this kind has a line of versions for its name.
constexpr std::string_view versions_kind = "versions";

std::string_view status_word(engine::TaskStatus status) {
    switch (status) {
        case engine::TaskStatus::done:
            return "done";
        case engine::TaskStatus::failed:
            return "failed";
        case engine::TaskStatus::timeout:
            return "timeout";
        case engine::TaskStatus::crashed:
            return "crashed";
    }
    return "failed";
}

void encode_sketch(const engine::SketchBuckets& sketch, engine::ByteWriter& writer) {
    writer.u32(static_cast<std::uint32_t>(sketch.size()));
    for (const engine::SketchBucket& bucket : sketch) {
        writer.u32(static_cast<std::uint32_t>(bucket.index));
        writer.u64(bucket.count);
    }
}

engine::SketchBuckets decode_sketch(engine::ByteReader& reader) {
    engine::SketchBuckets sketch;
    const std::uint32_t count = reader.u32();
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto index = static_cast<std::int32_t>(reader.u32());
        sketch.push_back({index, reader.u64()});
    }
    return sketch;
}

void encode_group(const engine::GroupAgreement& group, engine::ByteWriter& writer) {
    writer.text(group.kind);
    writer.text(group.name);
    writer.u64(group.values.n);
    for (const double value :
         {group.values.recorded_mean,
          group.values.modelled_mean,
          group.values.share_within,
          group.values.rank_agreement}) {
        writer.real(value);
    }
}

engine::GroupAgreement decode_group(engine::ByteReader& reader) {
    engine::GroupAgreement group;
    group.kind = reader.text();
    group.name = reader.text();
    group.values.n = reader.u64();
    group.values.recorded_mean = reader.real();
    group.values.modelled_mean = reader.real();
    group.values.share_within = reader.real();
    group.values.rank_agreement = reader.real();
    return group;
}

std::vector<double> decode_reals(engine::ByteReader& reader) {
    const std::uint32_t count = reader.u32();
    std::vector<double> values;
    values.reserve(std::min<std::size_t>(count, reader.remaining() / sizeof(double)));
    for (std::uint32_t i = 0; i < count; ++i) {
        values.push_back(reader.real());
    }
    return values;
}

/// Leaves what follows them.
engine::Observations decode(engine::ByteReader& reader) {
    engine::Observations observations;
    observations.fingerprint = reader.u64();
    observations.jobs = reader.u64();
    observations.values = decode_reals(reader);
    observations.events = reader.u64();
    if (reader.u8() != 0) {
        const double time = reader.real();
        observations.overflow = engine::QueueOverflow{time, reader.u64()};
    }
    observations.series = decode_reals(reader);
    const std::uint32_t sketches = reader.u32();
    for (std::uint32_t i = 0; i < sketches; ++i) {
        observations.sketches.push_back(decode_sketch(reader));
    }
    return observations;
}

/// What stands behind the observations, to the end.
struct Appendix {
    std::vector<engine::GroupAgreement> groups;
    std::vector<std::string> versions;
};

Appendix decode_appendix(engine::ByteReader& reader) {
    Appendix appendix;
    while (reader.remaining() > 0) {
        engine::GroupAgreement group = decode_group(reader);
        if (group.kind == versions_kind) {
            appendix.versions.push_back(std::move(group.name));
        } else {
            appendix.groups.push_back(std::move(group));
        }
    }
    return appendix;
}

}  // namespace

engine::TaskId ReplicationId::task_id() const {
    return {(std::uint64_t{cell} << 32) | replication};
}

ReplicationId ReplicationId::of(engine::TaskId id) {
    return {static_cast<std::uint32_t>(id.value >> 32), static_cast<std::uint32_t>(id.value)};
}

engine::Bytes encode(const ReplicationTask& task) {
    engine::ByteWriter writer;
    writer.u64(task.id.task_id().value);
    writer.u8(task.utilization ? 1 : 0);
    if (task.utilization) {
        writer.real(*task.utilization);
    }
    writer.u8(task.is_suspect ? 1 : 0);
    return writer.take();
}

ReplicationTask decode_task(const engine::Bytes& bytes) {
    engine::ByteReader reader(bytes);
    ReplicationTask task;
    task.id = ReplicationId::of({reader.u64()});
    if (reader.u8() != 0) {
        task.utilization = reader.real();
    }
    task.is_suspect = reader.u8() != 0;
    reader.expect_end();
    return task;
}

engine::Bytes encode(
    const engine::Observations& observations,
    std::span<const engine::GroupAgreement> logged_waits,
    std::span<const std::string> versions
) {
    engine::ByteWriter writer;
    writer.u64(observations.fingerprint);
    writer.u64(observations.jobs);
    writer.u32(static_cast<std::uint32_t>(observations.values.size()));
    for (const double value : observations.values) {
        writer.real(value);
    }
    writer.u64(observations.events);
    writer.u8(observations.overflow ? 1 : 0);
    if (observations.overflow) {
        writer.real(observations.overflow->time);
        writer.u64(observations.overflow->jobs_submitted);
    }
    writer.u32(static_cast<std::uint32_t>(observations.series.size()));
    for (const double value : observations.series) {
        writer.real(value);
    }
    writer.u32(static_cast<std::uint32_t>(observations.sketches.size()));
    for (const engine::SketchBuckets& sketch : observations.sketches) {
        encode_sketch(sketch, writer);
    }
    for (const engine::GroupAgreement& group : logged_waits) {  // to the end
        encode_group(group, writer);
    }
    for (const std::string& line : versions) {
        encode_group({std::string(versions_kind), line, {}}, writer);
    }
    return writer.take();
}

engine::Observations decode_observations(const engine::Bytes& bytes) {
    engine::ByteReader reader(bytes);
    engine::Observations observations = decode(reader);
    decode_appendix(reader);
    return observations;
}

ReplicationOutcome outcome_of(const engine::TaskResult& result) {
    ReplicationOutcome outcome;
    outcome.seconds = result.seconds;
    outcome.rank = result.rank;
    outcome.began_s = result.began_s;
    outcome.run_began_s = result.run_began_s;
    if (result.status == engine::TaskStatus::done) {
        engine::ByteReader reader(result.payload);
        outcome.observations = decode(reader);
        Appendix appendix = decode_appendix(reader);
        outcome.logged_waits = std::move(appendix.groups);
        outcome.versions = std::move(appendix.versions);
    } else {
        outcome.failure = result.message;
        outcome.failure_status = status_word(result.status);
    }
    return outcome;
}

}  // namespace schedfarm::app
