// A column of a log. Whole numbers take as few bytes as the widest of the column needs: jobs of
// some columns one or two. A column in which every value is −1, as many are in real logs, takes no
// memory.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace schedfarm::models::trace {

template <typename T>
class Column {
  public:
    static constexpr T missing = -1;
    /// What is read from a line for this column.
    using Read = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;

    Column() = default;
    explicit Column(std::vector<T> values) : size_(values.size()) {
        values_.template emplace<3>(std::move(values));
    }

    /// So many values, value_of(i). REQUIRES: they are representable as T.
    template <typename Value>
    static Column made(std::size_t count, Value value_of) {
        Column column;
        std::array<Read, 256> some;  // NOLINT(*-member-init): filled as far as used
        for (std::size_t first = 0; first < count; first += some.size()) {
            const std::size_t next = std::min(some.size(), count - first);
            for (std::size_t i = 0; i < next; ++i) {
                some[i] = value_of(first + i);
            }
            column.append_given(std::span(some).first(next), count);
        }
        return column;
    }

    std::size_t size() const { return size_; }
    /// False when every value is −1.
    bool is_given() const { return size_bytes() > 0; }
    [[gnu::always_inline]] T operator[](std::size_t i) const {
        const auto at = [i](const auto& values) {
            return values->empty() ? missing : static_cast<T>((*values)[i]);
        };
        switch (values_.index()) {
            case 0:
                return at(std::get_if<0>(&values_));
            case 1:
                return at(std::get_if<1>(&values_));
            case 2:
                return at(std::get_if<2>(&values_));
            default:
                return at(std::get_if<3>(&values_));
        }
    }
    /// A copy of all values, or none when every value is −1.
    std::vector<T> values() const {
        return std::visit(
            [](const auto& values) { return std::vector<T>(values.begin(), values.end()); }, values_
        );
    }
    bool has_above(T most) const {
        return std::visit(
            [most](const auto& values) {
                return std::ranges::any_of(values, [most](auto one) { return one > most; });
            },
            values_
        );
    }
    /// What the values take.
    std::size_t size_bytes() const {
        return std::visit(
            [](const auto& values) { return std::span(values).size_bytes(); }, values_
        );
    }

    /// So many values that nobody wants to know. REQUIRES: the column is not given.
    void append_unknown(std::size_t count) { size_ += count; }
    /// `expected`: how many there will be in all, if that is known; memory that stays unused takes
    /// none of the machine's. REQUIRES: the values are representable as T.
    void append(std::span<const Read> values, std::size_t expected = 0) {
        if (is_given() || std::ranges::any_of(values, [](Read one) { return one != missing; })) {
            append_given(values, expected);
        } else {
            size_ += values.size();
        }
    }

    void push_back(T value) {
        const Read one = value;
        append_given(std::span(&one, 1), 0);
    }
    /// Every value v becomes change(v); what is missing stays so.
    template <typename Change>
    void change_known(Change change) {
        if (is_given()) {
            *this = made(size_, [&](std::size_t i) {
                const T value = (*this)[i];
                return value == missing ? missing : static_cast<T>(change(value));
            });
        }
    }

  private:
    template <typename Held>
    static bool fits(Read value) {
        if constexpr (std::is_same_v<Held, T>) {
            return true;
        } else {
            constexpr Read least = std::numeric_limits<Held>::min();
            constexpr Read most = std::numeric_limits<Held>::max();
            const auto held = static_cast<Read>(static_cast<Held>(std::clamp(value, least, most)));
            return std::bit_cast<std::uint64_t>(held) == std::bit_cast<std::uint64_t>(value);
        }
    }

    /// Holds the values in the next wider type until these fit, too.
    template <std::size_t Width = 0>
    void widen_for(std::span<const Read> more, std::size_t expected) {
        if constexpr (Width < 3) {
            using Held = typename std::variant_alternative_t<Width, Values>::value_type;
            std::size_t wide_values = values_.index() > Width ? 1 : 0;
            for (const Read one : wide_values == 0 ? more : std::span<const Read>()) {
                wide_values += fits<Held>(one) ? 0U : 1U;
            }
            if (wide_values > 0) {
                if (values_.index() == Width) {
                    const auto narrow = std::move(std::get<Width>(values_));
                    auto& wide = values_.template emplace<Width + 1>();
                    wide.reserve(narrow.empty() ? 0 : expected);
                    wide.assign(narrow.begin(), narrow.end());
                }
                widen_for<Width + 1>(more, expected);
            }
        }
    }

    void append_given(std::span<const Read> more, std::size_t expected) {
        widen_for(more, expected);
        std::visit(
            [&](auto& values) {
                if (values.size() + more.size() > values.capacity()) {
                    values.reserve(expected);
                }
                values.resize(size_, missing);
                values.insert(values.end(), more.begin(), more.end());
            },
            values_
        );
        size_ += more.size();
    }

    using Values = std::variant<
        std::vector<std::int8_t>,
        std::vector<std::int16_t>,
        std::vector<std::int32_t>,
        std::vector<T>>;
    Values values_;
    std::size_t size_ = 0;
};

}  // namespace schedfarm::models::trace
