#include "referee/memory/journal/journal.h"

#include <array>

#include "protocol/base/assertion.h"

namespace referee::journal {

std::string_view name_of(TournamentState state) {
    switch (state) {
        case TournamentState::waiting:
            return "waiting";
        case TournamentState::running:
            return "running";
        case TournamentState::paused:
            return "paused";
        case TournamentState::aborted:
            return "aborted";
        case TournamentState::finished:
            return "finished";
    }
    REFEREE_ASSERT(false);  // a state without a name
    return {};
}

std::optional<TournamentState> state_named(std::string_view name) {
    constexpr std::array all{TournamentState::waiting, TournamentState::running,
                             TournamentState::paused, TournamentState::aborted,
                             TournamentState::finished};
    for (const auto state : all) {
        if (name_of(state) == name) return state;
    }
    return std::nullopt;
}

}  // namespace referee::journal
