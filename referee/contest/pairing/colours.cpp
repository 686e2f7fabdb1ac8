#include "referee/contest/pairing/colours.h"

#include <algorithm>
#include <cstdlib>

namespace referee::pairing {

namespace {

// 5.2.3: the colours of the latest time when the two had different ones, exchanged. Histories are
// compared from their ends, unplayed rounds left out.
std::optional<Colour> alternated(const Profile& higher, const Profile& lower) {
    auto ours = higher.colours.rbegin();
    auto theirs = lower.colours.rbegin();
    for (; ours != higher.colours.rend() && theirs != lower.colours.rend(); ++ours, ++theirs)
        if (*ours != *theirs) return *theirs;
    return std::nullopt;
}

}  // namespace

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

}  // namespace referee::pairing
