#include "referee/tournament/scheduler/notices.h"

#include <algorithm>
#include <set>
#include <utility>

#include "protocol/base/overloaded.h"
#include "protocol/base/text.h"
#include "protocol/messages.h"

namespace referee::scheduler {
namespace {

namespace json = protocol::json;

void tell(const lobby::Bot& bot, protocol::NoteCode code, const std::string& message) {
    auto* session = bot.session();
    if (session == nullptr) return;
    session->send(protocol::Note{.code = protocol::name_of(code), .message = message});
    session->flush();
}

}  // namespace

std::string words_of_ruling(const contests::Contest& contest, std::uint64_t match) {
    const auto* ruling = contest.arbiter().ruling_of(match);
    if (ruling == nullptr || !contest.matches().known(match)) return {};
    const auto& seats = contest.matches().pairing(match).seats;
    auto words = "the arbiter set the result of match " + match_id(contest.config().id, match);
    for (std::size_t seat = 0; seat < seats.size() && seat < ruling->placing.size(); ++seat)
        words += fmt::format("{}{} {}", seat == 0 ? ": " : ", ", contest.name(seats[seat]),
                             ruling->placing[seat]);
    return ruling->reason.empty() ? words : words + "; " + ruling->reason;
}

std::string takes_part(const std::string& bot, const config::TournamentConfig& tournament) {
    const bool has_rounds = !formats::traits_of(tournament.format).pairs_who_is_free;
    return bot + " takes part in " + tournament.id +
           (has_rounds ? " from the next round on" : " from now on");
}

void Notices::recorded(const contests::Contest& contest,
                       const std::vector<records::Record>& records) const {
    Observer::Annulled games;
    std::set<std::uint64_t> results;
    const auto tell_games = [&] {
        annulled(contest, std::exchange(games, {}));
        for (const auto ordinal : std::exchange(results, {})) {
            if (const auto* result = contest.results().find(ordinal)) match(contest, *result);
        }
    };
    const auto note =
        base::Overloaded{[&](const records::WithdrawalRecord& one) { withdrawn(contest, one); },
                         [&](const records::EntryRecord& one) { admitted(contest, one.bot); },
                         [&](const records::AnnulmentRecord& one) {
                             games.games.push_back(one.key);
                             games.reason = one.reason;
                         },
                         [&](const records::RestorationRecord& one) {
                             games.games.push_back(one.key);
                             games.reason = one.reason;
                             games.count_again = true;
                             results.insert(one.key.match);
                         },
                         [&](const records::RulingRecord& one) { results.insert(one.match); },
                         [&](const records::StateRecord& one) {
                             tell_games();
                             state(contest, one.reason);
                         },
                         [](const auto& /*it shows when it is played*/) {}};
    for (const auto& record : records) std::visit(note, record);
    tell_games();
}

void Notices::state(const contests::Contest& contest, const std::string& reason) const {
    observers_.tell(&Observer::on_state, contest.config().id, contest.state(), reason);
}

void Notices::ended(const contests::Contest& contest, const contests::GameEnd& end,
                    const table::Table* table) const {
    const auto& id = contest.config().id;
    const auto& result = end.game->result;
    observers_.tell(&Observer::on_game, end.game, table);
    if (end.match && table != nullptr) match(contest, *end.match);
    if (end.match && table == nullptr) observers_.tell(&Observer::on_match, id, *end.match);
    if (result.status == GameStatus::annulled &&
        contest.matches().aside().contains({result.key.match, result.key.number}))
        observers_.tell(&Observer::on_set_aside, id);
}

void Notices::withdrawn(const contests::Contest& contest,
                        const records::WithdrawalRecord& withdrawal) const {
    const auto& bot = context_.lobby.bot(withdrawal.bot);
    const auto entrant = contest.entrant_named(withdrawal.bot);
    const bool idle = entrant && contest.withdrawn_as_idle(*entrant);
    auto message = bot.name() + " is withdrawn from " + contest.config().id +
                   (contest.has_fixed_list() ? "; its games that have not begun are forfeited: "
                    : formats::traits_of(contest.config().format).pairs_who_is_free
                        ? ": "
                        : fmt::format(" from round {} on: ", withdrawal.round)) +
                   names_.name_mask_of(contest.config().id, bot.name()).words(withdrawal.reason);
    message += idle && !context_.supply.launches(bot) ? "; log in again to play on"
                                                      : "; the instructor may let it in again";
    tell(bot, protocol::NoteCode::withdrawn, message);
    observers_.tell(&Observer::on_withdrawn, contest.config().id, bot.name(), withdrawal.reason);
}

void Notices::admitted(const contests::Contest& contest, const std::string& name) const {
    tell(context_.lobby.bot(name), protocol::NoteCode::admitted,
         takes_part(name, contest.config()));
    observers_.tell(&Observer::on_admitted, contest.config().id, name);
}

void Notices::annulled(const contests::Contest& contest, const Observer::Annulled& annulled) const {
    if (annulled.games.empty()) return;
    const auto& id = contest.config().id;
    std::map<std::string, std::vector<std::string>> games;  // by bot
    for (const auto& key : annulled.games) {
        if (!contest.matches().known(key.match)) continue;
        for (const auto entrant : contest.matches().pairing(key.match).seats)
            games[contest.name(entrant)].push_back(game_id(key));
    }
    for (const auto& [name, its] : games) {
        const bool one = its.size() == 1;
        const auto what =
            one ? "game " + its.front()
                : fmt::format("{} games of {}, the first {},", its.size(), id, its.front());
        const auto why = ", by order: " + names_.name_mask_of(id, name).words(annulled.reason);
        if (annulled.count_again)
            tell(context_.lobby.bot(name), protocol::NoteCode::restored,
                 what + (one ? " counts again" : " count again") + why);
        else
            tell(context_.lobby.bot(name), protocol::NoteCode::annulled,
                 what +
                     (one ? " does not count any more and is played again"
                          : " do not count any more and are played again") +
                     why);
    }
    observers_.tell(&Observer::on_annulled, id, annulled);
}

void Notices::match(const contests::Contest& contest, const formats::MatchResult& match) const {
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
    message.reason = "all games of the match are played";
    const auto* ruling = contest.arbiter().ruling_of(match.match);
    const bool has_reason = ruling != nullptr && !ruling->reason.empty();
    const auto reason = has_reason ? ": " + ruling->reason : std::string();
    std::vector<std::string> names;
    for (const auto entrant : match.seats) names.push_back(contest.name(entrant));
    for (const auto& name : names) {
        auto* session = context_.lobby.bot(name).session();
        if (session == nullptr) continue;
        const auto name_mask = names_.name_mask_of(contest.config().id, name);
        std::vector<std::string> told;
        for (const auto& other : names) told.push_back(name_mask.name(other));
        message.names.assign(told.begin(), told.end());
        // What a message tells is not its own.
        const auto ruled = "the arbiter set the result of the match" + name_mask.words(reason);
        if (match.ruled) message.reason = ruled;
        session->send(message);
        session->flush();
    }
    observers_.tell(&Observer::on_match, contest.config().id, match);
}

std::vector<std::string_view> DisplayNames::names() const {
    std::vector<std::string_view> names(settings_.names.begin(), settings_.names.end());
    for (const auto& bot : lobby_.bots()) names.push_back(bot.first);
    for (const auto& scheduled : contests_) {
        for (const auto& entry : scheduled->contest->entries()) names.push_back(entry.name);
    }
    return names;
}

}  // namespace referee::scheduler
