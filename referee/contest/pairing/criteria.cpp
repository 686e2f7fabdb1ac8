#include "referee/contest/pairing/criteria.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "referee/contest/pairing/profile.h"

namespace referee::pairing {

namespace {

constexpr int widest_difference = 2;  // a colour difference beyond it is against C10

void add(std::vector<Term>& terms, BitLayout::Place place, std::uint64_t value) {
    if (place.used && value != 0) terms.push_back({value, place.shift});
}

std::uint64_t count(int value) {
    return static_cast<std::uint64_t>(value);
}

// The one of the pair who does not get the colour that both want.
const Profile& disappointed(const Profile& higher, const Profile& lower, Colour initial) {
    return colour_of_higher(higher, lower, initial) == *higher.preference.colour ? lower : higher;
}

}  // namespace

BitLayout::Place BitLayout::place(std::uint64_t greatest) {
    const Place place{bits_, greatest != 0};
    bits_ += static_cast<std::size_t>(std::bit_width(greatest));
    return place;
}

// The least significant criteria are laid out first.
Criteria::Criteria(const Lineup& lineup, const Scope& scope) : lineup_(lineup), scope_(scope) {
    lay_out_look_back_scores(before_, &Profile::floated_before);
    lay_out_look_back_scores(last_, &Profile::floated_last);
    lay_out_look_back(before_, &Profile::floated_before);
    lay_out_look_back(last_, &Profile::floated_last);
    lay_out_colours();
    lay_out_bye();
    lay_out_next();
    lay_out_pairs();
}

// How many of the bracket there are in each of the first score groups.
std::vector<int> Criteria::group_sizes(int groups) const {
    std::vector<int> sizes(static_cast<std::size_t>(groups), 0);
    for (int v = 0; v < scope_.bracket; ++v) {
        const auto group = static_cast<std::size_t>(scope_.member(v).score_group);
        if (group < sizes.size()) ++sizes[group];
    }
    return sizes;
}

void Criteria::lay_out_look_back_scores(LookBack& back, Float Profile::*floated) {
    const int groups =
        scope_.moved_down > 0 ? scope_.member(scope_.moved_down - 1).score_group + 1 : 0;
    std::vector<int> sizes = group_sizes(groups);
    std::vector<int> floaters(sizes.size(), 0);
    for (int v = 0; v < scope_.moved_down; ++v)
        if (profile(v).*floated == Float::down)
            ++floaters[static_cast<std::size_t>(scope_.member(v).score_group)];
    bool any_up = false;
    for (int v = scope_.moved_down; v < scope_.bracket; ++v)
        any_up = any_up || profile(v).*floated == Float::up;
    if (!any_up) sizes.assign(sizes.size(), 0);
    back.floater_scores.resize(sizes.size());
    back.opponent_scores.resize(sizes.size());
    for (std::size_t i = sizes.size(); i-- > 0;)
        back.opponent_scores[i] = layout_.place(count(sizes[i]));
    for (std::size_t i = sizes.size(); i-- > 0;)
        back.floater_scores[i] = layout_.place(count(floaters[i]));
}

void Criteria::lay_out_look_back(LookBack& back, Float Profile::*floated) {
    int down = 0;
    int up = 0;
    for (int v = scope_.moved_down; v < scope_.bracket; ++v) {
        if (profile(v).*floated == Float::down) ++down;
        if (profile(v).*floated == Float::up) ++up;
    }
    back.opponents = layout_.place(up > 0 ? count(scope_.moved_down) : 0);
    back.floaters = layout_.place(count(down));
}

void Criteria::lay_out_colours() {
    if (!lineup_.colours) return;
    const std::uint64_t pairs = count(scope_.bracket / 2);
    strong_preferences_ = layout_.place(pairs);
    preferences_ = layout_.place(pairs);
    bool topscorers = false;
    for (int v = 0; v < scope_.bracket; ++v) topscorers = topscorers || profile(v).topscorer;
    within_repetition_ = layout_.place(topscorers ? pairs : 0);
    within_difference_ = layout_.place(topscorers ? pairs : 0);
}

void Criteria::lay_out_bye() {
    if (!scope_.single_bye) return;
    for (int v = 0; v < scope_.bracket; ++v)
        most_unplayed_ = std::max(most_unplayed_, profile(v).unplayed);
    bye_games_ = layout_.place(count(most_unplayed_));
}

void Criteria::lay_out_next() {
    if (scope_.reach == Reach::bracket) return;
    const std::vector<int> sizes = group_sizes(scope_.score_groups);
    next_scores_.resize(sizes.size());
    for (std::size_t i = sizes.size(); i-- > 0;) next_scores_[i] = layout_.place(count(sizes[i]));
    next_pairs_ = layout_.place(count(scope_.size() / 2));
}

void Criteria::lay_out_pairs() {
    const int groups =
        scope_.moved_down > 0 ? scope_.member(scope_.moved_down - 1).score_group + 1 : 0;
    const std::vector<int> sizes = group_sizes(groups);
    paired_scores_.resize(sizes.size());
    for (std::size_t i = sizes.size(); i-- > 0;) paired_scores_[i] = layout_.place(count(sizes[i]));
    if (scope_.reach == Reach::bracket) return;  // the number of slots says it all
    pairs_ = layout_.place(count(scope_.bracket / 2));
    if (scope_.reach == Reach::next) bye_covered_ = layout_.place(1);
}

void Criteria::terms(int u, int v, std::vector<Term>& terms) const {
    const Role low = scope_.member(v).role;
    if (low == Role::resident) {
        bracket_terms(u, v, terms);
    } else if (low == Role::bye) {
        add(terms, bye_covered_, 1);
        if (scope_.in_bracket(u))
            add(terms, bye_games_, count(most_unplayed_ - profile(u).unplayed));
    } else if (low == Role::next) {
        add(terms, next_pairs_, 1);
        if (scope_.in_bracket(u) && !next_scores_.empty())
            add(terms, next_scores_[static_cast<std::size_t>(scope_.member(u).score_group)], 1);
    }
}

void Criteria::bracket_terms(int u, int v, std::vector<Term>& terms) const {
    add(terms, pairs_, 1);
    if (scope_.member(u).role == Role::moved_down)
        add(terms, paired_scores_[static_cast<std::size_t>(scope_.member(u).score_group)], 1);
    colour_terms(profile(u), profile(v), terms);
    look_back_terms(u, v, last_, &Profile::floated_last, terms);
    look_back_terms(u, v, before_, &Profile::floated_before, terms);
}

void Criteria::colour_terms(const Profile& a, const Profile& b, std::vector<Term>& terms) const {
    const bool clash = prefer_the_same(a, b);
    const Strength weaker = std::min(a.preference.strength, b.preference.strength);
    if (within_difference_.used) {
        bool difference_kept = true;
        bool repetition_kept = true;
        if (clash && weaker == Strength::absolute) {
            const Profile& unlucky = disappointed(a, b, lineup_.initial_colour);
            difference_kept = std::abs(unlucky.colour_difference) < widest_difference;
            repetition_kept =
                !unlucky.repeated_colour || unlucky.colours.back() == *unlucky.preference.colour;
        }
        add(terms, within_difference_, difference_kept ? 1 : 0);
        add(terms, within_repetition_, repetition_kept ? 1 : 0);
    }
    add(terms, preferences_, clash ? 0 : 1);
    add(terms, strong_preferences_, clash && weaker >= Strength::strong ? 0 : 1);
}

void Criteria::look_back_terms(int u, int v, const LookBack& back, Float Profile::*floated,
                               std::vector<Term>& terms) const {
    const bool opponent_kept = profile(v).*floated != Float::up;
    int floaters = profile(v).*floated == Float::down ? 1 : 0;
    if (scope_.member(u).role == Role::moved_down) {
        const auto group = static_cast<std::size_t>(scope_.member(u).score_group);
        add(terms, back.opponents, opponent_kept ? 1 : 0);
        add(terms, back.floater_scores[group], profile(u).*floated == Float::down ? 1 : 0);
        add(terms, back.opponent_scores[group], opponent_kept ? 1 : 0);
    } else if (profile(u).*floated == Float::down) {
        ++floaters;
    }
    add(terms, back.floaters, count(floaters));
}

}  // namespace referee::pairing
