#include "campaigns/certify/certificate_work.hpp"

#include <algorithm>

#include "engine/farm/serialization.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::campaigns {

namespace {

/// Which macro-runs of which row a task is; packed into the farm's task id.
struct BlockId {
    std::uint32_t row = 0;
    std::uint32_t first = 0;

    engine::TaskId task_id() const { return {(std::uint64_t{row} << 32) | first}; }
    static BlockId of(engine::TaskId id) {
        return {static_cast<std::uint32_t>(id.value >> 32), static_cast<std::uint32_t>(id.value)};
    }
};

void encode(const MacroRun& run, engine::ByteWriter& writer) {
    writer.real(run.relative_error);
    writer.real(run.half_width);
    writer.u64(run.used);
    writer.u8(run.covers ? 1 : 0);
    writer.u8(run.is_complete ? 1 : 0);
    writer.u8(run.is_same_in_order ? 1 : 0);
    writer.real(run.cpu_seconds);
}

MacroRun decode(engine::ByteReader& reader) {
    MacroRun run;
    run.relative_error = reader.real();
    run.half_width = reader.real();
    run.used = reader.u64();
    run.covers = reader.u8() != 0;
    run.is_complete = reader.u8() != 0;
    run.is_same_in_order = reader.u8() != 0;
    run.cpu_seconds = reader.real();
    return run;
}

}  // namespace

engine::TaskFunction macro_run_function(const std::vector<CertificateRow>& rows) {
    return [&rows](const engine::Bytes& payload) {
        engine::ByteReader reader(payload);
        const CertificateRow& row = rows.at(reader.u32());
        const std::uint32_t first = reader.u32();
        const std::uint32_t end = first + reader.u32();
        engine::ByteWriter writer;
        for (std::uint32_t number = first; number < end; ++number) {
            encode(run_macro_run(row, number), writer);
        }
        return writer.take();
    };
}

CertificateWork::CertificateWork(const std::vector<CertificateRow>& rows, std::uint32_t macro_runs)
    : rows_(rows), macro_runs_(macro_runs), measured_(rows.size()) {
    SCHEDFARM_EXPECT(macro_runs >= 2, "coverage from fewer than two macro-runs");
    for (Measured& row : measured_) {
        row.runs.resize(macro_runs);
    }
}

std::uint64_t CertificateWork::blocks() const {
    const std::uint64_t per_row = (macro_runs_ + block_of_macro_runs - 1) / block_of_macro_runs;
    return per_row * rows_.size();
}

std::optional<engine::Task> CertificateWork::next_task() {
    if (finished()) {
        return std::nullopt;
    }
    const BlockId id{
        static_cast<std::uint32_t>(next_ % rows_.size()),
        static_cast<std::uint32_t>(next_ / rows_.size()) * block_of_macro_runs};
    ++next_;
    const std::uint32_t count = std::min(block_of_macro_runs, macro_runs_ - id.first);
    engine::ByteWriter payload;
    payload.u32(id.row);
    payload.u32(id.first);
    payload.u32(count);
    const Measured& row = measured_[id.row];
    const double predicted_seconds = row.done == 0 ? 0 : row.seconds / row.done * count;
    return engine::Task{id.task_id(), payload.take(), predicted_seconds};
}

void CertificateWork::accept(const engine::TaskResult& result) {
    const BlockId id = BlockId::of(result.id);
    SCHEDFARM_EXPECT(id.row < rows_.size() && id.first < macro_runs_, "a result of no block");
    Measured& row = measured_[id.row];
    const std::uint32_t count = std::min(block_of_macro_runs, macro_runs_ - id.first);
    if (result.status == engine::TaskStatus::done) {
        engine::ByteReader reader(result.payload);
        for (std::uint32_t number = id.first; number < id.first + count; ++number) {
            row.runs[number] = decode(reader);
        }
        reader.expect_end();
    } else {
        row.failures[id.first] = result.message;
    }
    row.seconds += result.seconds;
    row.done += count;
    done_ += count;
}

std::vector<RowResult> CertificateWork::results() const {
    SCHEDFARM_EXPECT(done_ == macro_runs_wanted(), "a certificate that is not complete");
    std::vector<RowResult> results;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Measured& row = measured_[i];
        results.push_back(
            row.failures.empty() ? judge(rows_[i], row.runs)
                                 : failed_row(row.failures.begin()->second)
        );
    }
    return results;
}

}  // namespace schedfarm::campaigns
