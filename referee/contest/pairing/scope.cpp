#include "referee/contest/pairing/scope.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "referee/contest/pairing/cover.h"

namespace referee::pairing {
namespace {

Preference preference_of(const Profile& profile) {
    if (profile.colours.empty()) return {};
    const Colour latest = profile.colours.back();
    const int difference = profile.colour_difference;
    const Colour balancing = difference > 0 ? Colour::black : Colour::white;
    if (std::abs(difference) > 1) return {balancing, Strength::absolute};
    if (profile.repeated_colour) return {opposite(latest), Strength::absolute};
    if (difference != 0) return {balancing, Strength::strong};
    return {opposite(latest), Strength::mild};
}

// Finds entrants by number; floats depend on the opponent's score at that time.
using Index = std::map<int, const Entrant*>;

Float float_of(const PairingField& field, const Index& index, const Entrant& entrant, int round) {
    if (round < 1) return Float::none;
    const Game game = game_of(entrant, round);
    if (!is_played(game.outcome)) {
        const bool gained = game.outcome == PairingOutcome::allocated_bye ||
                            points_of(game, field.points) > field.points.loss;
        return gained ? Float::down : Float::none;
    }
    const auto opponent = index.find(game.opponent);
    if (opponent == index.end()) return Float::none;
    const int own = pairing_score_tenths(field, entrant, round);
    const int other = pairing_score_tenths(field, *opponent->second, round);
    if (own == other) return Float::none;
    return own > other ? Float::down : Float::up;
}

void read_games(const PairingField& field, const Entrant& entrant, Profile& profile) {
    for (int round = 1; round <= field.rounds_played; ++round) {
        const Game game = game_of(entrant, round);
        if (is_played(game.outcome)) {
            profile.met.push_back(game.opponent);
            profile.colours.push_back(*game.colour);
            profile.colour_difference += *game.colour == Colour::white ? 1 : -1;
            continue;
        }
        ++profile.unplayed;
        if (game.outcome == PairingOutcome::allocated_bye ||
            points_of(game, field.points) >= field.points.win)
            ++profile.given_points;
    }
    const auto& colours = profile.colours;
    profile.repeated_colour = colours.size() > 1 && colours.back() == colours[colours.size() - 2];
    profile.preference = preference_of(profile);
}

// 5.2.3: the colours of the latest time when the two had different ones, exchanged. Histories are
// compared from their ends, unplayed rounds left out.
std::optional<Colour> alternated(const Profile& higher, const Profile& lower) {
    auto ours = higher.colours.rbegin();
    auto theirs = lower.colours.rbegin();
    for (; ours != higher.colours.rend() && theirs != lower.colours.rend(); ++ours, ++theirs)
        if (*ours != *theirs) return *theirs;
    return std::nullopt;
}

bool bye_is_in(const Lineup& lineup, const Bracket& bracket, Reach reach) {
    if (!lineup.odd) return false;
    if (reach == Reach::whole || bye_is_here(lineup, bracket)) return true;
    return reach == Reach::next && !bracket.next.empty() &&
           lineup.bye_score_tenths >= lineup.score(bracket.next.front());
}

void append(Scope& scope, const std::vector<int>& players, Role role) {
    for (const int player : players) scope.members.push_back({role, player, 0});
}

void number_scores(const Lineup& lineup, Scope& scope) {
    for (int v = 0; v < scope.bracket; ++v) {
        Member& member = scope.members[static_cast<std::size_t>(v)];
        const bool fresh =
            v == 0 || lineup.score(member.player) != lineup.score(scope.member(v - 1).player);
        if (fresh) ++scope.score_groups;
        member.score_group = scope.score_groups - 1;
    }
}

// Two who have moved down never meet: they would have been paired above.
bool may_meet(const Lineup& lineup, const Scope& scope, int u, int v) {
    const Member& high = scope.member(u);
    const Member& low = scope.member(v);
    if (low.role == Role::slot) return scope.in_bracket(u);
    if (high.role == Role::moved_down && low.role == Role::moved_down) return false;
    return lineup.allowed.has(high.player, low.player);
}

}  // namespace

std::vector<Profile> profiles_of(const PairingField& field) {
    Index index;
    for (const Entrant& entrant : field.entrants) index.emplace(entrant.number, &entrant);
    const int next = field.rounds_played + 1;
    const bool last_round = field.rounds_total > 0 && next >= field.rounds_total;
    const int possible = field.rounds_played * field.points.win;

    std::vector<Profile> profiles;
    int counted = 0;
    for (const Entrant& entrant : field.entrants) {
        if (!entrant.absent || std::ranges::any_of(entrant.games, took_part)) ++counted;
        if (entrant.absent) continue;
        Profile profile;
        profile.number = entrant.number;
        profile.score_tenths = score_tenths(field, entrant, next);
        profile.pairing_score_tenths = pairing_score_tenths(field, entrant, next);
        profile.odd = counted % 2 == 1;
        read_games(field, entrant, profile);
        profile.floated_last = float_of(field, index, entrant, next - 1);
        profile.floated_before = float_of(field, index, entrant, next - 2);
        profile.topscorer = last_round && 2 * profile.score_tenths > possible;
        profiles.push_back(std::move(profile));
    }
    std::ranges::stable_sort(profiles, [](const Profile& a, const Profile& b) {
        return a.pairing_score_tenths > b.pairing_score_tenths;
    });
    return profiles;
}

bool prefer_the_same(const Profile& a, const Profile& b) {
    return a.preference.colour && a.preference.colour == b.preference.colour;
}

Colour colour_of_higher(const Profile& higher, const Profile& lower, Colour initial) {
    const Preference ours = higher.preference;
    const Preference theirs = lower.preference;
    if (!ours.colour && !theirs.colour) return higher.odd ? initial : opposite(initial);
    if (!ours.colour) return opposite(*theirs.colour);
    if (!theirs.colour || ours.colour != theirs.colour) return *ours.colour;
    if (ours.strength != theirs.strength)
        return ours.strength > theirs.strength ? *ours.colour : opposite(*ours.colour);
    if (ours.strength == Strength::absolute) {
        const int our_width = std::abs(higher.colour_difference);
        const int their_width = std::abs(lower.colour_difference);
        if (our_width != their_width)
            return our_width > their_width ? *ours.colour : opposite(*ours.colour);
    }
    return alternated(higher, lower).value_or(*ours.colour);
}

bool bye_is_here(const Lineup& lineup, const Bracket& bracket) {
    return lineup.odd && lineup.bye_score_tenths >= lineup.score(bracket.residents.front());
}

Scope scope_of(const Lineup& lineup, const Bracket& bracket, Reach reach, int slots) {
    Scope scope;
    scope.reach = reach;
    append(scope, bracket.moved_down, Role::moved_down);
    scope.moved_down = scope.size();
    append(scope, bracket.residents, Role::resident);
    scope.bracket = scope.size();
    number_scores(lineup, scope);
    if (reach != Reach::bracket) append(scope, bracket.next, Role::next);
    if (reach == Reach::whole) append(scope, bracket.later, Role::later);
    if (bye_is_in(lineup, bracket, reach)) append(scope, {lineup.bye()}, Role::bye);
    scope.members.resize(scope.members.size() + static_cast<std::size_t>(slots));

    scope.edges = Graph(scope.size());
    scope.edges.add_where([&](int u, int v) { return may_meet(lineup, scope, u, v); });
    return scope;
}

int slots_needed(const Lineup& lineup, const Bracket& bracket) {
    const Scope scope = scope_of(lineup, bracket, Reach::bracket, 0);
    Cover cover(scope.edges);
    if (scope.size() > scope.bracket) cover.augment(scope.size() - 1);
    return cover.maximise();
}

}  // namespace referee::pairing
