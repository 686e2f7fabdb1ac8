#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <numeric>
#include <string>

#include "protocol/base/names.h"
#include "referee/contest/trf/trf_reading.h"

namespace referee::trf {

namespace {

using pairing::Colour;
using pairing::Entrant;
using pairing::Game;
using pairing::PairingField;
using pairing::PairingOutcome;

// Their letters in a player's rounds, and in records of abnormal points (299) and games of any
// length.
struct OutcomeCode {
    PairingOutcome value;
    char of_round;
    char of_points;
};
constexpr std::array<OutcomeCode, 9> outcome_codes{{
    {PairingOutcome::win, '1', 'W'},
    {PairingOutcome::draw, '=', 'D'},
    {PairingOutcome::loss, '0', 'L'},
    {PairingOutcome::forfeit_win, '+', '+'},
    {PairingOutcome::forfeit_loss, '-', '-'},
    {PairingOutcome::allocated_bye, 'U', 'U'},
    {PairingOutcome::full_bye, 'F', 'F'},
    {PairingOutcome::half_bye, 'H', 'H'},
    {PairingOutcome::absent, 'Z', 'Z'},
}};
static_assert(base::in_order(outcome_codes));

PairingOutcome outcome_of(char code) {
    const auto* const found = std::find_if(
        outcome_codes.begin(), outcome_codes.end(),
        [code](const auto& row) { return row.of_round == code || row.of_points == code; });
    return found == outcome_codes.end() ? PairingOutcome::absent : found->value;
}

Game game_of(const TrfRound& entry) {
    Game game;
    game.outcome = outcome_of(entry.result);
    game.opponent = entry.opponent;
    if (entry.colour == 'w') game.colour = Colour::white;
    if (entry.colour == 'b') game.colour = Colour::black;
    return game;
}

// The players' places in ranking order.
std::vector<std::size_t> ranking_of(const Document& document) {
    std::vector<std::size_t> order(document.players.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t i) {
        const PlayerRecord& player = document.players[i];
        const int rank = document.ranked_by_rank ? player.rank.value_or(0) : 0;
        return std::pair(rank, player.number);
    };
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    return order;
}

using Index = std::map<int, Entrant*>;

// The game of a round, made if need be; the field's games may be shorter than its rounds.
Game& game_at(Entrant& entrant, int round) {
    const auto size = static_cast<std::size_t>(round);
    if (entrant.games.size() < size) entrant.games.resize(size);
    return entrant.games[size - 1];
}

// Byes of past rounds matter where the player's own columns are blank.
void apply_byes(const Document& document, const Index& index, PairingField& field) {
    for (const ByeRecord& record : document.byes) {
        for (const int number : record.numbers) {
            const auto found = index.find(number);
            if (found == index.end()) continue;
            if (record.round == field.rounds_played + 1) found->second->absent = true;
            if (record.round > field.rounds_played) continue;
            Game& game = game_at(*found->second, record.round);
            if (game.outcome != PairingOutcome::absent || game.opponent != pairing::nobody)
                continue;
            game.outcome = outcome_of(record.type);
        }
    }
}

void apply_accelerations(const Document& document, PairingField& field) {
    for (const AccelerationRecord& record : document.accelerations) {
        for (Entrant& entrant : field.entrants) {
            if (entrant.number < record.first_number || entrant.number > record.last_number)
                continue;
            auto& extra = entrant.acceleration_tenths;
            const auto last = static_cast<std::size_t>(record.last_round);
            if (extra.size() < last) extra.resize(last, 0);
            for (int round = record.first_round; round <= record.last_round; ++round)
                extra[static_cast<std::size_t>(round - 1)] += record.points_tenths;
        }
    }
    if (!document.accelerations.empty()) return;
    for (const PlainRecord& record : document.plain) {
        if (record.code != "192") continue;
        std::string type = record.text;
        std::transform(type.begin(), type.end(), type.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        if (type.find("BAKU") != std::string::npos) pairing::accelerate_baku(field);
    }
}

bool means(const AbnormalPoints& record, const TrfRound& entry) {
    const PairingOutcome outcome = outcome_of(entry.result);
    return entry.result != 'U' && outcome == outcome_of(record.type) &&
           (outcome != PairingOutcome::absent || record.type == 'Z');
}

void apply_abnormal(const Document& document, const Index& index, PairingField& field) {
    for (const AbnormalPoints& record : document.abnormal) {
        for (const PlayerRecord& player : document.players) {
            const auto& numbers = record.numbers;
            if (std::find(numbers.begin(), numbers.end(), player.number) == numbers.end()) continue;
            Entrant& entrant = *index.at(player.number);
            if (record.type == ' ') {
                entrant.bonuses.push_back({std::max(record.round, 1), record.points_tenths});
                continue;
            }
            for (int round = 1; round <= field.rounds_played; ++round) {
                if (record.round != 0 && record.round != round) continue;
                const auto place = static_cast<std::size_t>(round - 1);
                const TrfRound entry =
                    place < player.rounds.size() ? player.rounds[place] : TrfRound{};
                if (means(record, entry))
                    game_at(entrant, round).points_tenths = record.points_tenths;
            }
        }
    }
}

// The colour that was drawn by lot, from what the first coloured round gave; White when nothing
// tells it.
Colour inferred_colour(const PairingField& field) {
    for (int round = 1; round <= field.rounds_played; ++round) {
        bool turned = false;
        for (const Entrant& entrant : field.entrants) {
            bool counted = false;
            for (int past = 1; past <= round; ++past)
                counted = counted || took_part(pairing::game_of(entrant, past));
            if (!counted) continue;
            if (const auto colour = pairing::game_of(entrant, round).colour)
                return turned ? opposite(*colour) : *colour;
            turned = !turned;
        }
    }
    return Colour::white;
}

// Joins a record to one that says the same of the player just before.
void append(std::vector<AccelerationRecord>& records, const AccelerationRecord& record) {
    for (AccelerationRecord& earlier : records) {
        AccelerationRecord same = record;
        same.first_number = earlier.first_number;
        same.last_number = earlier.last_number;
        if (earlier.last_number + 1 != record.first_number || same != earlier) continue;
        earlier.last_number = record.last_number;
        return;
    }
    records.push_back(record);
}

}  // namespace

char code_of_round(PairingOutcome outcome) {
    return base::row_of(outcome_codes, outcome).of_round;
}

char code_of_points(PairingOutcome outcome) {
    return base::row_of(outcome_codes, outcome).of_points;
}

pairing::PairingField field_of(const Document& document) {
    PairingField field;
    field.rounds_played = rounds_played(document);
    field.rounds_total = document.rounds_total.value_or(0);
    if (document.points) field.points = *document.points;
    const auto played = static_cast<std::size_t>(field.rounds_played);
    for (const std::size_t i : ranking_of(document)) {
        const PlayerRecord& player = document.players[i];
        Entrant entrant;
        entrant.number = player.number;
        for (const TrfRound& entry : player.rounds) entrant.games.push_back(game_of(entry));
        // A column beyond the last round played announces who will not play the next one.
        entrant.absent = player.rounds.size() > played && !player.rounds[played].is_blank();
        if (entrant.games.size() > played) entrant.games.resize(played);
        field.entrants.push_back(std::move(entrant));
    }
    Index index;
    for (Entrant& entrant : field.entrants) index.emplace(entrant.number, &entrant);
    apply_byes(document, index, field);
    apply_accelerations(document, field);
    apply_abnormal(document, index, field);
    for (const ForbiddenRecord& record : document.forbidden)
        field.forbidden.push_back({record.first_round, record.last_round, record.numbers});
    field.initial_colour =
        document.initial_colour ? *document.initial_colour : inferred_colour(field);
    return field;
}

void add_virtual_points(std::vector<AccelerationRecord>& records, int number,
                        const std::vector<int>& by_round) {
    std::vector<AccelerationRecord> runs;
    int round = 0;
    for (const int points : by_round) {
        ++round;
        if (points == 0) continue;
        if (!runs.empty() && runs.back().points_tenths == points &&
            runs.back().last_round + 1 == round)
            runs.back().last_round = round;
        else
            runs.push_back({points, round, round, number, number});
    }
    for (const AccelerationRecord& run : runs) append(records, run);
}

}  // namespace referee::trf
