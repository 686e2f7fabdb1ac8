#include "sample_bots/cpp/reference/reference_players.h"

#include <algorithm>

namespace bots {
namespace {

template <typename Is>
const ReferencePlayer* first_that(const Is& is) {
    const auto players = reference_players();
    const auto found = std::find_if(players.begin(), players.end(), is);
    return found == players.end() ? nullptr : &*found;
}

}  // namespace

const ReferencePlayer* reference_player(std::string_view program) {
    return first_that([&](const auto& player) { return player.program == program; });
}

const ReferencePlayer* quick_player(std::string_view game) {
    return first_that([&](const auto& player) { return player.quick && player.game == game; });
}

}  // namespace bots
