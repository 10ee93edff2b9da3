#include "policies/composition/managers/manager_protocol.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "engine/simulation/kernel/unserved_job.hpp"
#include "engine/simulation/measurement/published_columns.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

void Managers::react(const EventBatch& events, Actions& actions) {
    actions_ = &actions;
    now_ = actions.now();
    std::vector<std::uint32_t> touched;
    ended_.clear();
    given_up_.clear();
    for (const JobId id : events.completions) {
        complete(id, touched);
    }
    std::vector<ManagerMail::Alarm> alarms;
    for (const Timer& timer : events.timers) {
        if (timer.owner != 0) {
            touched.push_back(static_cast<std::uint32_t>(PartNumber::owner(timer, parts_.size())));
            parts_[touched.back()].go_off(timer);
        } else if (timer == division) {
            division_time_ = never;
        } else if (const auto alarm = mail_.go_off(timer)) {
            alarms.push_back(*alarm);
        }
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const std::uint32_t k : touched) {
        parts_.have_react(k, actions);
    }
    for (const auto& [id, cluster] : given_up_) {
        parts_.abort(id, cluster, actions);
    }
    read_mail();
    for (const ManagerMail::Alarm& alarm : alarms) {
        lose_patience(alarm);
        read_mail();
    }
    if (plan_.moves_jobs()) {
        backfill();
    }
    for (const JobId id : events.arrivals) {
        submit(id);
        read_mail();
    }
    end_instant();
    if (plan_.moves_jobs()) {
        await_division();
    }
}

Job Managers::seen(JobId id) {
    Job job = actions_->job(id);
    job.fixed_start = ticket(id).fixed_start;
    return job;
}

void Managers::submit(JobId id) {
    tickets_.resize(std::max(tickets_.size(), id.value + std::size_t{1}));
    Ticket& job = ticket(id);
    const Job& submitted = actions_->job(id);
    const auto home = static_cast<std::uint32_t>(plan_.route.part_of(submitted));
    job = {};
    job.home = home;
    job.node = home;
    job.index = submitted.index;
    job.fixed_start = submitted.fixed_start;
    const std::uint32_t most = plan_.tree.processors(plan_.tree.root(home));
    if (submitted.size > most) {
        throw UnservedJobError(fmt::format(
            "job {} asks for {} processors and all clusters with a manager in common with its "
            "home cluster {} have {} (it could never start). Leave such jobs out.",
            submitted.index,
            submitted.size,
            home + 1,
            most
        ));
    }
    if (is_promoted(id)) {
        job.standing = Part::Standing::promoted;
        hand_up(id);
    } else if (may_forward(job) && is_late_at_home(id)) {
        hand_up(id);
    } else {
        job.told = {};
        job.pieces.push_back({home, submitted.size});
        choice_.add_load(home, submitted.size * planned(id));
        parts_[home].arrive(id);
        parts_.have_react(home, *actions_);
    }
}

bool Managers::is_promoted(JobId id) {
    const Ticket& job = ticket(id);
    const std::uint32_t size = actions_->job(id).size;
    const bool may_leave = job.node != job.home || !is_in_debt(job.home);
    return plan_.tree.parent(job.node) != ManagerTree::none
           && (size > plan_.tree.processors(job.node)
               || (may_leave && plan_.promotes(job.node, size, planned(id))));
}

bool Managers::is_in_debt(std::uint32_t home) const {
    return accounts_.deficit(home) >= plan_.most_deficit;
}

bool Managers::may_forward(const Ticket& job) const {
    return plan_.bump < never && plan_.tree.parent(job.node) != ManagerTree::none
           && (job.node != job.home || !is_in_debt(job.home));
}

bool Managers::is_late(const Ticket& job, double start) const {
    return start - (job.is_fixed() ? job.fixed_start : now_) > plan_.bump;
}

bool Managers::is_late_at_home(JobId id) {
    Ticket& job = ticket(id);
    const double start = parts_[job.home].earliest_start(seen(id), now_, now_);
    job.told.push_back({job.home, start});
    return is_late(job, start);
}

