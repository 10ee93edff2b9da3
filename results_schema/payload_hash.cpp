// The stream that is hashed is defined in SCHEMA.md, section "Payload hash"; the Python reader
// holds a second implementation.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <span>

#include <fmt/format.h>

#include "engine/foundation/hash.hpp"

#include "results_schema/checks/validation.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/stored_text.hpp"

namespace schedfarm::results_schema {

namespace {

using engine::Sha256;

void add_word(Sha256& hash, std::uint64_t word) {
    std::array<std::byte, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(word >> (8 * i));
    }
    hash.add(bytes);
}

/// The bits of a real, where −0 counts as 0 and every NaN as the same one.
std::uint64_t canonical_bits(double value) {
    if (std::isnan(value)) {
        return 0x7ff8000000000000U;
    }
    return value == 0 ? 0 : std::bit_cast<std::uint64_t>(value);
}

template <std::integral Number>
void add_values(Sha256& hash, const std::vector<Number>& values) {
    static_assert(std::endian::native == std::endian::little && sizeof(Number) == 8);
    hash.add(std::as_bytes(std::span(values)));
}
void add_values(Sha256& hash, const std::vector<double>& values) {
    std::array<std::uint64_t, 512> words{};
    for (std::size_t first = 0; first < values.size(); first += words.size()) {
        const auto some =
            std::span(values).subspan(first).first(std::min(words.size(), values.size() - first));
        std::transform(some.begin(), some.end(), words.begin(), canonical_bits);
        hash.add(std::as_bytes(std::span(words).first(some.size())));
    }
}
void add_values(Sha256& hash, const Texts& values) {
    for (const std::string& value : values) {
        const std::string stored = stored_text(value);
        add_word(hash, stored.size());
        hash.add(stored);
    }
}

void add_column(Sha256& hash, const Column& column) {
    hash.add(
        fmt::format("column {} {}\n", stored_text(column.name), type_word(type_of(column.data)))
    );
    std::visit([&](const auto& values) { add_values(hash, values); }, column.data);
}

bool has_payload(const Table& table) {
    for (const Column& column : table.columns) {
        if (column.hashed) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::string payload_hash(const ResultFile& results) {
    Sha256 hash;
    hash.add("schedfarm payload 1\n");
    for (const TableSchema& schema : schema_tables()) {
        const Table* table = results.find(schema.name);
        if (table == nullptr || !has_payload(*table)) {
            continue;
        }
        hash.add(fmt::format("table {} {}\n", table->name, table->rows()));
        for (const Column& column : table->columns) {
            if (column.hashed) {
                add_column(hash, column);
            }
        }
    }
    return hash.hex();
}

std::vector<std::string> payload_problems(const ResultFile& results) {
    const Attribute* stored = results.attribute("payload_hash");
    const auto* text = stored == nullptr ? nullptr : std::get_if<std::string>(&stored->value);
    const std::string computed = payload_hash(results);
    if (text == nullptr) {
        return {"attribute 'payload_hash' is missing"};
    }
    return *text == computed
               ? std::vector<std::string>()
               : std::vector{
                   fmt::format("payload_hash is {}, but the payload's is {}", *text, computed)};
}

}  // namespace schedfarm::results_schema
