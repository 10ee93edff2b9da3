// A list that never changes and that equal cells keep once: a campaign of 100,000 cells has few
// lists of columns. Read as a vector.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace schedfarm::app {

template <typename T>
class SharedList {
  public:
    using List = std::vector<T>;

    SharedList() = default;
    SharedList(List list)  // NOLINT(google-explicit-constructor)
        : list_(std::make_shared<const List>(std::move(list))) {}
    SharedList(std::initializer_list<T> list) : SharedList(List(list)) {}

    const List& get() const {
        static const List none;
        return list_ ? *list_ : none;
    }
    operator const List&() const { return get(); }  // NOLINT(google-explicit-constructor)

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

  private:
    std::shared_ptr<const List> list_;
};

}  // namespace schedfarm::app
