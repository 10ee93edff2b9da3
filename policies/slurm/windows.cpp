#include "policies/slurm/windows.hpp"

#include <algorithm>

namespace schedfarm::policies::slurm {

void Windows::split(std::size_t k, std::int64_t time) {
    Window second = windows_[k];
    second.begin = time;
    windows_[k].end = time;
    windows_.insert(windows_.begin() + static_cast<std::ptrdiff_t>(k) + 1, std::move(second));
    ++entries_;
}

void Windows::plan(std::int64_t begin, std::int64_t end, const NodeSet& nodes) {
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
    std::size_t last = k;
    for (std::size_t j = k + 1; j < windows_.size(); ++j) {
        if (end < windows_[j].end) {
            split(j, end);
        }
        windows_[j].nodes -= nodes;
        last = j;
        if (windows_[j].end == end) {
            break;
        }
    }
    // One pair of neighbours with the same nodes is joined.
    for (std::size_t i = before > 0 ? before - 1 : 0; i <= last && i + 1 < windows_.size(); ++i) {
        if (windows_[i].nodes == windows_[i + 1].nodes) {
            windows_[i].end = windows_[i + 1].end;
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

}  // namespace schedfarm::policies::slurm
