#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "referee/contest/pairing/field.h"

// What the Dutch rules know of a player before a round: scores, colours, floats.

namespace referee::pairing {

// C.04.3, 1.7, from the weakest up.
enum class Strength : std::uint8_t { none, mild, strong, absolute };

struct Preference {
    std::optional<Colour> colour;  // empty exactly when the strength is none
    Strength strength = Strength::none;
};

enum class Float : std::uint8_t { none, down, up };

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

}  // namespace referee::pairing
