// A set of the nodes 0 … n − 1 of a machine, a bit each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedfarm::policies::slurm {

class NodeSet {
  public:
    NodeSet() = default;
    /// Empty. `nodes` is the size of the machine.
    explicit NodeSet(std::size_t nodes) : words_((nodes + 63) / 64) {}

    static NodeSet all(std::size_t nodes) {
        NodeSet set(nodes);
        for (std::size_t node = 0; node < nodes; ++node) {
            set.insert(node);
        }
        return set;
    }

    bool contains(std::size_t node) const { return (words_[node / 64] >> (node % 64) & 1U) != 0; }
    void insert(std::size_t node) { words_[node / 64] |= std::uint64_t{1} << (node % 64); }
    void erase(std::size_t node) { words_[node / 64] &= ~(std::uint64_t{1} << (node % 64)); }

    std::size_t count() const {
        std::size_t found = 0;
        for (const std::uint64_t word : words_) {
            found += static_cast<std::size_t>(std::popcount(word));
        }
        return found;
    }
    bool empty() const {
        for (const std::uint64_t word : words_) {
            if (word != 0) {
                return false;
            }
        }
        return true;
    }

    // The other set is of the same machine.
    NodeSet& operator&=(const NodeSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            words_[i] &= other.words_[i];
        }
        return *this;
    }
    NodeSet& operator|=(const NodeSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            words_[i] |= other.words_[i];
        }
        return *this;
    }
    NodeSet& operator-=(const NodeSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            words_[i] &= ~other.words_[i];
        }
        return *this;
    }
    friend NodeSet operator&(NodeSet one, const NodeSet& other) { return one &= other; }

    bool meets(const NodeSet& other) const {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            if ((words_[i] & other.words_[i]) != 0) {
                return true;
            }
        }
        return false;
    }
    bool within(const NodeSet& other) const {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            if ((words_[i] & ~other.words_[i]) != 0) {
                return false;
            }
        }
        return true;
    }

    /// The nodes in rising order.
    template <typename Function>
    void for_each(Function&& function) const {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
                function(64 * i + static_cast<std::size_t>(std::countr_zero(word)));
            }
        }
    }

    friend bool operator==(const NodeSet&, const NodeSet&) = default;

  private:
    std::vector<std::uint64_t> words_;
};

}  // namespace schedfarm::policies::slurm
