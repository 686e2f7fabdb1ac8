#include "referee/contest/formats/planned_rounds.h"

#include "referee/contest/formats/knockout_tree.h"

namespace referee::formats {

std::optional<std::uint32_t> planned_rounds(const FormatConfig& config, std::size_t entrants) {
    if (entrants < 2) return std::nullopt;
    if (const auto* swiss = config.as<SwissOptions>())
        return swiss->rounds != 0 ? swiss->rounds : default_rounds(entrants, swiss->seats);
    if (const auto* knockout = config.as<KnockoutOptions>())
        return knockout->double_elimination
                   ? double_elimination(entrants, knockout->second_final).rounds
                   : single_elimination(entrants, knockout->third_place_match).rounds;
    if (const auto* robin = config.as<RoundRobinOptions>(); robin != nullptr && robin->seats == 2) {
        const auto places = entrants + entrants % 2;  // one of them for whoever has no opponent
        return static_cast<std::uint32_t>(places - 1) * robin->cycles;
    }
    return std::nullopt;
}

}  // namespace referee::formats
