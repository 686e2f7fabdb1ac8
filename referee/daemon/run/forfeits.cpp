#include "referee/daemon/run/forfeits.h"

#include <algorithm>
#include <variant>

#include "protocol/json/text.h"
#include "referee/contest/formats/match.h"
#include "referee/exit_code.h"
#include "referee/store/store.h"

namespace referee::daemon {

void ForfeitCount::take(const records::Record& record) {
    if (const auto* annulled = std::get_if<records::AnnulmentRecord>(&record)) {
        if (auto game = games_.extract(annulled->key)) annulled_.insert(std::move(game));
        return;
    }
    if (const auto* restored = std::get_if<records::RestorationRecord>(&record)) {
        if (auto game = annulled_.extract(restored->key)) games_.insert(std::move(game));
        return;
    }
    const auto* played = std::get_if<records::GameRecord>(&record);
    if (played == nullptr || !counts(played->result.status)) return;
    const auto& result = played->result;
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

std::map<std::string, Forfeits> ForfeitCount::by_bot() const {
    std::map<std::string, Forfeits> found;
    std::map<std::string, std::uint64_t> last;
    for (const auto& [key, game] : games_) {
        for (const auto& bot : game.bots) ++found[bot].games;
        for (const auto& bot : game.silent) ++found[bot].silent;
        for (const auto& [bot, fault] : game.faults) {
            auto& its = found[bot];
            ++its.forfeited;
            if (std::exchange(last[bot], std::max(last[bot], game.order)) < game.order)
                its.last = "game " + game_id(key) + ": " + fault;
        }
    }
    return found;
}

base::Result<std::map<std::string, Forfeits>, std::string> forfeits_in(const std::string& store) {
    auto opened = store::StoreReader::open(store);
    if (!opened) return base::failure(std::move(opened.error().message));
    ForfeitCount count;
    const auto read =
        opened->history([&count](const store::StoredRecord& stored) { count.take(stored.record); });
    if (!read) return base::failure(read.error().message);
    return count.by_bot();
}

RunEnding judged(const std::map<std::string, Forfeits>& forfeits,
                 const std::vector<std::string>& fail_on_forfeits) {
    RunEnding ending;
    for (const auto& [bot, its] : forfeits) {
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
