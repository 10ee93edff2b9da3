// Work for the farm's tests under MPI: numbered tasks, whose results are kept by number and summed
// up in a digest that does not depend on their order of arrival.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/farm/journal/journal.hpp"
#include "engine/farm/task.hpp"
#include "engine/farm/transport/serialization.hpp"
#include "engine/foundation/hash.hpp"

namespace schedfarm::tests {

inline engine::Bytes encode_number(std::uint64_t number, std::size_t padding = 0) {
    engine::ByteWriter writer;
    writer.u64(number);
    engine::Bytes bytes = writer.take();
    bytes.resize(bytes.size() + padding);
    return bytes;
}

inline std::uint64_t decode_number(const engine::Bytes& bytes) {
    return engine::ByteReader(bytes).u64();
}

/// Tasks 0 … count − 1; keeps the results by task, and in a journal if there is one.
class Numbers final : public engine::WorkSource {
  public:
    explicit Numbers(std::uint64_t number_count) : count(number_count) {}

    std::optional<engine::Task> next_task() override {
        while (results.contains(next_)) {
            ++next_;
        }
        if (next_ >= count && again_.empty()) {
            return std::nullopt;
        }
        std::uint64_t number = 0;
        if (again_.empty()) {
            number = next_++;
        } else {
            number = again_.back();
            again_.pop_back();
        }
        if (journal) {
            journal->append_intent({number});
        }
        return engine::Task{{number}, encode_number(number, padding), predicted_seconds};
    }
    void accept(const engine::TaskResult& result) override {
        if (journal) {
            journal->append_result(result);
        }
        if (!results.emplace(result.id.value, result).second) {
            throw std::logic_error("a result came twice");
        }
        if (on_result) {
            on_result();
        }
    }
    void give_again(engine::TaskId id) override { again_.push_back(id.value); }
    bool finished() const override { return results.size() == count; }

    std::uint64_t count;
    std::size_t padding = 0;
    double predicted_seconds = 0;
    std::unique_ptr<engine::Journal> journal;
    std::function<void()> on_result;
    std::map<std::uint64_t, engine::TaskResult> results;

  private:
    std::uint64_t next_ = 0;
    std::vector<std::uint64_t> again_;
};

/// One number that depends on every result and on their order by task.
inline std::uint64_t digest(const std::map<std::uint64_t, engine::TaskResult>& results) {
    std::uint64_t digest = 0;
    for (const auto& [number, result] : results) {
        const std::uint64_t value = result.status == engine::TaskStatus::done
                                        ? decode_number(result.payload)
                                        : result.message.size();
        digest = engine::mix(
            digest ^ engine::mix(number) ^ value ^ (static_cast<std::uint64_t>(result.status) << 60)
        );
    }
    return digest;
}

inline std::uint64_t failures(const Numbers& numbers) {
    std::uint64_t failed = 0;
    for (const auto& [number, result] : numbers.results) {
        failed += result.status == engine::TaskStatus::failed
                          && result.message == fmt::format("number {} is not liked", number)
                      ? 1U
                      : 0U;
    }
    return failed;
}

}  // namespace schedfarm::tests
