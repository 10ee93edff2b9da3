#include "engine/farm/transport/serialization.hpp"

#include <array>
#include <bit>
#include <limits>

#include <doctest/doctest.h>

#include "engine/farm/transport/messages.hpp"
#include "engine/foundation/hash.hpp"

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace): a test of this
                                    // namespace

namespace {

Bytes as_bytes(std::initializer_list<int> values) {
    Bytes bytes;
    for (const int value : values) {
        bytes.push_back(static_cast<std::byte>(value));
    }
    return bytes;
}

Order sample_order() {
    return {OrderKind::work, {{TaskId{7}, as_bytes({1, 2, 3}), 0.25}, {TaskId{8}, {}, 0}}, {1, 1}};
}

WorkerReport sample_report() {
    TaskResult done{TaskId{7}, TaskStatus::done, as_bytes({9, 0, 255}), "", 1.5, 3};
    TaskResult failed{TaskId{8}, TaskStatus::failed, {}, "no luck", 0.5, 3};
    return {ReportKind::results, "node17", {done, failed}, 5, 4};
}

/// Damages every kind of message in every way that changes one byte or the length, and in random
/// ways; decoding must succeed or throw SerializationError, nothing else.
template <typename Decode>
int accepted_damages(const Bytes& good, Decode decode) {
    int accepted = 0;
    const auto attempt = [&](const Bytes& bytes) {
        try {
            decode(bytes);
            ++accepted;
        } catch (const SerializationError&) {
            return;
        }
    };
    for (std::size_t length = 0; length < good.size(); ++length) {
        attempt(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)));
    }
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (int value = 0; value < 256; ++value) {
            Bytes bad = good;
            bad[i] = static_cast<std::byte>(value);
            attempt(bad);
        }
    }
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        Bytes noise(mix(seed) % 80);
        for (std::size_t i = 0; i < noise.size(); ++i) {
            const std::uint64_t word = mix(seed * 100 + i);
            noise[i] = static_cast<std::byte>(word % 3 == 0 ? word >> 32 : 0);
        }
        attempt(noise);
    }
    return accepted;
}

}  // namespace

TEST_CASE("the bytes are little-endian with lengths in front") {
    ByteWriter writer;
    writer.u8(0xfe);
    writer.u32(0x01020304);
    writer.u64(0x1122334455667788);
    writer.real(1.0);  // 0x3ff0000000000000
    writer.text("ab");
    writer.bytes(as_bytes({5}));
    const Bytes expected =
        as_bytes({0xfe, 4, 3, 2,    1,    0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0, 0, 0,
                  0,    0, 0, 0xf0, 0x3f, 2,    0,    0,    0,    'a',  'b',  1,    0,    0, 0, 5});
    CHECK(writer.take() == expected);
    CHECK(writer.size() == 0);
}

TEST_CASE("every value comes back bit by bit") {
    const std::array<double, 6> values{
        0.0,
        -0.0,
        0.1,
        std::numeric_limits<double>::infinity(),
        std::bit_cast<double>(std::uint64_t{0x7ff8dead0000beef}),
        5e-324};
    ByteWriter writer;
    for (const double value : values) {
        writer.real(value);
    }
    writer.u64(std::numeric_limits<std::uint64_t>::max());
    writer.text(std::string("a\0b", 3));
    writer.text("");
    const Bytes bytes = writer.take();
    ByteReader reader(bytes);
    for (const double value : values) {
        CHECK(std::bit_cast<std::uint64_t>(reader.real()) == std::bit_cast<std::uint64_t>(value));
    }
    CHECK(reader.u64() == std::numeric_limits<std::uint64_t>::max());
    CHECK(reader.text() == std::string("a\0b", 3));
    CHECK(reader.text().empty());
    CHECK_NOTHROW(reader.expect_end());
}

TEST_CASE("reading past the end throws and says how much was needed") {
    const Bytes bytes = as_bytes({1, 2, 3});
    CHECK_THROWS_WITH_AS(
        ByteReader(bytes).u32(),
        "serialized data ends early: 4 bytes needed, 3 left",
        SerializationError
    );
    const Bytes long_text = as_bytes({255, 255, 255, 255, 'a'});
    CHECK_THROWS_AS(ByteReader(long_text).text(), SerializationError);
    CHECK_THROWS_AS(ByteReader(bytes).expect_end(), SerializationError);
}

TEST_CASE("messages come back as they were sent") {
    const Order order = decode_order(encode(sample_order()));
    CHECK(order.kind == OrderKind::work);
    REQUIRE(order.tasks.size() == 2);
    CHECK(order.tasks[0].id.value == 7);
    CHECK(order.tasks[0].payload == as_bytes({1, 2, 3}));
    CHECK(order.tasks[0].predicted_seconds == 0.25);
    CHECK(order.bundle_sizes == std::vector<std::uint32_t>{1, 1});
    CHECK(decode_order(encode(Order{})).kind == OrderKind::stop);

    const WorkerReport report = decode_report(encode(sample_report()));
    CHECK(report.text == "node17");
    CHECK(report.first_rank == 5);
    CHECK(report.children == 4);
    REQUIRE(report.results.size() == 2);
    CHECK(report.results[0].payload == as_bytes({9, 0, 255}));
    CHECK(report.results[0].seconds == 1.5);
    CHECK(report.results[0].rank == 3);
    CHECK(report.results[1].status == TaskStatus::failed);
    CHECK(report.results[1].message == "no luck");
}

TEST_CASE("damaged messages are refused or read but never crash the reader") {
    const Bytes order = encode(sample_order());
    const Bytes report = encode(sample_report());
    const int orders = accepted_damages(order, [](const Bytes& bytes) { decode_order(bytes); });
    const int reports = accepted_damages(report, [](const Bytes& bytes) { decode_report(bytes); });
    CHECK(orders > 0);  // a damaged number inside is not noticed: MPI guards what it carries
    CHECK(reports > 0);
}
