#include <algorithm>
#include <boost/asio/post.hpp>

#include "protocol/base/find.h"
#include "tests/sim/instructor.h"

// What an instructor sees of the orders that were taken: while they are in force, and when all is
// over.

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::records::TournamentState;

// An order is recorded, and games are seated, within this time, whatever the disk and the bots do.
constexpr Duration takes_effect_within = 2s;
constexpr Duration looks_every = 50ms;
constexpr Duration complains_again_after = 10s;

}  // namespace

bool Instructor::is_launched(const std::string& bot) const {
    const auto& bots = referee_->config().bots;
    return std::ranges::any_of(
        bots, [&bot](const auto& one) { return one.name == bot && one.launched(); });
}

// Of all that was begun. A ladder never ends by itself.
bool Instructor::all_is_played() const {
    const auto statuses = scheduler().statuses();
    return std::ranges::all_of(statuses, [](const auto& contest) {
        return contest.state == TournamentState::finished ||
               contest.state == TournamentState::waiting;
    });
}

void Instructor::on_game_started(const std::string& tournament, const std::string& game_id) {
    if (!std::exchange(games_begun_, true)) plan_orders(true);
    // What ran when the limit became another one is played to its end.
    const bool settled = !limited_since_ || world_.now() - *limited_since_ > takes_effect_within;
    if (settled && scheduler().games_running() > referee_->config().games_at_once)
        complain_(game_id + " was begun beside too many others");
    if (tournament != plan_.tournament.id) return;
    if (held_) complain_(game_id + " was begun, though a pause or an abort was taken");
}

// Whether nobody is to be waited for before the first games.
bool Instructor::all_are_there() const {
    const auto contest = status();
    for (referee::formats::Entrant entrant = 0; entrant < contest.entries->size(); ++entrant) {
        const auto& bot = contest.name(entrant);
        if (!contest.is_withdrawn(entrant) && !is_launched(bot) &&
            !referee_->lobby().bot(bot).connected())
            return false;
    }
    return true;
}

// Whether a waiting game could begin: each of its bots is here and free, or withdrawn and away.
bool Instructor::could_begin(const referee::contests::GamePlan& game) const {
    const auto contest = status();
    return std::ranges::all_of(game.entrants, [&](const auto entrant) {
        const auto& bot = referee_->lobby().bot(contest.name(entrant));
        const bool here = bot.connected() && bot.plays(contest.config->game);
        if (here) return bot.free_seats() > 0;
        return contest.is_withdrawn(entrant) && bot.places().empty();
    });
}

// What could go on now, with the complaint if it does not.
std::map<std::string, std::string> Instructor::could_go_on() const {
    const auto contest = status();
    std::map<std::string, std::string> found;
    if (aborted_at_ && scheduler().games_running(plan_.tournament.id) > 0)
        found["abort"] = "games are played on, though an abort was taken";
    if (contest.state != TournamentState::running || contest.over) return found;
    // A game that is set aside waits until nothing is played, in other tournaments too.
    if (!contest.set_aside.empty() && scheduler().statuses().size() > 1) return found;
    // Of ladders Liveness knows more.
    if (contest.config->format.kind() == referee::formats::FormatKind::ladder) return found;
    // Where all rounds are open there is no present one.
    const auto& own = plan_.tournament.id;
    if (contest.round == 0 && contest.matches_played == 0 && scheduler().games_running(own) == 0 &&
        scheduler().contest(own).waiting().empty()) {
        if (!does_not_wait_ && !all_are_there()) return found;
        found["draw"] = "nothing is drawn, though nobody is to be waited for";
        return found;
    }
    if (scheduler().games_running() >= referee_->config().games_at_once) return found;
    for (const auto& game : scheduler().contest(plan_.tournament.id).waiting()) {
        const auto id = referee::game_id(game.key);
        if (could_begin(game)) found[id] = id + " is not begun, though all it needs is there";
    }
    return found;
}

void Instructor::look() {
    if (over_) return;
    if (referee_ != nullptr && !scheduler().stopping()) look_at_referee();
    world_.later(looks_every, [this] { look(); });
}