void Managers::hand_up(JobId id) {
    Ticket& job = ticket(id);
    job.step = Step::rising;
    job.is_taken = false;
    job.sender = job.node;
    request(id);
}

void Managers::request(JobId id) {
    const std::uint32_t sender = ticket(id).sender;
    send(MessageKind::request, sender, plan_.tree.parent(sender), id, 0);
    wait(id, ManagerMail::Waiting::sender);
}

void Managers::take_request(const Letter& letter) {
    Ticket& job = ticket(letter.job);
    send(MessageKind::taken, letter.to, letter.from, letter.job, 0);
    if (job.node != letter.from) {
        return;  // it came before
    }
    job.node = letter.to;
    if (job.standing == Part::Standing::promoted && is_promoted(letter.job)) {
        hand_up(letter.job);
    } else {
        choose(letter.job);
    }
}

void Managers::choose(JobId id) {
    Ticket& job = ticket(id);
    choice_.choose(job, seen(id), now_);
    const double start =
        std::max(job.start, choice_.soonest(job, now_, ClusterChoice::is_told(job)));
    if (job.is_fixed() && start > job.fixed_start) {
        actions_->announce({engine::Observation{reservations_refused, 1}, id});
        actions_->announce({engine::Observation{offered_delay, start - job.fixed_start}, id});
        job.fixed_start = no_fixed_start;
        job.told.clear();
        choose(id);
    } else if (may_forward(job) && is_late(job, job.start)) {
        hand_up(id);
    } else if (job.pieces.size() == 1 && !ClusterChoice::is_told(job)) {
        job.step = Step::inquiring;
        ask(MessageKind::inquiry, id, job.start);
    } else {
        job.step = Step::reserving;
        ask(MessageKind::reserve, id, gives_way(job) ? never : job.start);
    }
}

bool Managers::gives_way(const Ticket& job) const {
    return job.pieces.size() == 1 && !job.is_fixed()
           && job.declines > plan_.tree.clusters(job.node).size();
}

void Managers::ask(MessageKind kind, JobId id, double time) {
    for (std::size_t i = 0; i < ticket(id).pieces.size(); ++i) {
        const Ticket& job = ticket(id);
        if (job.pieces[i].state != State::ended) {
            send(kind, job.node, job.pieces[i].cluster, id, time);
        }
    }
    wait(id, ManagerMail::Waiting::manager);
}

void Managers::take_offer(const Letter& letter) {
    Ticket& job = ticket(letter.job);
    if (job.move) {
        reserve_move(letter);
        return;
    }
    if (job.step != Step::inquiring || job.pieces.front().cluster != letter.from) {
        return;
    }
    job.told.push_back({letter.from, letter.time});
    if (letter.time > job.start) {
        choose(letter.job);
        return;
    }
    job.step = Step::reserving;
    ask(MessageKind::reserve, letter.job, job.start);
}

void Managers::take_vote(const Letter& letter) {
    Ticket& job = ticket(letter.job);
    if (job.move) {
        release_for_move(letter);
        return;
    }
    if (job.step != Step::reserving) {
        return;
    }
    JobPiece& piece = *job.find_piece(letter.from);
    if (letter.kind == MessageKind::accepted) {
        piece.state = State::accepted;
        if (job.all_are(State::accepted)) {
            plan_work(letter.job, 1);
            job.step = Step::committing;
            ask(MessageKind::commit, letter.job, 0);
        }
        return;
    }
    piece.state = State::ended;
    job.told.push_back({letter.from, letter.time});
    job.from = std::max(job.from, letter.time);
    note_decline(letter.from);
    abort(letter.job);
}

void Managers::note_decline(std::uint32_t cluster) {
    choice_.forget(cluster);
    actions_->announce({engine::Observation{reservations_declined, 1}});
}

void Managers::plan_work(JobId id, double times) {
    const Ticket& job = ticket(id);
    for (const JobPiece& one : job.pieces) {
        const double work = times * one.size * planned(id);
        accounts_.plan(job.home, one.cluster, work);
        choice_.add_load(one.cluster, work);
    }
}

