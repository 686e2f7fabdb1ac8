#include "referee/record/result.h"

#include "protocol/json/assertion.h"

namespace referee {

std::string match_id(std::string_view tournament, std::uint64_t match) {
    return std::string(tournament) + "/" + std::to_string(match);
}

std::string game_id(const GameKey& key) {
    auto id = match_id(key.tournament, key.match) + "." + std::to_string(key.number);
    if (key.attempt > 1) id += "~" + std::to_string(key.attempt);
    return id;
}

std::string_view name_of(GameStatus status) {
    switch (status) {
        case GameStatus::played: return "played";
        case GameStatus::forfeited: return "forfeited";
        case GameStatus::annulled: return "annulled";
        case GameStatus::interrupted: return "interrupted";
    }
    REFEREE_ASSERT(false);  // a game status without a name
    return {};
}

}  // namespace referee
