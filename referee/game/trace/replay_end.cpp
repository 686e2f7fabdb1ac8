#include "referee/game/trace/replay_end.h"

#include "engines/registry.h"
#include "referee/game/result/result.h"

namespace referee::trace {

std::string told_end(protocol::json::View setup, protocol::json::View result, engines::Seat seat) {
    if (result.find("status").string() != name_of(GameStatus::played)) return {};
    const engines::Registry registry;
    const auto* const rules = registry.find(setup.find("game").string().value_or(""));
    if (rules == nullptr) return {};
    return rules->tell_end(setup.find("params"), result.find("outcome").find("detail"), seat);
}

std::string told_fork(protocol::json::View setup) {
    const auto fork = setup.find("forked_from");
    const auto game = fork.find("game_id").string();
    const auto turn = fork.find("turn").integer();
    if (!game || !turn) return {};
    return "It goes on from turn " + std::to_string(*turn) + " of game " + std::string(*game) +
           "; what was before it happened there.\n";
}

}  // namespace referee::trace