void Managers::abort(JobId id) {
    Ticket& job = ticket(id);
    job.step = Step::aborting;
    ++job.declines;
    if (job.all_are(State::ended)) {
        choose(id);
    } else {
        ask(MessageKind::abort, id, 0);
    }
}

void Managers::take_done(const Letter& letter) {
    Ticket& job = ticket(letter.job);
    job.move.reset();
    if (job.step != Step::committing && job.step != Step::aborting) {
        return;
    }
    job.find_piece(letter.from)->state = State::ended;
    if (!job.all_are(State::ended)) {
        return;
    }
    if (job.step == Step::aborting) {
        choose(letter.job);
    } else {
        job.step = Step::settled;
        job.told = {};
        add_movable(letter.job);
    }
}

void Managers::take_inquiry(const Letter& letter) {
    const double from = mail_.may_be_late() ? std::max(now_, letter.time) : now_;
    const double start = parts_[letter.to].earliest_start(seen(letter.job), from, now_);
    send(MessageKind::offer, letter.to, letter.from, letter.job, start);
}

void Managers::take_reserve(const Letter& letter) {
    Ticket& job = ticket(letter.job);
    const JobPiece* const piece = job.find_piece(letter.to);
    if (piece == nullptr) {
        return;  // it was to move here, and has ended
    }
    const Job own = job.as_seen(seen(letter.job), *piece, letter.time);
    Job asked = own;
    if (mail_.may_be_late() && !job.is_fixed()) {  // it must not begin before it is committed
        asked.fixed_start = letter.time < never
                                ? letter.time
                                : parts_[letter.to].earliest_start(
                                    own, plan_.after_messages(2, job.node, now_), now_
                                );
    }
    const double start = parts_[letter.to].earliest_start(asked, now_, now_);
    const bool is_in_time = start <= letter.time;
    if (is_in_time) {
        parts_.reserve(letter.job, asked, own, job.standing, letter.to, *actions_);
    }
    const MessageKind vote = is_in_time ? MessageKind::accepted : MessageKind::declined;
    send(vote, letter.to, letter.from, letter.job, start);
}

void Managers::take_commit(const Letter& letter) {
    const Ticket& job = ticket(letter.job);
    std::vector<std::uint32_t> clusters;
    for (const JobPiece& piece : job.pieces) {
        clusters.push_back(piece.cluster);
    }
    parts_.commit(letter.job, {clusters, job.is_fixed()}, letter.to, *actions_);
    send(MessageKind::done, letter.to, letter.from, letter.job, 0);
}

void Managers::end_instant() {
    for (;;) {
        parts_.have_lapse(*actions_);
        std::vector<JobId> late = parts_.lapsed();
        std::erase_if(late, [this](JobId id) { return ticket(id).step != Step::settled; });
        std::sort(late.begin(), late.end(), [this](JobId a, JobId b) {
            return ticket(a).index < ticket(b).index;
        });
        if (late.empty()) {
            return;
        }
        for (const JobId id : late) {
            take_back(id);
        }
        for (const JobId id : late) {
            choose(id);
            read_mail();
        }
    }
}

void Managers::take_back(JobId id) {
    Ticket& job = ticket(id);
    parts_.forget(id);
    plan_work(id, -1);
    if (job.is_fixed()) {
        actions_->announce({engine::Observation{reservations_missed, 1}, id});
        job.fixed_start = no_fixed_start;
    }
}

void Managers::take_abort(const Letter& letter) {
    parts_.abort(letter.job, letter.to, *actions_);
    send(MessageKind::done, letter.to, letter.from, letter.job, 0);
}

void Managers::take_release(const Letter& letter) {
    const Ticket& job = ticket(letter.job);
    if (!job.move) {
        return;  // it has ended
    }
    const Part& own = parts_[letter.to];
    const bool is_later = actions_->state(letter.job) == JobState::waiting
                          && own.moving_ahead()->start_of(own.number(letter.job)) > letter.time;
    if (is_later) {
        parts_.take_back(letter.job, letter.to, *actions_);
    }
    const MessageKind answer = is_later ? MessageKind::released : MessageKind::kept;
    send(answer, letter.to, letter.from, letter.job, 0);
}

