// Promoted jobs that wait move ahead over the clusters of their managers: at once, or by messages.
#include <algorithm>
#include <optional>

#include "policies/composition/managers/manager_protocol.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

void Managers::add_movable(JobId id) {
    const Ticket& job = ticket(id);
    if (plan_.moves_jobs() && job.standing == Part::Standing::promoted && !job.is_fixed()
        && job.pieces.size() == 1 && calendar_of(job) != nullptr
        && actions_->state(id) == JobState::waiting) {
        movable_.insert(
            std::upper_bound(
                movable_.begin(),
                movable_.end(),
                id,
                [this](JobId a, JobId b) { return ticket(a).index < ticket(b).index; }
            ),
            id
        );
    }
}

MovingAhead* Managers::calendar_of(const Ticket& job) {
    return parts_[job.pieces.front().cluster].moving_ahead();
}

void Managers::backfill() {
    std::erase_if(movable_, [this](JobId id) { return actions_->state(id) != JobState::waiting; });
    for (std::uint32_t node = 0; node < plan_.tree.nodes(); ++node) {
        if (plan_.tree.level(node) > 0 && plan_.tree.root(node) == node) {
            backfill(node);
        }
    }
}

void Managers::backfill(std::uint32_t root) {
    using Cause = MovingAhead::Cause;
    const auto all = plan_.tree.clusters(root);
    bool is_divided = false;
    std::vector<std::uint32_t> early;
    for (const std::uint32_t k : all) {
        MovingAhead* const calendar = parts_[k].moving_ahead();
        const Cause cause = calendar == nullptr ? Cause::none : calendar->cause(now_);
        is_divided = is_divided || cause == Cause::division;
        if (cause == Cause::early_end) {
            early.push_back(k);
        }
    }
    if (!plan_.moves_at_once()) {
        if (is_divided) {
            move_ahead_below(root);
        }
        for (const std::uint32_t k : early) {
            tell_of_end(k);
        }
        read_mail();
    } else if (is_divided) {
        move_ahead_below(root);
        move_local_ahead({all.begin(), all.end()});
    } else {
        for (const std::uint32_t k : early) {
            move_ahead_below(root);
            move_local_ahead({k});
        }
    }
    for (const std::uint32_t k : std::exchange(moved_, {})) {
        parts_.have_react(k, *actions_);
    }
}

void Managers::move_ahead_below(std::uint32_t root) {
    for (const JobId id : std::vector<JobId>(movable_)) {
        if (plan_.tree.root(ticket(id).home) == root) {
            move_ahead(id);
        }
    }
}

void Managers::move_local_ahead(const std::vector<std::uint32_t>& clusters) {
    for (const std::uint32_t k : clusters) {
        if (MovingAhead* const calendar = parts_[k].moving_ahead()) {
            calendar->move_local_ahead(now_);
            moved_.push_back(k);
        }
    }
}

void Managers::move_ahead(JobId id) {
    Ticket& job = ticket(id);
    if (job.move) {
        return;
    }
    const std::uint32_t cluster = job.pieces.front().cluster;
    const JobId number = parts_[cluster].number(id);
    const double planned = calendar_of(job)->start_of(number);
    if (planned <= now_) {
        return;
    }
    const double own =
        plan_.moves_at_once() ? calendar_of(job)->earlier_start(number, now_) : never;
    const bool may_leave = cluster != job.home || !is_in_debt(job.home);
    const auto found = choice_.choose_earlier(
        job, seen(id), {planned, own, plan_.after_messages(7, job.node, now_), may_leave}, now_
    );
    if (!found) {
        return;
    }
    if (found->cluster == cluster) {
        calendar_of(job)->move_ahead(number, found->time);
        moved_.push_back(cluster);
        return;
    }
    job.move = {{found->cluster, actions_->job(id).size}, found->time};
    send(MessageKind::inquiry, job.node, found->cluster, id, found->time);
    read_mail();
}

void Managers::reserve_move(const Letter& letter) {
    Ticket& job = ticket(letter.job);
    const Part& own = parts_[job.pieces.front().cluster];
    if (letter.time < own.moving_ahead()->start_of(own.number(letter.job))) {
        job.move->start = letter.time;
        send(MessageKind::reserve, letter.to, letter.from, letter.job, letter.time);
    } else {
        job.move.reset();
    }
}

void Managers::release_for_move(const Letter& letter) {
    Ticket& job = ticket(letter.job);
    if (letter.kind == MessageKind::accepted) {
        const std::uint32_t own = job.pieces.front().cluster;
        send(MessageKind::release, letter.to, own, letter.job, job.move->start);
    } else {
        note_decline(letter.from);
        job.move.reset();
    }
}

void Managers::commit_move(const Letter& letter) {
    Ticket& job = ticket(letter.job);
    if (!job.move) {
        return;  // it has ended
    }
    const std::uint32_t to = job.move->to.cluster;
    if (letter.kind == MessageKind::kept) {
        send(MessageKind::abort, letter.to, to, letter.job, 0);
        return;
    }
    plan_work(letter.job, -1);
    job.pieces.front().cluster = to;
    plan_work(letter.job, 1);
    send(MessageKind::commit, letter.to, to, letter.job, 0);
}

void Managers::tell_of_end(std::uint32_t cluster) {
    for (std::uint32_t node = plan_.tree.parent(cluster); node != ManagerTree::none;
         node = plan_.tree.parent(node)) {
        send(MessageKind::freed, cluster, node, ended_.at(cluster), 0);
    }
}

void Managers::take_freed(const Letter& letter) {
    for (const JobId id : std::vector<JobId>(movable_)) {
        if (ticket(id).node == letter.to && actions_->state(id) == JobState::waiting) {
            move_ahead(id);
        }
    }
}

void Managers::await_division() {
    double next = never;
    bool is_awaited = false;
    for (std::uint32_t k = 0; k < parts_.size(); ++k) {
        if (const MovingAhead* const calendar = parts_[k].moving_ahead();
            calendar != nullptr && plan_.tree.root(k) != k) {
            next = std::min(next, calendar->next_division());
            is_awaited = is_awaited || calendar->has_movable();
        }
    }
    next = is_awaited ? next : never;
    if (next == division_time_) {
        return;
    }
    if (division_time_ < never) {
        actions_->cancel_timer(division);
    }
    if (next < never) {
        actions_->set_timer(next, division);
    }
    division_time_ = next;
}

}  // namespace schedfarm::policies
