#include "referee/memory/journal/journal.h"

#include "protocol/base/names.h"

namespace referee::journal {
namespace {

constexpr std::array<base::Named<TournamentState>, 5> states{{
    {TournamentState::waiting, "waiting"},
    {TournamentState::running, "running"},
    {TournamentState::paused, "paused"},
    {TournamentState::aborted, "aborted"},
    {TournamentState::finished, "finished"},
}};
static_assert(base::in_order(states));

}  // namespace

std::string_view name_of(TournamentState state) {
    return base::row_of(states, state).name;
}

std::optional<TournamentState> state_named(std::string_view name) {
    return base::value_named(states, name);
}

}  // namespace referee::journal
