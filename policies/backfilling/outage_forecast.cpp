#include "policies/backfilling/outage_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

SystemDescription planned_part(const SystemDescription& system, Foresight foresight) {
    SystemDescription planned{.clusters = system.clusters};
    for (const Outage& outage : system.outages.listed) {
        if (outage.is_planned && foresight == Foresight::planned_outages) {
            planned.outages.listed.push_back(outage);
        }
    }
    return planned;
}

/// When the outage begins for the first time after `now`.
double next_begin(const Outage& outage, double now) {
    if (outage.every == 0) {
        return outage.from > now ? outage.from : OutageCalendar::never;
    }
    double k = std::max(0.0, std::floor((now - outage.from) / outage.every));
    while (outage.repeated(k).from <= now) {
        ++k;
    }
    return outage.repeated(k).from;
}

template <typename Function>
std::uint32_t count_if(OutageForecast::Processors processors, Function has_property) {
    std::uint32_t sum = 0;
    for (const ProcessorRange& range : processors) {
        for (std::uint32_t i = 0; i < range.count; ++i) {
            sum += has_property(range.first.value + i) ? 1U : 0U;
        }
    }
    return sum;
}

}  // namespace

// Of a calendar of listed outages nothing is drawn.
OutageForecast::OutageForecast(const SystemDescription& system, Foresight foresight)
    : processors_(system.processors())
    , outages_(planned_part(system, foresight).outages.listed)
    , planned_(planned_part(system, foresight), Stream(0, Purpose::outages, 0))
    , ahead_(planned_)
    , is_out_(system.outages.empty() ? 0 : processors_, false)
    , unplanned_(is_out_) {}

void OutageForecast::begin(double now, std::span<const CapacityChange> changes) {
    if (empty()) {
        return;
    }
    now_ = now;
    std::erase_if(steps_, [now](double begin) { return begin <= now; });
    if (changes.empty() && planned_.next() > now) {
        return;
    }
    for (const CapacityChange& change : changes) {
        for (std::uint32_t i = 0; i < change.count; ++i) {
            is_out_[change.first_processor + i] = change.kind == CapacityChange::Kind::down;
        }
    }
    changes_.clear();
    planned_.take(now, changes_);
    next_outage_.clear();
    has_changed_ = false;
    for (std::uint32_t p = 0; p < processors_ && !has_changed_; ++p) {
        has_changed_ = is_unplanned(p) != unplanned_[p];
    }
}

std::uint32_t OutageForecast::count_out(Processors processors) const {
    return count_if(processors, [this](std::uint32_t p) { return is_out_[p]; });
}

void OutageForecast::restart(AvailabilityProfile& profile) {
    const double known = known_until();
    std::int32_t in_order = static_cast<std::int32_t>(processors_);
    beside_ = 0;
    for (std::uint32_t p = 0; p < is_out_.size(); ++p) {
        unplanned_[p] = is_unplanned(p);
        in_order -= unplanned_[p] ? 1 : 0;
        beside_ += planned_.is_out(p) ? 1U : 0U;
    }
    has_unplanned_ = in_order < static_cast<std::int32_t>(processors_);
    has_changed_ = false;
    ahead_ = planned_;
    steps_.clear();
    profile.reset(in_order);
    if (beside_ > 0) {
        profile.reserve(now_, ahead_.next(), beside_);
    }
    look_ahead(known, profile);
}

void OutageForecast::look_ahead(double time, AvailabilityProfile& profile) {
    while (ahead_.next() < time) {
        const double begin = std::max(ahead_.next(), now_);
        step_ahead();
        steps_.push_back(begin);
        if (beside_ > 0 && begin < ahead_.next()) {
            profile.reserve(begin, ahead_.next(), beside_);
        }
    }
}

