#include "referee/office/run/forfeits.h"

#include <algorithm>
#include <variant>

#include "protocol/json/printable.h"
#include "referee/exit_code.h"
#include "referee/memory/store/store.h"

namespace referee::run {

void ForfeitCount::take(const journal::Record& record) {
    if (const auto* annulled = std::get_if<journal::AnnulmentRecord>(&record)) {
        games_.erase(annulled->key);
        return;
    }
    const auto* played = std::get_if<journal::GameRecord>(&record);
    if (played == nullptr || !counts(played->result.status)) return;
    const auto& result = played->result;
    Game game{result.bots, {}, ++records_};
    for (const auto& fault : result.faults) {
        if (fault.consequence == Consequence::forfeit && fault.seat < result.bots.size())
            game.faults.emplace(result.bots[fault.seat], fault.message);
    }
    games_.insert_or_assign(result.key, std::move(game));
}

std::map<std::string, Forfeits> ForfeitCount::by_bot() const {
    std::map<std::string, Forfeits> found;
    std::map<std::string, std::uint64_t> last;
    for (const auto& [key, game] : games_) {
        for (const auto& bot : game.bots) ++found[bot].games;
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
        if (its.forfeited == 0 || (!asked && its.forfeited < its.games)) continue;
        if (asked) ending.status = exit_no;
        if (!ending.message.empty()) ending.message += '\n';
        ending.message += protocol::json::visible_line(
            bot + " forfeited " + std::to_string(its.forfeited) + " of its " +
            std::to_string(its.games) + " games by its own faults; the last: " + its.last);
    }
    return ending;
}

}  // namespace referee::run
