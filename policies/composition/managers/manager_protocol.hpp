// The protocol between managers and clusters that managers.hpp describes. What a manager decides by
// is in cluster_choice.hpp, what a cluster does in reserved_parts.hpp. How jobs are placed is in
// manager_protocol.cpp, how they move ahead over clusters in manager_moves.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/foundation/special_values.hpp"
#include "engine/simulation/kernel/actions.hpp"

#include "policies/composition/managers/cluster_choice.hpp"
#include "policies/composition/managers/manager_mail.hpp"
#include "policies/composition/managers/managers.hpp"
#include "policies/composition/managers/trade_accounts.hpp"
#include "policies/composition/reserved_parts.hpp"

namespace schedfarm::policies {

class Managers final : public engine::Policy {
  public:
    Managers(ManagersPlan plan, const engine::PolicyContext& context)
        : plan_(std::move(plan))
        , mail_(plan_.message_delay, plan_.lost)
        , accounts_(context.system.clusters.size())
        , parts_(plan_.inner, context)
        , choice_(plan_, parts_) {
        for (std::uint32_t k = 0; plan_.moves_at_once() && k < parts_.size(); ++k) {
            if (parts_[k].moving_ahead() != nullptr && plan_.tree.root(k) != k) {
                parts_[k].moving_ahead()->wait_for_word();
            }
        }
    }

    void react(const engine::EventBatch& events, engine::Actions& actions) override;

  private:
    using Step = Ticket::Step;
    using State = JobPiece::State;

    Ticket& ticket(engine::JobId id) { return tickets_[id.value]; }
    double planned(engine::JobId id) const {
        return engine::planned_duration(actions_->job(id), plan_.run_time);
    }
    /// As the managers see it: a refused advance reservation is none any more.
    engine::Job seen(engine::JobId id);

    void submit(engine::JobId id);
    bool is_promoted(engine::JobId id);
    bool is_in_debt(std::uint32_t home) const;
    bool may_forward(const Ticket& job) const;
    bool is_late(const Ticket& job, double start) const;
    /// By what the job's own cluster says; that is then known.
    bool is_late_at_home(engine::JobId id);
    void hand_up(engine::JobId id);
    void request(engine::JobId id);
    void take_request(const Letter& letter);
    void choose(engine::JobId id);

    /// A job that was declined again and again takes any start at the cluster that it asks last.
    bool gives_way(const Ticket& job) const;

    /// Of every piece that has not ended.
    void ask(MessageKind kind, engine::JobId id, double time);
    void take_offer(const Letter& letter);
    void take_vote(const Letter& letter);
    void note_decline(std::uint32_t cluster);

    /// Of all pieces, `times` what they are planned for.
    void plan_work(engine::JobId id, double times);
    void abort(engine::JobId id);
    void take_done(const Letter& letter);

    // Moving ahead over clusters.
    /// A job that waits in a calendar that it was chosen for.
    void add_movable(engine::JobId id);
    engine::MovingAhead* calendar_of(const Ticket& job);
    void backfill();
    void backfill(std::uint32_t root);

    /// Whom managers below this one, or it, have placed.
    void move_ahead_below(std::uint32_t root);
    void move_local_ahead(const std::vector<std::uint32_t>& clusters);

    /// On its own cluster its calendar does it, but for where managers say when.
    void move_ahead(engine::JobId id);
    void reserve_move(const Letter& letter);
    void release_for_move(const Letter& letter);
    void commit_move(const Letter& letter);

    /// To all managers above the cluster.
    void tell_of_end(std::uint32_t cluster);
    void take_freed(const Letter& letter);

    /// Slots are divided at their time, whether anybody else looks then or not.
    void await_division();

    // At a cluster.
    void take_inquiry(const Letter& letter);
    void take_reserve(const Letter& letter);
    void take_commit(const Letter& letter);

    /// Jobs of which every piece has lapsed are chosen anew, once all is answered.
    void end_instant();
    void take_back(engine::JobId id);
    void take_abort(const Letter& letter);
    void take_release(const Letter& letter);
    void complete(engine::JobId id, std::vector<std::uint32_t>& touched);

    // Messages.
    void send(
        MessageKind kind, std::uint32_t from, std::uint32_t to, engine::JobId id, double time
    );
    void wait(engine::JobId id, ManagerMail::Waiting who);
    void lose_patience(const ManagerMail::Alarm& alarm);
    void read_mail();
    void take_taken(const Letter& letter);
    void take(const Letter& letter);

    ManagersPlan plan_;
    ManagerMail mail_;
    TradeAccounts accounts_;
    ReservedParts parts_;
    ClusterChoice choice_;
    std::vector<Ticket> tickets_;  // by slot of the job
    /// That may move between clusters, in order of submission; some may have started.
    std::vector<engine::JobId> movable_;
    static constexpr engine::Timer division{3};  // unlike those of the mail
    double division_time_ = engine::never;

    // Of the batch being taken.
    engine::Actions* actions_ = nullptr;
    double now_ = 0;
    std::map<std::uint32_t, engine::JobId> ended_;  // the last one, by cluster
    std::vector<std::pair<engine::JobId, std::uint32_t>>
        given_up_;                      // reservations of jobs that ended
    std::vector<std::uint32_t> moved_;  // clusters in which jobs have moved ahead
};

}  // namespace schedfarm::policies
