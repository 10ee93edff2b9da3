#include "policies/slurm/windows.hpp"

#include <algorithm>

#include "engine/foundation/cpu_dispatch.hpp"

namespace schedfarm::policies::slurm {

void Windows::split(std::size_t k, std::int64_t time) {
    Window second = windows_[k];
    second.begin = time;
    windows_[k].end = time;
    windows_[k].rises = false;
    windows_.insert(windows_.begin() + static_cast<std::ptrdiff_t>(k) + 1, std::move(second));
    ++entries_;
}

SCHEDFARM_BIT_CLONES void Windows::plan(
    std::int64_t begin, std::int64_t end, const NodeSet& nodes
) {
    begin = std::max(begin, windows_.front().begin);
    end = std::max(end, begin + resolution_);
    // The window that holds `begin` is divided even where it begins there: its first part is empty.
    std::size_t k = 0;
    while (k < windows_.size() && windows_[k].end < begin) {
        ++k;
    }
    if (k == windows_.size()) {
        return;  // beyond the last
    }
    const std::size_t before = k;
    if (windows_[k].end > begin) {
        split(k, begin);
    }
    if (k + 1 < windows_.size()) {
        nodes.for_each([&](std::size_t node) {
            planned_from_[node] = std::min(planned_from_[node], begin);
        });
    }
    const std::vector<NodeSet::Part> parts = nodes.parts();
    std::size_t last = k;
    for (std::size_t j = k + 1; j < windows_.size(); ++j) {
        if (end < windows_[j].end) {
            split(j, end);
        }
        windows_[j].count -= windows_[j].nodes.remove(parts);
        last = j;
        if (windows_[j].end == end) {
            break;
        }
    }
    for (std::size_t j = before; j <= last && j + 1 < windows_.size(); ++j) {
        windows_[j].rises = !windows_[j + 1].nodes.within(windows_[j].nodes);
    }
    // One pair of neighbours with the same nodes is joined.
    for (std::size_t i = before > 0 ? before - 1 : 0; i <= last && i + 1 < windows_.size(); ++i) {
        if (windows_[i].nodes == windows_[i + 1].nodes) {
            windows_[i].end = windows_[i + 1].end;
            windows_[i].rises = windows_[i + 1].rises;
            windows_.erase(windows_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            break;
        }
    }
}

bool Windows::planned(std::int64_t begin, std::int64_t end, const NodeSet& nodes) const {
    return std::any_of(windows_.begin(), windows_.end(), [&](const Window& window) {
        return window.end > begin && window.begin < end && !nodes.within(window.nodes);
    });
}

std::size_t Windows::first_that_ends_after(std::int64_t time, std::size_t first) const {
    while (first < windows_.size() && windows_[first].end <= time) {
        ++first;
    }
    return first;
}

SCHEDFARM_BIT_CLONES bool Windows::keep_open(
    NodeSet& nodes, std::size_t first, std::int64_t until, std::size_t needed
) const {
    for (std::size_t k = first; k < windows_.size() && windows_[k].begin <= until; ++k) {
        nodes &= windows_[k].nodes;
        if (windows_[k].count < needed || (k % 4 == 0 && nodes.count() < needed)) {
            return false;
        }
    }
    return nodes.count() >= needed;
}

std::int64_t Windows::later(const NodeSet& nodes, std::size_t first, std::int64_t until) const {
    for (std::size_t k = first; k < windows_.size(); ++k) {
        // Up to the first that rises each has only nodes that all before it have.
        if (windows_[k].rises && nodes.meets_beside(windows_[k + 1].nodes, windows_[k].nodes)) {
            return windows_[k].end;
        }
        if (windows_[k].begin > until) {
            break;
        }
    }
    return 0;
}

std::int64_t Windows::behind(std::int64_t until) const {
    const auto first = std::find_if(windows_.begin(), windows_.end(), [&](const Window& one) {
        return one.begin > until;
    });
    return windows_.end() - first > 2 ? first[1].end : 0;
}

}  // namespace schedfarm::policies::slurm
