#include "referee/cli/known_seed.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "engines/registry.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"

namespace referee::cli {
namespace {

// Where chance matters, games that begin alike from all of these are a wonder.
constexpr std::array<std::uint32_t, 3> tried_seeds = {1, 2, 3};

// The position in which the game begins; nothing where the params don't suit it.
std::optional<std::string> beginning_of(const engines::Game& game, const std::string& params,
                                        std::uint32_t seed) {
    protocol::json::Document document;
    if (!document.parse(params)) return std::nullopt;
    const auto state = game.start(document.root(), seed);
    if (!state) return std::nullopt;
    std::string text;
    protocol::json::Writer writer(text);
    (*state)->write_state(writer);
    return text;
}

bool begins_by_chance(const engines::Game& game, const std::string& params) {
    const auto first = beginning_of(game, params, tried_seeds.front());
    return first && std::any_of(tried_seeds.begin() + 1, tried_seeds.end(), [&](auto seed) {
               return beginning_of(game, params, seed) != first;
           });
}

}  // namespace

std::string remark_on_seed(const config::TournamentConfig& tournament) {
    const bool is_known = tournament.seed == config::TournamentConfig().seed;
    if (!is_known || !tournament.match.seeds.empty()) return {};
    // Without an instructor's own maps: games that have maps begin as these say.
    const engines::Registry registry;
    const auto* game = registry.find(tournament.game);
    if (game == nullptr) return {};
    const auto& setups = tournament.setups;
    if (std::none_of(setups.begin(), setups.end(),
                     [&](const auto& setup) { return begins_by_chance(*game, setup); }))
        return {};
    return "tournament " + tournament.id + " has the seed " + std::to_string(tournament.seed) +
           ", as every config that names none: anybody can compute how its games of " +
           tournament.game +
           " begin. Where it counts, give it a \"seed\" that nobody knows, such "
           "as one from `shuf -i 2-4294967295 -n 1`";
}

}  // namespace referee::cli
