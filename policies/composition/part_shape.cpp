#include "policies/composition/part_shape.hpp"

#include <algorithm>

#include "engine/foundation/expect.hpp"

namespace schedfarm::policies {

using engine::ProcessorId;
using engine::ProcessorRange;

namespace {

/// Calls `action` with the number of the first processor, in the part, of what `range` and a piece
/// have in common, and with that, as `first` and `count` of the machine.
template <typename Action>
void for_common(
    std::span<const PartShape::Piece> pieces,
    std::uint32_t first,
    std::uint32_t count,
    Action action
) {
    std::uint32_t inner_first = 0;
    for (const PartShape::Piece& piece : pieces) {
        const std::uint32_t begin = std::max(first, piece.first);
        const std::uint32_t end = std::min(first + count, piece.first + piece.count);
        if (begin < end) {
            action(inner_first + begin - piece.first, begin, end - begin);
        }
        inner_first += piece.count;
    }
}

}  // namespace

std::uint32_t PartShape::processors() const {
    std::uint32_t sum = 0;
    for (const Piece& piece : pieces_) {
        sum += piece.count;
    }
    return sum;
}

std::vector<ProcessorRange> PartShape::all() const {
    std::vector<ProcessorRange> ranges;
    for (const Piece& piece : pieces_) {
        if (piece.count > 0) {
            ranges.push_back({ProcessorId{piece.first}, piece.count});
        }
    }
    return ranges;
}

engine::ClusterId PartShape::cluster_of(ProcessorId outer) const {
    const auto at = std::find_if(pieces_.begin(), pieces_.end(), [outer](const Piece& piece) {
        return piece.first <= outer.value && outer.value < piece.first + piece.count;
    });
    SCHEDFARM_EXPECT(at != pieces_.end(), "the processor lies outside the part");
    return engine::ClusterId{static_cast<std::uint32_t>(at - pieces_.begin())};
}

std::vector<engine::ClusterShare> PartShape::shares_of(std::span<const ProcessorRange> outer
) const {
    std::vector<engine::ClusterShare> shares;
    for (const ProcessorRange& range : outer) {
        const engine::ClusterId cluster = cluster_of(range.first);
        if (shares.empty() || !(shares.back().cluster == cluster)) {
            shares.push_back({cluster, 0});
        }
        shares.back().count += range.count;
    }
    return shares;
}

engine::SystemDescription PartShape::system(const engine::SystemDescription& whole) const {
    engine::SystemDescription system{
        .clusters = {}, .memory_per_processor = whole.memory_per_processor};
    for (const Piece& piece : pieces_) {
        system.clusters.push_back(piece.count);
    }
    system.outages = whole.outages;
    system.outages.listed.clear();
    for (const engine::Outage& outage : whole.outages.listed) {
        for_common(
            pieces_,
            outage.first_processor,
            outage.count,
            [&](std::uint32_t inner, std::uint32_t, std::uint32_t count) {
                engine::Outage own = outage;
                own.first_processor = inner;
                own.count = count;
                system.outages.listed.push_back(own);
            }
        );
    }
    return system;
}

void PartShape::add_outer(const ProcessorRange& range, std::vector<ProcessorRange>& out) const {
    std::uint32_t first = range.first.value;
    std::uint32_t left = range.count;
    for (const Piece& piece : pieces_) {
        if (left > 0 && first < piece.count) {
            const std::uint32_t here = std::min(left, piece.count - first);
            out.push_back({ProcessorId{piece.first + first}, here});
            left -= here;
            first = 0;
        } else {
            first -= left > 0 ? piece.count : 0;
        }
    }
    SCHEDFARM_EXPECT(left == 0, "processors were named that the part does not have");
}

void PartShape::add_inner(const ProcessorRange& range, std::vector<ProcessorRange>& out) const {
    for_common(
        pieces_,
        range.first.value,
        range.count,
        [&out](std::uint32_t inner, std::uint32_t, std::uint32_t count) {
            out.push_back({ProcessorId{inner}, count});
        }
    );
}

PartShape PartCutter::processors(std::uint32_t count) {
    std::vector<PartShape::Piece> pieces(left_.size());
    while (count > 0) {
        SCHEDFARM_EXPECT(cluster_ < left_.size(), "the parts need more processors than there are");
        const std::uint32_t taken = std::min(left_[cluster_], count);
        pieces[cluster_] = {next_, taken};
        left_[cluster_] -= taken;
        next_ += taken;
        count -= taken;
        cluster_ += left_[cluster_] == 0 ? 1U : 0U;
    }
    return PartShape(std::move(pieces));
}

PartShape PartCutter::clusters(std::uint32_t count) {
    std::uint32_t sum = 0;
    for (std::size_t k = 0; k < count; ++k) {
        sum += left_.at(cluster_ + k);
    }
    return processors(sum);
}

}  // namespace schedfarm::policies
