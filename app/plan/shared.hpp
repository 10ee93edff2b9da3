// Values that never change and that equal cells keep once: a campaign of 100,000 cells has few
// workloads, policies and lists of columns.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace schedfarm::app {

template <typename T>
class Shared {
  public:
    Shared() = default;
    Shared(T value)  // NOLINT(google-explicit-constructor)
        : value_(std::make_shared<const T>(std::move(value))) {}
    /// Keeps `owner`, of which the value is a part.
    Shared(const auto& owner, const T& value) : value_(owner, &value) {}
    Shared& operator=(T value) { return *this = Shared(std::move(value)); }

    const T& get() const {
        static const T none{};
        return value_ ? *value_ : none;
    }
    operator const T&() const { return get(); }  // NOLINT(google-explicit-constructor)
    const T& operator*() const { return get(); }
    const T* operator->() const { return &get(); }

  private:
    std::shared_ptr<const T> value_;  // null: T{}
};

/// What few cells have: a std::optional that takes a pointer's room.
template <typename T>
class Rare {
  public:
    Rare() = default;
    Rare(T value)  // NOLINT(google-explicit-constructor)
        : value_(std::make_shared<const T>(std::move(value))) {}
    Rare(std::optional<T> value) {  // NOLINT(google-explicit-constructor)
        if (value) {
            *this = Rare(std::move(*value));
        }
    }

    bool has_value() const { return value_ != nullptr; }
    explicit operator bool() const { return has_value(); }
    const T& operator*() const { return *value_; }
    const T* operator->() const { return value_.get(); }
    std::optional<T> optional() const { return value_ ? std::optional<T>(*value_) : std::nullopt; }

  private:
    std::shared_ptr<const T> value_;
};

/// Read as a vector.
template <typename T>
class SharedList : public Shared<std::vector<T>> {
  public:
    using Shared<std::vector<T>>::Shared;
    using Shared<std::vector<T>>::get;
    SharedList& operator=(std::initializer_list<T> list) {
        return *this = SharedList(std::vector<T>(list));
    }

    auto begin() const { return get().begin(); }
    auto end() const { return get().end(); }
    std::size_t size() const { return get().size(); }
    bool empty() const { return get().empty(); }
    const T& operator[](std::size_t i) const { return get()[i]; }
    const T& front() const { return get().front(); }
    const T& back() const { return get().back(); }

    /// Keeps the other's list where it is equal.
    void share(const SharedList& other) {
        if (get() == other.get()) {
            *this = other;
        }
    }

    friend bool operator==(const SharedList& a, const SharedList& b) { return a.get() == b.get(); }
};

}  // namespace schedfarm::app
