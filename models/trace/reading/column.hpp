// A column of a log. A column in which every value is −1, as many are in real logs, takes no
// memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace schedfarm::models::trace {

template <typename T>
class Column {
  public:
    static constexpr T missing = -1;
    /// What is read from a line for this column.
    using Read = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;

    Column() = default;
    explicit Column(std::vector<T> values) : values_(std::move(values)), size_(values_.size()) {}

    std::size_t size() const { return size_; }
    /// False when every value is −1.
    bool is_given() const { return !values_.empty(); }
    T operator[](std::size_t i) const { return values_.empty() ? missing : values_[i]; }
    /// All values, or none when every value is −1.
    std::span<const T> values() const { return values_; }

    /// So many values that nobody wants to know. REQUIRES: the column is not given.
    void append_unknown(std::size_t count) { size_ += count; }
    /// `expected`: how many there will be in all, if that is known; memory that stays unused takes
    /// none of the machine's. REQUIRES: the values are representable as T.
    void append(std::span<const Read> values, std::size_t expected = 0) {
        const auto is_missing = [](Read value) {
            return value == missing;
        };
        if (values_.empty()) {
            if (std::all_of(values.begin(), values.end(), is_missing)) {
                size_ += values.size();
                return;
            }
            values_.reserve(expected);
            values_.assign(size_, missing);
        }
        size_ += values.size();
        if (size_ > values_.capacity()) {
            values_.reserve(expected);
        }
        values_.insert(values_.end(), values.begin(), values.end());
    }

    /// Every value v becomes change(v); what is missing stays so.
    template <typename Change>
    void change_known(Change change) {
        for (T& value : values_) {
            value = value == missing ? missing : change(value);
        }
    }

  private:
    std::vector<T> values_;
    std::size_t size_ = 0;
};

}  // namespace schedfarm::models::trace