void Managers::complete(JobId id, std::vector<std::uint32_t>& touched) {
    Ticket& job = ticket(id);
    const double service = actions_->job(id).service_time;
    if (job.move) {  // nobody waits for what it has reserved elsewhere
        given_up_.emplace_back(id, job.move->to.cluster);
        job.move.reset();
    }
    for (const JobPiece& piece : job.pieces) {
        ended_[piece.cluster] = id;
        parts_[piece.cluster].complete(id);
        touched.push_back(piece.cluster);
        choice_.add_load(piece.cluster, -(piece.size * planned(id)));
        accounts_.plan(job.home, piece.cluster, piece.size * (service - planned(id)));
        accounts_.publish(id, job.home, piece.cluster, piece.size * service, *actions_);
    }
    const bool has_moved = job.pieces.size() > 1 || job.pieces.front().cluster != job.home;
    actions_->announce({engine::Observation{jobs_moved, has_moved ? 1.0 : 0.0}, id});
    job.step = Step::settled;
    std::erase(movable_, id);
    if (mail_.may_be_late()) {
        actions_->cancel_timer(ManagerMail::alarm(id, ManagerMail::Waiting::sender));
        actions_->cancel_timer(ManagerMail::alarm(id, ManagerMail::Waiting::manager));
    }
}

void Managers::send(MessageKind kind, std::uint32_t from, std::uint32_t to, JobId id, double time) {
    const std::uint32_t above = std::max(plan_.tree.level(from), plan_.tree.level(to));
    const std::uint32_t below = std::min(plan_.tree.level(from), plan_.tree.level(to));
    mail_.send({kind, from, to, id, ticket(id).index, time}, above - below, *actions_);
}

void Managers::wait(JobId id, ManagerMail::Waiting who) {
    if (mail_.may_be_late()) {
        actions_->cancel_timer(ManagerMail::alarm(id, who));
        actions_->set_timer(now_ + plan_.time_out, ManagerMail::alarm(id, who));
    }
}

void Managers::lose_patience(const ManagerMail::Alarm& alarm) {
    Ticket& job = ticket(alarm.job);
    if (alarm.who == ManagerMail::Waiting::sender) {
        if (!job.is_taken) {
            request(alarm.job);
        }
    } else if (job.step == Step::inquiring) {
        choose(alarm.job);
    } else if (job.step == Step::reserving) {
        abort(alarm.job);
    } else if (job.step == Step::committing || job.step == Step::aborting) {
        const bool commits = job.step == Step::committing;
        ask(commits ? MessageKind::commit : MessageKind::abort, alarm.job, 0);
    }
}

void Managers::read_mail() {
    while (const std::optional<Letter> letter = mail_.receive()) {
        actions_->announce({engine::Message{
            .kind = static_cast<std::uint32_t>(letter->kind),
            .from = letter->from,
            .to = letter->to,
            .subject = letter->index,
            .time = letter->time}});
        // After its end another job may have its slot: what is left are answers to commits.
        if (ticket(letter->job).index == letter->index || letter->kind == MessageKind::freed) {
            take(*letter);
        }
    }
}

void Managers::take_taken(const Letter& letter) {
    Ticket& job = ticket(letter.job);
    job.is_taken = job.is_taken || job.sender == letter.to;
}

void Managers::take(const Letter& letter) {
    using Take = void (Managers::*)(const Letter&);
    constexpr std::array<Take, 14> by_kind = {
        &Managers::take_request,
        &Managers::take_taken,
        &Managers::take_inquiry,
        &Managers::take_offer,
        &Managers::take_reserve,
        &Managers::take_vote,
        &Managers::take_vote,
        &Managers::take_commit,
        &Managers::take_abort,
        &Managers::take_done,
        &Managers::take_release,
        &Managers::commit_move,
        &Managers::commit_move,
        &Managers::take_freed};
    (this->*by_kind.at(static_cast<std::size_t>(letter.kind)))(letter);
}

std::unique_ptr<Policy> make_managers(ManagersPlan plan, const PolicyContext& context) {
    return std::make_unique<Managers>(std::move(plan), context);
}

}  // namespace schedfarm::policies
