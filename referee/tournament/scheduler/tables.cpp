#include "referee/tournament/scheduler/tables.h"

#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"

namespace referee::scheduler {

using engines::Seat;

Tables::Id Tables::open(contests::GamePlan plan, bool has_launched) {
    const auto id = ++last_;
    auto& running = running_[id];
    running.plan = std::move(plan);
    running.has_launched = has_launched;
    with_launched_ += has_launched ? 1 : 0;
    by_tournament_[running.plan.key.tournament].insert(id);
    alone_ += running.plan.try_alone > 0 ? 1 : 0;
    return id;
}

RunningGame* Tables::find(Id id) {
    return base::find_in(running_, id);
}

void Tables::await_record(Id id) {
    auto& running = at(id);
    if (std::exchange(running.awaits_record, true)) return;
    for (const auto* bot : running.table->bots()) ++unrecorded_[bot];
}

RunningGame Tables::close(Id id) {
    auto node = running_.extract(id);
    REFEREE_ASSERT(!node.empty());
    auto& running = node.mapped();
    const auto games = by_tournament_.find(running.plan.key.tournament);
    games->second.erase(id);
    if (games->second.empty()) by_tournament_.erase(games);
    alone_ -= running.plan.try_alone > 0 ? 1 : 0;
    with_launched_ -= running.has_launched ? 1 : 0;
    if (running.awaits_record) {
        for (const auto* bot : running.table->bots()) {
            if (--unrecorded_.at(bot) == 0) unrecorded_.erase(bot);
        }
    }
    return std::move(running);
}

const std::set<Tables::Id>& Tables::games_of(std::string_view tournament) const {
    static const std::set<Id> none;
    const auto* found = base::find_in(by_tournament_, tournament);
    return found == nullptr ? none : *found;
}

std::size_t Tables::of(std::string_view tournament) const {
    return games_of(tournament).size();
}

std::size_t Tables::turns_running() const {
    std::size_t turns = 0;
    for (const auto& [id, running] : running_) {
        if (running.table == nullptr) continue;
        const auto& play = running.table->play();
        for (engines::Seat seat = 0; seat < play.setup().bots.size(); ++seat)
            turns += play.runs(seat) ? 1 : 0;
    }
    return turns;
}

bool Tables::of_match(std::string_view tournament, std::uint64_t match) const {
    const auto& games = games_of(tournament);
    return std::ranges::any_of(
        games, [&](const auto id) { return running_.at(id).plan.key.match == match; });
}

void Tables::stop(const std::string& reason, std::optional<std::string_view> tournament,
                  std::optional<std::uint64_t> match) {
    std::vector<Id> ids;
    for (const auto& [id, running] : running_) {
        const auto& key = running.plan.key;
        if (key.tournament == tournament.value_or(key.tournament) &&
            key.match == match.value_or(key.match))
            ids.push_back(id);
    }
    // What follows from the end of one game may close the place of another.
    for (const auto id : ids) {
        if (auto* running = find(id)) running->table->stop(GameStatus::interrupted, reason);
    }
}

void Tables::add_returns(std::vector<Wait>& found) const {
    for (const auto& [id, running] : running_) {
        const auto& table = *running.table;
        for (Seat seat = 0; seat < table.bots().size(); ++seat) {
            const auto deadline = table.deadline(seat);
            if (!deadline || table.bots()[seat]->connected() || table.play().finished()) continue;
            found.push_back({.kind = Wait::Kind::for_return,
                             .tournament = running.plan.key.tournament,
                             .game = table.game_id(),
                             .bots = {table.bots()[seat]->name()},
                             .until = deadline});
        }
    }
}

}  // namespace referee::scheduler
