#include "referee/arena/scheduler/tables.h"

#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"

namespace referee::scheduler {

using engines::Seat;

Tables::Id Tables::open() {
    running_.try_emplace(++last_);
    return last_;
}

Running* Tables::find(Id id) {
    const auto found = running_.find(id);
    return found == running_.end() ? nullptr : &found->second;
}

Running Tables::close(Id id) {
    auto node = running_.extract(id);
    REFEREE_ASSERT(!node.empty());
    return std::move(node.mapped());
}

std::size_t Tables::of(std::string_view tournament) const {
    return static_cast<std::size_t>(std::count_if(
        running_.begin(), running_.end(),
        [&](const auto& running) { return running.second.plan.key.tournament == tournament; }));
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
    return std::any_of(running_.begin(), running_.end(), [&](const auto& running) {
        const auto& key = running.second.plan.key;
        return key.tournament == tournament && key.match == match;
    });
}

bool Tables::plays_alone() const {
    return std::any_of(running_.begin(), running_.end(),
                       [](const auto& running) { return running.second.plan.try_alone > 0; });
}

bool Tables::awaits_record(const lobby::Bot& bot) const {
    return std::any_of(running_.begin(), running_.end(), [&bot](const auto& running) {
        const auto& table = *running.second.table;
        const auto& bots = table.bots();
        return table.play().finished() && std::find(bots.begin(), bots.end(), &bot) != bots.end();
    });
}

std::set<const lobby::Bot*> Tables::awaiting_records() const {
    std::set<const lobby::Bot*> bots;
    for (const auto& [id, running] : running_) {
        if (!running.table->play().finished()) continue;
        for (const auto* bot : running.table->bots()) bots.insert(bot);
    }
    return bots;
}

void Tables::stop(std::optional<std::string_view> tournament, const std::string& reason) {
    std::vector<Id> ids;
    for (const auto& [id, running] : running_) {
        if (!tournament || running.plan.key.tournament == *tournament) ids.push_back(id);
    }
    // What follows from the end of one game may close the place of another.
    for (const auto id : ids) {
        if (auto* running = find(id)) running->table->stop(GameStatus::interrupted, reason);
    }
}

void Tables::add_returns(std::vector<Waiting>& found) const {
    for (const auto& [id, running] : running_) {
        const auto& table = *running.table;
        for (Seat seat = 0; seat < table.bots().size(); ++seat) {
            const auto deadline = table.deadline(seat);
            if (!deadline || table.bots()[seat]->connected() || table.play().finished()) continue;
            found.push_back({.kind = Waiting::Kind::for_return,
                             .tournament = running.plan.key.tournament,
                             .game = table.game_id(),
                             .bots = {table.bots()[seat]->name()},
                             .until = deadline});
        }
    }
}

}  // namespace referee::scheduler
