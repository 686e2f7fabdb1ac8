// Any field of players, with any past that fits together, is paired as the rules say or refused
// with a reason.

#include <algorithm>
#include <array>

#include "referee/contest/trf/trf.h"
#include "tests/fuzz/target.h"
#include "tests/referee/contest/pairing/pairing_promises.h"

namespace fuzz {
namespace {

using namespace referee::pairing;

constexpr int players_max = 14;
constexpr int rounds_max = 7;
constexpr int groups_max = 3;
constexpr int tenths_max = 30;

// Makes choices of bytes: behind the last one each choice is the first.
class Choices {
 public:
    explicit Choices(std::string_view bytes) : rest_(bytes) {}

    int below(int bound) {
        if (rest_.empty()) return 0;
        const auto byte = static_cast<unsigned char>(rest_.front());
        rest_.remove_prefix(1);
        return byte % bound;
    }
    int between(int least, int most) { return least + below(most - least + 1); }
    // Once in so many times.
    bool rarely(int times) { return below(times) == times - 1; }

 private:
    std::string_view rest_;
};

Game played(int opponent, Colour colour, PairingOutcome outcome) {
    Game game{outcome, opponent, colour, {}};
    return game;
}

void play_game(Choices& choices, Entrant& one, Entrant& other) {
    struct Ending {
        PairingOutcome one;
        PairingOutcome other;
    };
    static constexpr std::array<Ending, 7> endings{{
        {PairingOutcome::win, PairingOutcome::loss},
        {PairingOutcome::loss, PairingOutcome::win},
        {PairingOutcome::draw, PairingOutcome::draw},
        {PairingOutcome::draw, PairingOutcome::draw},
        {PairingOutcome::forfeit_win, PairingOutcome::forfeit_loss},
        {PairingOutcome::forfeit_loss, PairingOutcome::forfeit_win},
        {PairingOutcome::forfeit_loss, PairingOutcome::forfeit_loss},
    }};
    const auto& ending = endings[static_cast<std::size_t>(choices.below(endings.size()))];
    const auto colour = choices.below(2) == 0 ? Colour::white : Colour::black;
    one.games.push_back(played(other.number, colour, ending.one));
    other.games.push_back(played(one.number, opposite(colour), ending.other));
}

Game alone(Choices& choices) {
    static constexpr std::array outcomes{PairingOutcome::allocated_bye, PairingOutcome::absent,
                                         PairingOutcome::half_bye, PairingOutcome::full_bye};
    Game game;
    game.outcome = outcomes[static_cast<std::size_t>(choices.below(outcomes.size()))];
    if (choices.rarely(16)) game.points_tenths = choices.below(tenths_max);
    return game;
}

// Who sits next to whom is a choice; nobody asks whether they met before.
void play_round(Choices& choices, std::vector<Entrant>& entrants) {
    std::vector<Entrant*> free;
    for (auto& entrant : entrants) free.push_back(&entrant);
    while (!free.empty()) {
        auto& one = *free.front();
        free.erase(free.begin());
        if (free.empty() || choices.rarely(12)) {
            one.games.push_back(alone(choices));
            continue;
        }
        const auto at = free.begin() + choices.below(static_cast<int>(free.size()));
        play_game(choices, one, **at);
        free.erase(at);
    }
}

PairingPoints point_system(Choices& choices) {
    PairingPoints points;
    if (!choices.rarely(4)) return points;
    for (auto* const each :
         {&points.win, &points.draw, &points.loss, &points.forfeit_win, &points.forfeit_loss,
          &points.full_bye, &points.half_bye, &points.absent, &points.allocated_bye})
        *each = choices.below(tenths_max);
    return points;
}

PairingField field_of(Choices& choices) {
    PairingField field;
    const int players = choices.between(1, players_max);
    for (int number = 1; number <= players; ++number) {
        auto at = field.entrants.end();
        if (choices.rarely(8)) at = field.entrants.begin() + choices.below(number);
        field.entrants.insert(at, {number, {}, {}, {}, false});
    }
    field.rounds_played = choices.between(0, rounds_max);
    field.rounds_total = choices.rarely(2) ? field.rounds_played + choices.between(1, 3) : 0;
    field.initial_colour = choices.rarely(2) ? Colour::black : Colour::white;
    field.bye_goes_round = choices.rarely(3);
    field.points = point_system(choices);
    for (int round = 1; round <= field.rounds_played; ++round) play_round(choices, field.entrants);
    for (auto& entrant : field.entrants) {
        entrant.absent = choices.rarely(8);
        if (choices.rarely(16))
            entrant.bonuses.push_back({choices.between(1, rounds_max), choices.below(tenths_max)});
        // Came late, or left: its last rounds are not written.
        if (choices.rarely(16) && !entrant.games.empty()) {
            auto& last = entrant.games.back();
            if (last.opponent == nobody && last.outcome == PairingOutcome::absent)
                entrant.games.pop_back();
        }
    }
    for (int groups = choices.below(groups_max); groups > 0; --groups) {
        ForbiddenGroup group{1, choices.between(1, rounds_max + 1), {}};
        for (int i = choices.between(2, 4); i > 0; --i) {
            const int number = choices.between(1, players);
            if (std::find(group.numbers.begin(), group.numbers.end(), number) ==
                group.numbers.end())
                group.numbers.push_back(number);
        }
        field.forbidden.push_back(std::move(group));
    }
    if (choices.rarely(4)) accelerate_baku(field);
    return field;
}

// For whoever looks into it: a line a player, with its opponents and the letters of report files.
std::string told(const PairingField& field) {
    std::string text;
    for (const auto& entrant : field.entrants) {
        text += '\n' + std::to_string(entrant.number) + (entrant.absent ? " (absent):" : ":");
        for (const auto& game : entrant.games) {
            text += ' ' + std::to_string(game.opponent);
            if (game.colour) text += *game.colour == Colour::white ? 'w' : 'b';
            text += referee::trf::code_of_round(game.outcome);
        }
    }
    return text;
}

}  // namespace

Complaint check_pairing(std::string_view bytes) {
    Choices choices(bytes);
    const auto field = field_of(choices);
    auto wrong = broken_promise(field, pair_round(field));
    return wrong.empty() ? wrong : wrong + told(field);
}

}  // namespace fuzz
