#include "referee/arena/scheduler/notices.h"

#include "protocol/codec.h"

namespace referee::scheduler {
namespace {

namespace json = protocol::json;

void tell(const lobby::Bot& bot, protocol::NoteCode code, const std::string& message) {
    auto* session = bot.session();
    if (session == nullptr) return;
    protocol::Note note;
    note.code = protocol::name_of(code);
    note.message = message;
    session->send(note);
    session->flush();
}

}  // namespace

void tell_withdrawn(const Surroundings& with, Observer& observer, const Contest& contest,
                    const journal::WithdrawalRecord& withdrawal, ToldNames& names) {
    const auto& bot = with.lobby.bot(withdrawal.bot);
    const auto entrant = contest.entrant_named(withdrawal.bot);
    const bool idle = entrant && contest.withdrawn_as_idle(*entrant);
    auto message = bot.name() + " is withdrawn from " + contest.config().id + " from round " +
                   std::to_string(withdrawal.round) + " on: " +
                   names.veil_of(contest.config().id, bot.name()).words(withdrawal.reason);
    message += idle && !with.supply.launches(bot) ? "; log in again to play on"
                                                  : "; the instructor may let it in again";
    tell(bot, protocol::NoteCode::withdrawn, message);
    observer.on_attendance(contest.config().id, bot.name(), true, withdrawal.reason);
}

void tell_admitted(const Surroundings& with, Observer& observer, const Contest& contest,
                   const std::string& name) {
    tell(with.lobby.bot(name), protocol::NoteCode::admitted,
         name + " takes part in " + contest.config().id + " from the next round on");
    observer.on_attendance(contest.config().id, name, false, {});
}

void tell_match(lobby::Lobby& lobby, const Contest& contest, const tournament::MatchResult& match,
                ToldNames& told_names) {
    std::string scores;
    json::Writer writer(scores);
    writer.begin_array();
    for (const auto points : match.points) points.write(writer);
    writer.end_array();
    const auto id = match_id(contest.config().id, match.match);
    protocol::MatchEnd message;
    message.match = id;
    message.scores = scores;
    message.placing.assign(match.placing.begin(), match.placing.end());
    message.games = match.games;
    message.reason = match.ruled ? "the arbiter set the result of the match"
                                 : "all games of the match are played";
    std::vector<std::string> names;
    for (const auto entrant : match.seats) names.push_back(contest.name(entrant));
    for (const auto& name : names) {
        auto* session = lobby.bot(name).session();
        if (session == nullptr) continue;
        const auto veil = told_names.veil_of(contest.config().id, name);
        std::vector<std::string> told;
        for (const auto& other : names) told.push_back(veil.name(other));
        message.names.assign(told.begin(), told.end());
        session->send(message);
        session->flush();
    }
}

}  // namespace referee::scheduler
