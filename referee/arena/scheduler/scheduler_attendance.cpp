#include <utility>

#include "referee/arena/scheduler/scheduler.h"

// Who leaves a tournament while it is played, and who comes back.

namespace referee::scheduler {
namespace {

void tell(lobby::Bot& bot, protocol::NoteCode code, const std::string& message) {
    auto* session = bot.session();
    if (session == nullptr) return;
    protocol::Note note;
    note.code = protocol::name_of(code);
    note.message = message;
    session->send(note);
    session->flush();
}

}  // namespace

void Scheduler::tell_withdrawn(const Contest& contest,
                               const journal::WithdrawalRecord& withdrawal) {
    auto& bot = with_.lobby.bot(withdrawal.bot);
    const auto entrant = contest.entrant_named(withdrawal.bot);
    const bool idle = entrant && contest.withdrawn_as_idle(*entrant);
    auto message = bot.name() + " is withdrawn from " + contest.config().id + " from round " +
                   std::to_string(withdrawal.round) + " on: " + withdrawal.reason;
    message += idle && !with_.supply.launches(bot) ? "; log in again to play on"
                                                   : "; the instructor may let it in again";
    tell(bot, protocol::NoteCode::withdrawn, message);
    observer_.on_attendance(contest.config().id, bot.name(), true, withdrawal.reason);
}

void Scheduler::tell_admitted(const Contest& contest, const std::string& bot) {
    tell(with_.lobby.bot(bot), protocol::NoteCode::admitted,
         bot + " takes part in " + contest.config().id + " from the next round on");
    observer_.on_attendance(contest.config().id, bot, false, {});
}

void Scheduler::welcome_back(const lobby::Bot& bot) {
    const bool by_order_only = with_.supply.launches(bot);
    for (const auto& slot : slots_) {
        // The contest may be drawing its next round on another thread: it is asked later.
        if (!by_order_only && bot.plays(slot->contest->config().game))
            slot->back.push_back(bot.name());
    }
    pump();
}

void Scheduler::let_back_in(Slot& slot) {
    auto& contest = *slot.contest;
    for (const auto& name : std::exchange(slot.back, {})) {
        const auto entrant = contest.entrant_named(name);
        if (!entrant || !contest.withdrawn_as_idle(*entrant)) continue;
        admit(contest.config().id, contest.entry(*entrant), [](const auto& /*refused*/) {});
    }
}

}  // namespace referee::scheduler
