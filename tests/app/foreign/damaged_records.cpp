#include "tests/app/foreign/damaged_records.hpp"

#include <bit>
#include <utility>
#include <vector>

#include "engine/farm/journal/journal_format.hpp"
#include "engine/farm/task_codec.hpp"

#include "app/run/journal/outcome_codec.hpp"

#include "tests/app/foreign/damaged_bytes.hpp"
#include "tests/app/foreign/random_choice.hpp"

namespace schedfarm::tests {

namespace {

using engine::Bytes;
using engine::JournalRecordKind;

struct Record {
    JournalRecordKind kind;
    Bytes body;
};

std::vector<Record> records_of(const std::string& journal) {
    std::vector<Record> records;
    auto rest = std::as_bytes(std::span(journal)).subspan(engine::journal_magic.size());
    while (const auto record = engine::next_record(rest)) {
        records.push_back({record->kind, {record->body.begin(), record->body.end()}});
        rest = rest.subspan(engine::record_overhead + record->body.size());
    }
    return records;
}

std::string journal_of(const std::vector<Record>& records) {
    std::string journal(engine::journal_magic);
    for (const Record& record : records) {
        const Bytes bytes = engine::encode_record(record.kind, record.body);
        journal.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    return journal;
}

Bytes damaged_body(const Bytes& body, std::uint64_t seed) {
    const std::string text(reinterpret_cast<const char*>(body.data()), body.size());
    const std::string damaged = damaged_bytes(text, seed);
    const auto bytes = std::as_bytes(std::span(damaged));
    return {bytes.begin(), bytes.end()};
}

/// Small, large and middling numbers in turn, so that each check has its chance.
std::uint64_t foreign_number(RandomChoice& choice) {
    return choice.bits() >> choice.below(64);
}

engine::SketchBuckets foreign_sketch(RandomChoice& choice) {
    engine::SketchBuckets sketch;
    for (std::size_t count = choice.below(4); count > 0; --count) {
        const auto index = static_cast<std::int32_t>(foreign_number(choice));
        sketch.push_back({choice.once_in(2) ? -index : index, foreign_number(choice)});
    }
    return sketch;
}

void change(engine::Observations& observations, RandomChoice& choice) {
    const double number = std::bit_cast<double>(choice.bits());
    switch (choice.below(6)) {
        case 0:
            observations.values.push_back(number);
            break;
        case 1:
            observations.values.resize(choice.below(observations.values.size() + 1));
            break;
        case 2:
            observations.series.resize(choice.below(40), number);
            break;
        case 3:
            observations.sketches.assign(choice.below(4), foreign_sketch(choice));
            break;
        case 4:
            observations.overflow = engine::QueueOverflow{number, foreign_number(choice)};
            break;
        default:
            observations.jobs = foreign_number(choice);
            observations.events = foreign_number(choice);
            for (double& value : observations.values) {
                value = choice.once_in(2) ? value : std::bit_cast<double>(choice.bits());
            }
            break;
    }
}

/// Every field of it is a field of a result; together they are none of the campaign.
Bytes foreign_result(const Bytes& body, RandomChoice& choice) {
    engine::ByteReader reader(body);
    engine::TaskResult result = engine::read_task_result(reader);
    switch (choice.below(4)) {
        case 0:
            result.id =
                app::ReplicationId{
                    static_cast<std::uint32_t>(foreign_number(choice)),
                    static_cast<std::uint32_t>(foreign_number(choice))}
                    .task_id();
            break;
        case 1:
            result.status = static_cast<engine::TaskStatus>(choice.below(4));
            result.seconds = std::bit_cast<double>(choice.bits());
            result.rank = static_cast<std::uint32_t>(choice.below(3));
            result.began_s = choice.once_in(2) ? 1e9 : std::bit_cast<double>(choice.bits());
            result.run_began_s = choice.once_in(2) ? 1e9 : std::bit_cast<double>(choice.bits());
            break;
        default:
            if (result.status == engine::TaskStatus::done) {
                auto observations = app::decode_observations(result.payload);
                change(observations, choice);
                result.payload = app::encode(observations);
            }
            break;
    }
    engine::ByteWriter writer;
    write(writer, result);
    return writer.take();
}

Bytes foreign_header(const Bytes& body, RandomChoice& choice) {
    engine::JournalHeader header = engine::decode_header(body);
    switch (choice.below(4)) {
        case 0:
            header.format = static_cast<std::uint32_t>(choice.below(5));
            break;
        case 1:
            header.plan_hash = damaged_bytes(header.plan_hash, choice.bits());
            break;
        case 2:
            header.campaign_name = damaged_bytes(header.campaign_name, choice.bits());
            break;
        default:
            header.campaign = damaged_bytes(header.campaign, choice.bits());
            break;
    }
    return engine::encode_header(header);
}

Bytes foreign_suspects(RandomChoice& choice) {
    std::vector<engine::Suspect> suspects(choice.below(4));
    for (engine::Suspect& suspect : suspects) {
        suspect.id = {foreign_number(choice)};
        suspect.deaths = static_cast<std::uint32_t>(foreign_number(choice));
        suspect.blames = static_cast<std::uint32_t>(foreign_number(choice));
    }
    return engine::encode_suspects(suspects);
}

void change(Record& record, RandomChoice& choice) {
    if (record.kind == JournalRecordKind::header) {
        record.body = foreign_header(record.body, choice);
    } else if (record.kind == JournalRecordKind::result && !choice.once_in(4)) {
        record.body = foreign_result(record.body, choice);
    } else {
        record.body = damaged_body(record.body, choice.bits());
    }
}

void damage(std::vector<Record>& records, RandomChoice& choice) {
    Record& record = choice.of(records);
    switch (choice.below(8)) {
        case 0:
            record.kind = static_cast<JournalRecordKind>(choice.below(8));
            break;
        case 1:
            records.erase(
                records.begin() + static_cast<std::ptrdiff_t>(choice.below(records.size()))
            );
            break;
        case 2:
            std::swap(record, choice.of(records));
            break;
        case 3:
            records.push_back(Record(record));
            break;
        case 4:
            records.push_back({JournalRecordKind::suspects, foreign_suspects(choice)});
            break;
        case 5:
            change(records.front(), choice);
            break;
        default:
            change(record, choice);
            break;
    }
}

}  // namespace

std::string damaged_records(const std::string& journal, std::uint64_t seed) {
    RandomChoice choice(seed);
    std::vector<Record> records = records_of(journal);
    for (std::size_t damages = 1 + choice.below(3); damages > 0 && records.size() > 1; --damages) {
        // What an earlier damage left may decode no more.
        try {
            damage(records, choice);
        } catch (const engine::SerializationError&) {
            break;
        }
    }
    return journal_of(records);
}

}  // namespace schedfarm::tests
