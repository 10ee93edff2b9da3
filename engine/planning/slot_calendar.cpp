#include "engine/planning/slot_calendar.hpp"

#include <algorithm>
#include <cmath>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

SlotGrid::SlotGrid(const std::vector<SlotLevel>& levels) : unit_(levels.at(0).size) {
    std::int64_t begin = 0;
    for (const SlotLevel& level : levels) {
        const auto size = static_cast<std::int64_t>(std::round(level.size / unit_));
        SCHEDFARM_EXPECT(
            level.count > 0 && size > 0 && (levels_.empty() || size % levels_.back().size == 0),
            "slots of one level are no multiples of those of the level before"
        );
        levels_.push_back({level.count, size, begin});
        begin += level.count * size;
    }
}

// Of two neighbouring units rounding may name the wrong one.
std::int64_t SlotGrid::unit_at(double time) const {
    auto unit = static_cast<std::int64_t>(std::floor(time / unit_));
    unit -= time_of(unit) > time ? 1 : 0;
    unit += time_of(unit + 1) <= time ? 1 : 0;
    return unit;
}

const SlotGrid::Level& SlotGrid::level_of(std::int64_t unit) const {
    std::size_t i = levels_.size() - 1;
    while (i > 0 && levels_[i].begin > unit) {
        --i;
    }
    return levels_[i];
}

double SlotGrid::begin_of(double time) const {
    const std::int64_t unit = unit_at(time);
    const Level& level = level_of(unit);
    return time_of(unit - (unit - level.begin) % level.size);
}

std::int64_t SlotGrid::next_begin_unit(double time) const {
    const std::int64_t unit = unit_at(time);
    const Level& level = level_of(unit);
    const std::int64_t begin = unit - (unit - level.begin) % level.size;
    return time_of(begin) == time ? begin : begin + level.size;
}

// The first level begins anywhere: its slots are the units.
const std::vector<SlotGrid::Divided>& SlotGrid::advance(double now) {
    divided_.clear();
    now_ = std::max(now_, unit_at(now));
    std::int64_t begin = now_;
    for (std::size_t i = 1; i < levels_.size(); ++i) {
        const std::int64_t needed = begin + levels_[i - 1].count * levels_[i - 1].size;
        Level& level = levels_[i];
        if (level.begin < needed) {
            const std::int64_t old = level.begin;
            level.begin += (needed - old + level.size - 1) / level.size * level.size;
            divided_.insert(divided_.begin(), {time_of(old), time_of(level.begin)});
        }
        begin = level.begin;
    }
    return divided_;
}

double SlotGrid::next_division() const {
    return levels_.size() == 1 ? std::numeric_limits<double>::infinity()
                               : time_of(levels_[1].begin - levels_[0].count + 1);
}

double SlotPlan::fixed_start(std::uint32_t size, double duration, double time, double now) const {
    const double begin = grid.begin_of(time);
    return first_fit(size, duration, begin < now ? now : begin);
}

void SlotCalendar::free(double begin, double end, std::uint32_t size) {
    plan_.profile.release(begin, end, size);
    freed_until_ = std::max(freed_until_, end);
}

void SlotCalendar::add_end(std::uint32_t job, double end) {
    booked_[job].end = end;
    ends_.insert(std::upper_bound(ends_.begin(), ends_.end(), End(end, job)), {end, job});
}

void SlotCalendar::remove_end(std::uint32_t job) {
    ends_.erase(std::lower_bound(ends_.begin(), ends_.end(), End(booked_[job].end, job)));
}

void SlotCalendar::reserve(JobId id, double start, std::uint32_t size, double duration) {
    booked_.resize(std::max(booked_.size(), id.value + std::size_t{1}));
    Booked& booked = booked_[id.value];
    booked = {start, duration, 0, size};
    add_end(id.value, rounded_end(booked));
    plan_.profile.reserve(start, booked.end, size);
}

void SlotCalendar::give_up(JobId id) {
    const Booked& booked = booked_[id.value];
    remove_end(id.value);
    free(booked.start, booked.end, booked.size);
}

void SlotCalendar::move(JobId id, double start) {
    Booked& booked = booked_[id.value];
    const double old_start = booked.start;
    const double old_end = booked.end;
    booked.start = start;
    const double end = rounded_end(booked);
    plan_.profile.move_ahead({start, end, old_start, old_end}, booked.size);
    remove_end(id.value);
    add_end(id.value, end);
    freed_until_ = std::max(freed_until_, old_end);
}

bool SlotCalendar::finish(JobId id, double now) {
    const Booked& booked = booked_[id.value];
    const double begin = plan_.grid.next_begin(now);
    remove_end(id.value);
    if (begin >= booked.end) {
        return false;
    }
    free(begin, booked.end, booked.size);
    return true;
}

bool SlotCalendar::advance(double now) {
    plan_.profile.forget_before(now);
    const std::vector<SlotGrid::Divided>& divided = plan_.grid.advance(now);
    for (const SlotGrid::Divided& one : divided) {
        shorten(one);
    }
    return !divided.empty();
}

void SlotCalendar::shorten(const SlotGrid::Divided& divided) {
    const End first{divided.from, std::numeric_limits<std::uint32_t>::max()};
    const auto begin = std::upper_bound(ends_.begin(), ends_.end(), first);
    const auto end = std::find_if(begin, ends_.end(), [&divided](const End& one) {
        return one.first > divided.until;
    });
    for (const auto& [time, job] : std::vector<End>(begin, end)) {
        const Booked& booked = booked_[job];
        const double old = booked.end;
        const double shorter = rounded_end(booked);
        if (shorter < old) {
            remove_end(job);
            add_end(job, shorter);
            free(shorter, old, booked.size);
        }
    }
}

void SlotCalendar::prolong(double now) {
    while (!ends_.empty() && ends_.front().first <= now) {
        const std::uint32_t job = ends_.front().second;
        const double end =
            plan_.grid.next_begin(std::nextafter(now, std::numeric_limits<double>::infinity()));
        plan_.profile.reserve(now, end, booked_[job].size);
        remove_end(job);
        add_end(job, end);
    }
}

}  // namespace schedfarm::engine
