#include "referee/daemon/run/forfeits.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <variant>

#include "protocol/json/text.h"
#include "referee/contest/formats/match.h"
#include "referee/store/store.h"

namespace referee::daemon {
namespace {

struct Game {
    std::vector<std::string> bots;
    std::map<std::string, std::string> faults;  // by bot: those that lost it the game
    std::vector<std::string> silent;            // played to its end without a valid move of these
    std::uint64_t order = 0;
};

// The games that count, from a store's records in their order.
class CountedGames {
 public:
    void take(const records::Record& record) {
        if (const auto* annulled = std::get_if<records::AnnulmentRecord>(&record)) {
            if (auto game = games_.extract(annulled->key)) annulled_.insert(std::move(game));
        } else if (const auto* restored = std::get_if<records::RestorationRecord>(&record)) {
            if (auto game = annulled_.extract(restored->key)) games_.insert(std::move(game));
        } else if (const auto* played = std::get_if<records::GameRecord>(&record)) {
            if (counts(played->result.status)) add(played->result);
        }
    }
    const std::map<GameKey, Game>& games() const { return games_; }

 private:
    void add(const GameResult& result) {
        Game game{result.bots, {}, {}, ++records_};
        for (const auto& fault : result.faults) {
            if (fault.consequence == Consequence::forfeit && fault.seat < result.bots.size())
                game.faults.emplace(result.bots[fault.seat], fault.message);
        }
        for (engines::Seat seat = 0; seat < result.bots.size(); ++seat) {
            const auto& bot = result.bots[seat];
            if (!game.faults.contains(bot) &&
                formats::presence_in(result, seat) == formats::Presence::silent)
                game.silent.push_back(bot);
        }
        games_.insert_or_assign(result.key, std::move(game));
    }

    std::map<GameKey, Game> games_;
    std::map<GameKey, Game> annulled_;  // by order
    std::uint64_t records_ = 0;
};

// What a bot lost by its own faults.
struct Forfeits {
    std::uint64_t games = 0;      // that count
    std::uint64_t forfeited = 0;  // of these, by a fault of this bot
    std::uint64_t silent = 0;
    std::uint64_t last_order = 0;
    std::string last;  // game and fault of the last of these: "game t/3.1: ..."
};

std::map<std::string, Forfeits> by_bot(const std::map<GameKey, Game>& games) {
    std::map<std::string, Forfeits> found;
    for (const auto& [key, game] : games) {
        for (const auto& bot : game.bots) ++found[bot].games;
        for (const auto& bot : game.silent) ++found[bot].silent;
        for (const auto& [bot, fault] : game.faults) {
            auto& its = found[bot];
            ++its.forfeited;
            if (game.order <= its.last_order) continue;
            its.last_order = game.order;
            its.last = "game " + game_id(key) + ": " + fault;
        }
    }
    return found;
}

}  // namespace

Ending judged_by_forfeits(const std::string& store,
                          const std::vector<std::string>& fail_on_forfeits) {
    auto opened = store::StoreReader::open(store);
    if (!opened) return {exit_trouble, std::move(opened.error().message)};
    CountedGames counted;
    const auto read = opened->history(
        [&counted](const store::StoredRecord& stored) { counted.take(stored.record); });
    if (!read) return {exit_trouble, read.error().message};
    Ending ending;
    for (const auto& [bot, its] : by_bot(counted.games())) {
        const bool asked = std::find(fail_on_forfeits.begin(), fail_on_forfeits.end(), bot) !=
                           fail_on_forfeits.end();
        const bool never_moved = its.games > 0 && its.forfeited + its.silent == its.games;
        if (!never_moved && (its.forfeited == 0 || !asked)) continue;
        if (asked) ending.status = exit_no;
        if (!ending.message.empty()) ending.message += '\n';
        const auto of_games = " of its " + std::to_string(its.games) + " games";
        std::string text = bot;
        if (its.silent > 0 && never_moved)
            text += " gave no valid move in " + std::to_string(its.silent) + of_games;
        if (its.forfeited > 0)
            text += (text == bot ? " forfeited " : ", and forfeited ") +
                    std::to_string(its.forfeited) + of_games +
                    " by its own faults; the last: " + its.last;
        ending.message += protocol::json::visible_line(text);
    }
    return ending;
}

}  // namespace referee::daemon
