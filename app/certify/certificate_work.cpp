#include "app/certify/certificate_work.hpp"

#include <algorithm>

#include "engine/farm/transport/serialization.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::app {

namespace {

void encode(const MacroRun& run, engine::ByteWriter& writer) {
    writer.real(run.relative_error);
    writer.real(run.half_width);
    writer.u64(run.used);
    writer.u8(run.covers ? 1 : 0);
    writer.u8(run.is_complete ? 1 : 0);
    writer.u8(run.is_same_in_order ? 1 : 0);
    writer.text(run.end);
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
    run.end = reader.text();
    run.cpu_seconds = reader.real();
    return run;
}

}  // namespace

std::uint32_t Repetition::of(const Certificate& certificate) const {
    const std::uint32_t wanted =
        form == Form::full ? certificate.macro_runs : certificate.short_macro_runs;
    return macro_runs.value_or(wanted);
}

engine::TaskFunction macro_run_function(const std::vector<CertificateRow>& rows) {
    return [&rows](const engine::Bytes& payload) {
        engine::ByteReader reader(payload);
        std::vector<const CertificateRow*> measured(reader.u32());
        for (const CertificateRow*& row : measured) {
            row = &rows.at(reader.u32());
        }
        const std::uint32_t first = reader.u32();
        const std::uint32_t end = first + reader.u32();
        engine::ByteWriter writer;
        for (std::uint32_t number = first; number < end; ++number) {
            for (const MacroRun& run : run_macro_run(measured, number)) {
                encode(run, writer);
            }
        }
        return writer.take();
    };
}

CertificateWork::CertificateWork(
    const std::vector<CertificateRow>& rows, const Repetition& repetition
)
    : rows_(rows), runs_(rows.size()) {
    add_units(repetition);
    add_blocks();
}

void CertificateWork::add_units(const Repetition& repetition) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const std::uint32_t macro_runs = repetition.of(rows_[i].certificate);
        SCHEDFARM_EXPECT(macro_runs != 1, "coverage from fewer than two macro-runs");
        if (macro_runs == 0) {
            continue;
        }
        const auto shared = std::find_if(units_.begin(), units_.end(), [&](const Unit& unit) {
            const CertificateRow& first = rows_[unit.rows[0]];
            return first.plan == rows_[i].plan && !is_run_alone(first.certificate.subject)
                   && !is_run_alone(rows_[i].certificate.subject);
        });
        Unit& unit = shared == units_.end() ? units_.emplace_back() : *shared;
        unit.rows.push_back(i);
        unit.macro_runs = std::max(unit.macro_runs, macro_runs);
    }
    for (const Unit& unit : units_) {
        wanted_ += unit.macro_runs;
        for (const std::size_t row : unit.rows) {
            runs_[row].resize(unit.macro_runs);
        }
    }
}

void CertificateWork::add_blocks() {
    bool are_more = true;
    for (std::uint32_t first = 0; are_more; first += block_of_macro_runs) {
        are_more = false;
        for (std::uint32_t u = 0; u < units_.size(); ++u) {
            if (first < units_[u].macro_runs) {
                are_more = true;
                blocks_.push_back(
                    {u, first, std::min(block_of_macro_runs, units_[u].macro_runs - first)}
                );
            }
        }
    }
}

std::optional<engine::Task> CertificateWork::next_task() {
    if (finished()) {
        return std::nullopt;
    }
    const engine::TaskId id{next_};
    const Block& block = blocks_[next_++];
    const Unit& unit = units_[block.unit];
    engine::ByteWriter payload;
    payload.u32(static_cast<std::uint32_t>(unit.rows.size()));
    for (const std::size_t row : unit.rows) {
        payload.u32(static_cast<std::uint32_t>(row));
    }
    payload.u32(block.first);
    payload.u32(block.count);
    const double predicted_seconds = unit.done == 0 ? 0 : unit.seconds / unit.done * block.count;
    return engine::Task{id, payload.take(), predicted_seconds};
}

void CertificateWork::accept(const engine::TaskResult& result) {
    SCHEDFARM_EXPECT(result.id.value < blocks_.size(), "a result of no block");
    const Block& block = blocks_[result.id.value];
    Unit& unit = units_[block.unit];
    if (result.status == engine::TaskStatus::done) {
        engine::ByteReader reader(result.payload);
        for (std::uint32_t number = block.first; number < block.first + block.count; ++number) {
            for (const std::size_t row : unit.rows) {
                runs_[row][number] = decode(reader);
            }
        }
        reader.expect_end();
    } else {
        unit.failures[block.first] = result.message;
    }
    unit.seconds += result.seconds;
    unit.done += block.count;
    done_ += block.count;
}

std::vector<RowResult> CertificateWork::results() const {
    SCHEDFARM_EXPECT(done_ == macro_runs_wanted(), "a certificate that is not complete");
    std::vector<RowResult> results(rows_.size(), left_row());
    for (const Unit& unit : units_) {
        for (const std::size_t row : unit.rows) {
            results[row] = unit.failures.empty() ? judge(rows_[row], runs_[row])
                                                 : failed_row(unit.failures.begin()->second);
        }
    }
    return results;
}

}  // namespace schedfarm::app
