// A set of the nodes 0 … n − 1 of a machine, a bit each.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace schedfarm::policies::slurm {

class NodeSet {
  public:
    NodeSet() = default;
    /// Empty. `nodes` is the size of the machine.
    explicit NodeSet(std::size_t nodes) {
        const std::size_t count = (nodes + 63) / 64;
        if (count > few_.size()) {
            many_.resize(count);
        } else {
            few_count_ = static_cast<std::uint32_t>(count);
        }
    }
    /// No less than the nodes of the machine.
    std::size_t size() const { return 64 * words().size(); }

    static NodeSet all(std::size_t nodes) {
        NodeSet set(nodes);
        set.insert(0, nodes);
        return set;
    }

    bool contains(std::size_t node) const { return (words()[node / 64] >> (node % 64) & 1U) != 0; }
    void insert(std::size_t node) { words()[node / 64] |= std::uint64_t{1} << (node % 64); }
    /// So many neighbours.
    void insert(std::size_t first, std::size_t count) {
        const auto own = words();
        while (count > 0) {
            const std::size_t here = std::min(count, 64 - first % 64);
            own[first / 64] |= ~std::uint64_t{0} >> (64 - here) << (first % 64);
            first += here;
            count -= here;
        }
    }
    void erase(std::size_t node) { words()[node / 64] &= ~(std::uint64_t{1} << (node % 64)); }

    std::size_t count() const {
        const auto own = words();
        std::size_t found = 0;
        for (const std::uint64_t word : own) {
            found += ones_in(word);
        }
        return found;
    }
    bool empty() const {
        const auto own = words();
        for (const std::uint64_t word : own) {
            if (word != 0) {
                return false;
            }
        }
        return true;
    }

    // The other set is of the same machine.
    NodeSet& operator&=(const NodeSet& other) {
        const auto own = words();
        for (std::size_t i = 0; i < own.size(); ++i) {
            own[i] &= other.words()[i];
        }
        return *this;
    }
    NodeSet& operator|=(const NodeSet& other) {
        const auto own = words();
        for (std::size_t i = 0; i < own.size(); ++i) {
            own[i] |= other.words()[i];
        }
        return *this;
    }
    /// An empty set may be of any machine.
    NodeSet& operator-=(const NodeSet& other) {
        const auto own = words();
        for (std::size_t i = 0; i < other.words().size(); ++i) {
            own[i] &= ~other.words()[i];
        }
        return *this;
    }
    friend NodeSet operator&(NodeSet one, const NodeSet& other) { return one &= other; }

    bool meets(const NodeSet& other) const {
        const auto own = words();
        for (std::size_t i = 0; i < own.size(); ++i) {
            if ((own[i] & other.words()[i]) != 0) {
                return true;
            }
        }
        return false;
    }
    bool within(const NodeSet& other) const {
        const auto own = words();
        for (std::size_t i = 0; i < own.size(); ++i) {
            if ((own[i] & ~other.words()[i]) != 0) {
                return false;
            }
        }
        return true;
    }

    /// 64 neighbours, some of which are in a set; of a set of few nodes these are few.
    struct Part {
        std::size_t word = 0;
        std::uint64_t bits = 0;
    };
    std::vector<Part> parts() const {
        const auto own = words();
        std::vector<Part> found;
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (own[i] != 0) {
                found.push_back({i, own[i]});
            }
        }
        return found;
    }
    bool meets(const std::vector<Part>& parts) const {
        const auto own = words();
        for (const Part& part : parts) {
            if ((own[part.word] & part.bits) != 0) {
                return true;
            }
        }
        return false;
    }
    /// How many of them were not there.
    std::size_t add(const std::vector<Part>& parts) {
        const auto own = words();
        std::size_t added = 0;
        for (const Part& part : parts) {
            added += ones_in(part.bits & ~own[part.word]);
            own[part.word] |= part.bits;
        }
        return added;
    }
    /// How many of them were there.
    std::size_t remove(const std::vector<Part>& parts) {
        const auto own = words();
        std::size_t removed = 0;
        for (const Part& part : parts) {
            removed += ones_in(part.bits & own[part.word]);
            own[part.word] &= ~part.bits;
        }
        return removed;
    }
    /// Adds those of the nodes that are in `others`. How many they are; REQUIRES: none was there.
    std::size_t add(const std::vector<Part>& parts, const NodeSet& others) {
        const auto own = words();
        std::size_t added = 0;
        for (const Part& part : parts) {
            const std::uint64_t bits = part.bits & others.words()[part.word];
            own[part.word] |= bits;
            added += ones_in(bits);
        }
        return added;
    }

    /// Whether one of these nodes is in the one set and not in the other.
    bool meets_beside(const NodeSet& one, const NodeSet& other) const {
        const auto own = words();
        for (std::size_t i = 0; i < own.size(); ++i) {
            if ((own[i] & one.words()[i] & ~other.words()[i]) != 0) {
                return true;
            }
        }
        return false;
    }

    /// Calls function(first, count) for each run of neighbours in rising order.
    template <typename Function>
    void for_each_run(Function&& function) const {
        const auto own = words();
        std::size_t first = 0;
        std::size_t count = 0;
        for (std::size_t i = 0; i < own.size(); ++i) {
            std::uint64_t word = own[i];
            std::size_t bit = 0;
            while (word != 0) {
                const auto gap = static_cast<std::size_t>(std::countr_zero(word));
                word >>= gap;
                bit += gap;
                const auto length = static_cast<std::size_t>(std::countr_one(word));
                if (count > 0 && first + count == 64 * i + bit) {
                    count += length;
                } else {
                    if (count > 0) {
                        function(first, count);
                    }
                    first = 64 * i + bit;
                    count = length;
                }
                word = length < 64 ? word >> length : 0;
                bit += length;
            }
        }
        if (count > 0) {
            function(first, count);
        }
    }

    /// The nodes in rising order.
    template <typename Function>
    void for_each(Function&& function) const {
        const auto own = words();
        for (std::size_t i = 0; i < own.size(); ++i) {
            for (std::uint64_t word = own[i]; word != 0; word &= word - 1) {
                function(64 * i + static_cast<std::size_t>(std::countr_zero(word)));
            }
        }
    }

    friend bool operator==(const NodeSet&, const NodeSet&) = default;

  private:
    // Not std::popcount: without an instruction for it that is a call for each word.
    static std::size_t ones_in(std::uint64_t word) {
        word -= (word >> 1) & 0x5555555555555555U;
        word = (word & 0x3333333333333333U) + ((word >> 2) & 0x3333333333333333U);
        word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FU;
        return (word * 0x0101010101010101U) >> 56;
    }

    // A machine of 256 nodes, as many are, needs no memory beside the set.
    std::span<std::uint64_t> words() {
        return many_.empty() ? std::span(few_).first(few_count_) : std::span(many_);
    }
    std::span<const std::uint64_t> words() const {
        return many_.empty() ? std::span(few_).first(few_count_) : std::span(many_);
    }

    std::array<std::uint64_t, 4> few_{};
    std::uint32_t few_count_ = 0;
    std::vector<std::uint64_t> many_;
};

}  // namespace schedfarm::policies::slurm
