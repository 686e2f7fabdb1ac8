#include "referee/contest/pairing/scope.h"

#include "referee/contest/pairing/cover.h"

namespace referee::pairing {

namespace {

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
    for (int v = 0; v < scope.size(); ++v)
        for (int u = 0; u < v; ++u)
            if (may_meet(lineup, scope, u, v)) scope.edges.add(u, v);
    return scope;
}

int slots_needed(const Lineup& lineup, const Bracket& bracket) {
    const Scope scope = scope_of(lineup, bracket, Reach::bracket, 0);
    Cover cover(scope.edges);
    if (scope.size() > scope.bracket) cover.augment(scope.size() - 1);
    return cover.maximise();
}

}  // namespace referee::pairing