void Instructor::look_at_referee() {
    const auto now = world_.now();
    // While the referee stands still, no order takes effect.
    if (std::exchange(stalls_seen_, world_.stood().size()) != world_.stood().size())
        still_since_.clear();
    const auto could = could_go_on();
    std::erase_if(still_since_, [&](const auto& one) { return !could.contains(one.first); });
    for (const auto& [what, text] : could) {
        const auto since = still_since_.emplace(what, now).first->second;
        if (now - since <= takes_effect_within) continue;
        complain_(text);
        still_since_[what] = now + complains_again_after;
    }
    if (orders_left_ > 0 || !unanswered_.empty() || !all_is_played()) return;
    boost::asio::post(world_.loop(), [this] {
        if (referee_ != nullptr) scheduler().stop("all is played", 0s);
    });
}

void Instructor::check(const std::vector<referee::records::Record>& committed) {
    for (std::size_t i = 0; i < committed.size(); ++i) {
        check_annulment(committed, i);
        check_admission(committed, i);
    }
}

// A game that was annulled has a later play that counts.
void Instructor::check_annulment(const std::vector<referee::records::Record>& committed,
                                 std::size_t i) {
    const auto* annulled = std::get_if<referee::records::AnnulmentRecord>(&committed[i]);
    if (annulled == nullptr) return;
    const auto again = [&](const auto& record) {
        const auto* game = std::get_if<referee::records::GameRecord>(&record);
        return game != nullptr && game->result.key.match == annulled->key.match &&
               game->result.key.number == annulled->key.number && counts(game->result.status);
    };
    const auto from = committed.begin() + static_cast<std::ptrdiff_t>(i);
    const auto ruled = [&](const auto* ruling) { return ruling->match == annulled->key.match; };
    if (std::ranges::any_of(of_kind<referee::records::RulingRecord>(committed), ruled)) return;
    const auto counts_again = [&](const auto& record) {
        const auto* restored = std::get_if<referee::records::RestorationRecord>(&record);
        return restored != nullptr && restored->key == annulled->key;
    };
    if (std::any_of(from, committed.end(), counts_again)) return;
    if (status().state == TournamentState::finished && std::none_of(from, committed.end(), again))
        complain_(game_id(annulled->key) + " was annulled and never played again");
}

// Whether a bot has a bye in that round because it was not there.
bool Instructor::sits_out(const std::string& bot, std::uint32_t round) const {
    const auto contest = scheduler().contest(plan_.tournament.id).snapshot();
    return std::ranges::any_of(contest.byes, [&](const auto& bye) {
        return bye.round == round && contest.name(bye.entrant) == bot &&
               bye.kind == referee::formats::ByeKind::zero_point;
    });
}

// A bot that was let into a Swiss has a match or a bye in each round that was drawn since then,
// until it is withdrawn.
void Instructor::check_admission(const std::vector<referee::records::Record>& committed,
                                 std::size_t i) {
    const auto* entry = std::get_if<referee::records::EntryRecord>(&committed[i]);
    const auto begun = std::ranges::find_if(committed, [](const auto& record) {
        return std::holds_alternative<referee::records::StateRecord>(record);
    });
    const bool late = i > static_cast<std::size_t>(begun - committed.begin());
    if (plan_.tournament.format.kind() != referee::formats::FormatKind::swiss || entry == nullptr ||
        !late)
        return;
    std::map<std::uint32_t, bool> rounds;
    for (++i; i < committed.size(); ++i) {
        const auto* gone = std::get_if<referee::records::WithdrawalRecord>(&committed[i]);
        if (gone != nullptr && gone->bot == entry->bot) break;
        const auto* pairing = std::get_if<referee::records::PairingRecord>(&committed[i]);
        if (pairing == nullptr || pairing->round < entry->round) continue;
        const bool there = base::contains(pairing->bots, entry->bot) &&
                           (pairing->bots.size() > 1 || !sits_out(entry->bot, pairing->round));
        rounds[pairing->round] = rounds[pairing->round] || there;
    }
    // The bot may have been withdrawn while the last round was drawn.
    const bool finished = i == committed.size();
    if (!rounds.empty() && !finished) rounds.erase(std::prev(rounds.end()));
    report_.rounds_of_admitted += rounds.size();
    for (const auto& [round, there] : rounds) {
        if (!there)
            complain_(entry->bot + " was let in, and is not in round " + std::to_string(round));
    }
}

}  // namespace tests::sim
