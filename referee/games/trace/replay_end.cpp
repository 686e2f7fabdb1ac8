#include "referee/games/trace/replay_end.h"

#include "engines/registry.h"
#include "referee/games/result/result.h"

namespace referee::trace {

std::string told_end(protocol::json::View setup, protocol::json::View result, engines::Seat seat) {
    if (result.find("status").string() != name_of(GameStatus::played)) return {};
    const engines::Registry registry;
    const auto* const rules = registry.find(setup.find("game").string().value_or(""));
    if (rules == nullptr) return {};
    return rules->tell_end(setup.find("params"), result.find("outcome").find("detail"), seat);
}

}  // namespace referee::trace
