// Future events in total order: (time, kind, sequence number), the sequence number counting events.
// A binary heap in one array; push and pop cost O(log n). An event of a job whose plans changed is
// not searched for but left in place and recognised by its version when it comes out; discard_if()
// sweeps when too many of those gather.
//
// Events that mostly do not come about, because a switch of the machine forestalls them, wait in a
// list in no order until they are due: O(1) to add and to forget one, O(list) when one is due.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace schedfarm::engine {

enum class EventKind : std::uint8_t { completion, load_finished };

struct Event {
    double time;
    std::uint64_t order;    ///< kind in the upper 8 bits, sequence number below
    std::uint32_t subject;  ///< slot of the job
    std::uint32_t version;  ///< of the subject when the event was pushed

    EventKind kind() const { return static_cast<EventKind>(order >> 56); }
    /// Without branches: which of two children is first can hardly be guessed.
    friend bool operator<(const Event& a, const Event& b) {
        return (a.time < b.time) | ((a.time == b.time) & (a.order < b.order));
    }
};

class EventQueue {
  public:
    bool empty() const { return heap_.empty(); }
    std::size_t size() const { return heap_.size(); }
    const Event& top() const { return heap_.front(); }

    /// The next event of the sequence; it is still to be pushed, or added to a list.
    Event next(double time, EventKind kind, std::uint32_t subject, std::uint32_t version) {
        return {
            .time = time,
            .order = (std::uint64_t{static_cast<std::uint8_t>(kind)} << 56) | next_sequence_++,
            .subject = subject,
            .version = version};
    }
    void push(double time, EventKind kind, std::uint32_t subject, std::uint32_t version) {
        push(next(time, kind, subject, version));
    }
    void push(const Event& event) {
        std::size_t hole = heap_.size();
        heap_.push_back(event);
        while (hole > 0 && event < heap_[(hole - 1) / 2]) {
            heap_[hole] = heap_[(hole - 1) / 2];
            hole = (hole - 1) / 2;
        }
        heap_[hole] = event;
    }

    /// REQUIRES: not empty.
    void pop() {
        const Event last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) {
            sift_down(last);
        }
    }

    /// Removes all events of which `stale` is true.
    template <typename Predicate>
    void discard_if(Predicate stale) {
        std::erase_if(heap_, stale);
        std::make_heap(heap_.begin(), heap_.end(), [](const Event& a, const Event& b) {
            return b < a;
        });
    }

  private:
    // Puts `event` where the top was taken away.
    void sift_down(const Event& event) {
        const std::size_t count = heap_.size();
        std::size_t hole = 0;
        for (std::size_t child = 1; child < count; child = 2 * hole + 1) {
            child += child + 1 < count && heap_[child + 1] < heap_[child] ? 1U : 0U;
            if (!(heap_[child] < event)) {
                break;
            }
            heap_[hole] = heap_[child];
            hole = child;
        }
        heap_[hole] = event;
    }

    std::vector<Event> heap_;
    std::uint64_t next_sequence_ = 0;
};

/// Events of one queue that are not in it yet.
class EventList {
  public:
    void add(const Event& event) {
        events_.push_back(event);
        next_ = std::min(next_, event.time);
    }
    /// One of the events, for this time, has become stale.
    void forget(double time) {
        if (++stale_ == events_.size()) {
            events_.clear();
            stale_ = 0;
            next_ = infinity;
            is_next_known_ = true;
        } else {
            is_next_known_ = is_next_known_ && time > next_ && 2 * stale_ < events_.size();
        }
    }
    /// When the first of the events that are not `stale` is due; never: infinity.
    template <typename Predicate>
    double next(Predicate stale) {
        if (!is_next_known_) {
            remove_if(stale);
        }
        return next_;
    }
    /// Pushes the events due at `time` that are not `stale` into their queue.
    template <typename Predicate>
    void give_due(double time, EventQueue& queue, Predicate stale) {
        if (next(stale) <= time) {
            remove_if([&](const Event& event) {
                const bool is_stale = stale(event);
                if (!is_stale && event.time <= time) {
                    queue.push(event);
                }
                return is_stale || event.time <= time;
            });
        }
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    /// REQUIRES: `predicate` holds for all that are stale.
    template <typename Predicate>
    void remove_if(Predicate predicate) {
        std::erase_if(events_, predicate);
        stale_ = 0;
        next_ = infinity;
        for (const Event& event : events_) {
            next_ = std::min(next_, event.time);
        }
        is_next_known_ = true;
    }

    std::vector<Event> events_;
    std::size_t stale_ = 0;
    double next_ = infinity;
    bool is_next_known_ = true;
};

}  // namespace schedfarm::engine
