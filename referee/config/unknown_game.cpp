#include "referee/config/unknown_game.h"

#include <vector>

#include "protocol/base/near.h"
#include "protocol/json/printable.h"

namespace referee::config {

std::string unknown_game(const engines::Registry& registry, std::string_view id) {
    std::vector<std::string> known;
    for (const auto& game : registry.games()) known.emplace_back(game->info().id);
    std::string text = "there is no game \"" + protocol::json::visible_line(id) + "\" here";
    if (const auto near = base::nearest(id, known); !near.empty()) {
        text += " (did you mean \"" + near + "\"?)";
    }
    text += "; expected one of ";
    for (const auto& each : known) text += (&each == known.data() ? "" : ", ") + each;
    return text;
}

}  // namespace referee::config
