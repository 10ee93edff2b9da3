// A column of texts, equal ones kept once: results of 100,000 cells name few metrics and policies.
// Copies share their texts, so that a table and its copies belong to one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <boost/iterator/indirect_iterator.hpp>

namespace schedfarm::results_schema {

class Texts {
  public:
    using value_type = std::string;

    Texts() = default;
    Texts(std::initializer_list<std::string> texts) {
        for (const std::string& text : texts) {
            push_back(text);
        }
    }
    Texts(std::size_t size, const std::string& text) : texts_(size, kept(text)) {}

    void push_back(std::string text) { texts_.push_back(kept(std::move(text))); }
    void set(std::size_t i, std::string text) { texts_.at(i) = kept(std::move(text)); }
    void reserve(std::size_t size) { texts_.reserve(size); }
    void resize(std::size_t size) { texts_.resize(size, kept("")); }

    std::size_t size() const { return texts_.size(); }
    bool empty() const { return texts_.empty(); }
    const std::string& operator[](std::size_t i) const { return *texts_[i]; }
    const std::string& at(std::size_t i) const { return *texts_.at(i); }
    const std::string& front() const { return *texts_.front(); }
    const std::string& back() const { return *texts_.back(); }
    auto begin() const { return boost::make_indirect_iterator(texts_.begin()); }
    auto end() const { return boost::make_indirect_iterator(texts_.end()); }

    friend bool operator==(const Texts& a, const Texts& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

  private:
    const std::string* kept(std::string text) { return &*pool_->insert(std::move(text)).first; }

    std::shared_ptr<std::unordered_set<std::string>> pool_ =
        std::make_shared<std::unordered_set<std::string>>();
    std::vector<const std::string*> texts_;
};

}  // namespace schedfarm::results_schema
