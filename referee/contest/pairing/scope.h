#pragma once

// One bracket and as much of what lies below it as is looked at while it is paired.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "referee/contest/pairing/dutch.h"
#include "referee/contest/pairing/graph.h"

namespace referee::pairing {

// C.04.3, 1.7, from the weakest up.
enum class Strength : std::uint8_t { none, mild, strong, absolute };

struct Preference {
    std::optional<Colour> colour;  // empty exactly when the strength is none
    Strength strength = Strength::none;
};

enum class Float : std::uint8_t { none, down, up };

// What the Dutch rules know of a player before a round.
struct Profile {
    int number = nobody;
    int score_tenths = 0;
    int pairing_score_tenths = 0;  // with virtual points; groups and ranks go by it
    bool odd = true;               // the pairing number, counted over those who take part
    std::vector<Colour> colours;   // of the games played, oldest first
    int colour_difference = 0;     // games with White minus games with Black
    Preference preference;
    bool repeated_colour = false;  // the same colour in the two latest games
    int given_points = 0;  // rounds that brought the points of a win, or the bye's, without a game
    int unplayed = 0;      // rounds without a game
    Float floated_last = Float::none;    // in the previous round
    Float floated_before = Float::none;  // two rounds before
    bool topscorer = false;
    std::vector<int> met;  // numbers of those he has played
};

// The players to be paired in the next round, ranked by pairing score, then by ranking order.
std::vector<Profile> profiles_of(const PairingField& field);

// Who plays White (chapter 5 of C.04.3): the colour of `higher`.
// Requires: `higher` is ranked above `lower`.
Colour colour_of_higher(const Profile& higher, const Profile& lower, Colour initial);

// Both want the same colour.
bool prefer_the_same(const Profile& a, const Profile& b);

// What all brackets of a round share. Players are indices into `players`, so a smaller one is
// ranked higher; the bye is one more vertex, after them.
struct Lineup {
    const PairingField& field;
    std::vector<Profile> players;
    Graph allowed;  // who may be paired with whom, and who may get the bye
    bool odd = false;
    int bye_score_tenths = 0;  // of the player who gets the bye; meaningful when odd

    int bye() const { return static_cast<int>(players.size()); }
    const Profile& player(int index) const { return players[static_cast<std::size_t>(index)]; }
    int score(int index) const { return player(index).pairing_score_tenths; }
};

// A bracket to be paired: all lists in ranking order.
struct Bracket {
    std::vector<int> moved_down;
    std::vector<int> residents;
    std::vector<int> next;   // the scoregroup below
    std::vector<int> later;  // all below that
};

// How far down one looks. The farther, the stricter and the slower.
enum class Reach : std::uint8_t { bracket, next, whole };

enum class Role : std::uint8_t { moved_down, resident, next, later, bye, slot };

struct Member {
    Role role = Role::slot;
    int player = 0;       // an index of the lineup, for the bye too; nothing for a slot
    int score_group = 0;  // counted from the highest score of the bracket
};

// The vertices of one problem: the bracket's players in ranking order, those below, the bye when
// it can't go below the reach, and slots: places of downfloaters, when their number is known.
struct Scope {
    Reach reach = Reach::bracket;
    std::vector<Member> members;
    Graph edges{0};
    int moved_down = 0;       // so many come first
    int bracket = 0;          // and so many with the residents
    int score_groups = 0;     // different scores in the bracket
    bool single_bye = false;  // the bracket's only downfloater is the one who gets the bye

    int size() const { return static_cast<int>(members.size()); }
    const Member& member(int v) const { return members[static_cast<std::size_t>(v)]; }
    bool in_bracket(int v) const { return v < bracket; }
};

// Requires: slots >= 0, and 0 unless the reach is the bracket.
Scope scope_of(const Lineup& lineup, const Bracket& bracket, Reach reach, int slots);

// The number of downfloaters besides the one who gets the bye, when the bracket is paired on its
// own.
int slots_needed(const Lineup& lineup, const Bracket& bracket);

// Whether the bye falls to somebody of the bracket: nobody below has as many points as it asks.
bool bye_is_here(const Lineup& lineup, const Bracket& bracket);

// ---- bracket.cpp --------------------------------------------------------------------------------

// Chapters 2 to 4 of C.04.3 for one bracket: the best candidate, the earliest among equals.
struct BracketPairing {
    std::vector<std::pair<int, int>> pairs;  // of lineup indices, the higher ranked first
    std::vector<int> downfloaters;           // in ranking order
};

// Requires: all of the bracket and below can be paired legally.
BracketPairing pair_bracket(const Lineup& lineup, const Bracket& bracket, Effort effort);

}  // namespace referee::pairing