void OutageForecast::step_ahead() {
    changes_.clear();
    ahead_.take(ahead_.next(), changes_);
    for (const CapacityChange& change : changes_) {
        const ProcessorRange range{ProcessorId{change.first_processor}, change.count};
        const std::uint32_t beside =
            count_if({&range, 1}, [this](std::uint32_t p) { return !unplanned_[p]; });
        beside_ += change.kind == CapacityChange::Kind::down ? beside : -beside;
    }
}

template <typename Function>
double OutageForecast::for_out(Processors processors, double until, Function part) const {
    double last = -OutageCalendar::never;
    if (processors.empty()) {
        return last;
    }
    OutageCalendar planned = planned_;
    std::vector<CapacityChange> changes;
    for (double begin = now_; begin < until;) {
        const double end = std::min(planned.next(), until);
        const std::uint32_t out = count_if(processors, [&](std::uint32_t p) {
            return unplanned_[p] || planned.is_out(p);
        });
        if (out > 0) {
            part(begin, end, out);
            last = end;
        }
        planned.take(end, changes);
        begin = end;
    }
    return last;
}

double OutageForecast::reserve_out(
    Processors processors, double until, AvailabilityProfile& profile
) const {
    return for_out(processors, until, [&profile](double begin, double end, std::uint32_t out) {
        profile.reserve(begin, end, out);
    });
}

double OutageForecast::release_out(
    Processors processors, double until, AvailabilityProfile& profile
) const {
    return for_out(processors, until, [&profile](double begin, double end, std::uint32_t out) {
        profile.release(begin, end, out);
    });
}

void OutageForecast::find_next_outages() {
    next_outage_.assign(processors_, OutageCalendar::never);
    for (const Outage& outage : outages_) {
        const double begin = next_begin(outage, now_);
        for (std::uint32_t i = 0; i < outage.count; ++i) {
            double& next = next_outage_[outage.first_processor + i];
            next = std::min(next, begin);
        }
    }
}

void OutageForecast::find_choices(const Machine& machine, const ClusterShare& share, double until) {
    std::uint32_t begin = 0;
    for (std::uint32_t cluster = 0; cluster < share.cluster.value; ++cluster) {
        begin += machine.processors(ClusterId{cluster});
    }
    choices_.clear();
    for (std::uint32_t p = begin; p < begin + machine.processors(share.cluster); ++p) {
        if (machine.is_free(ProcessorId{p})) {
            const double next = next_outage_[p];
            choices_.push_back({next < until, next < until ? -next : next, p});
        }
    }
    const auto comes_first = [](const Choice& a, const Choice& b) {
        return std::tie(a.is_taken_before, a.rank, a.processor)
               < std::tie(b.is_taken_before, b.rank, b.processor);
    };
    const auto end = choices_.begin() + share.count;
    std::nth_element(choices_.begin(), end, choices_.end(), comes_first);
    choices_.erase(end, choices_.end());
    std::sort(choices_.begin(), choices_.end(), [](const Choice& a, const Choice& b) {
        return a.processor < b.processor;
    });
}

void OutageForecast::name_free(
    const Machine& machine,
    std::span<const ClusterShare> shares,
    double until,
    std::vector<ProcessorRange>& named
) {
    if (outages_.empty()) {
        machine.name_free(shares, named);
        return;
    }
    if (next_outage_.empty()) {
        find_next_outages();
    }
    named.clear();
    for (const ClusterShare& share : shares) {
        find_choices(machine, share, until);
        const std::size_t own = named.size();  // ranges end with their cluster
        for (const Choice& choice : choices_) {
            if (named.size() > own
                && named.back().first.value + named.back().count == choice.processor) {
                ++named.back().count;
            } else {
                named.push_back({ProcessorId{choice.processor}, 1});
            }
        }
    }
}

OutageForecast OutageForecast::as_planned() const {
    OutageForecast planned = *this;
    for (std::uint32_t p = 0; p < is_out_.size(); ++p) {
        planned.is_out_[p] = planned_.is_out(p);
    }
    return planned;
}

}  // namespace schedfarm::policies
