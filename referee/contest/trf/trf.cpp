#include "referee/contest/trf/trf.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "protocol/base/enum_names.h"
#include "protocol/base/find.h"
#include "referee/contest/trf/trf_reading.h"

namespace referee::trf {
namespace {

using pairing::Colour;
using pairing::Entrant;
using pairing::Game;
using pairing::PairingField;
using pairing::PairingOutcome;
using pairing::PairingPoints;

// The blanks that fill a text up to a number of columns.
std::string blanks(std::string_view text, int width) {
    return std::string(static_cast<std::size_t>(width - TrfColumns(text, 0).size()), ' ');
}

// Cut or filled with blanks to a number of columns.
std::string left(std::string_view text, int width) {
    const std::string cell(TrfColumns(text, 0).cut(1, width));
    return cell + blanks(cell, width);
}
std::string right(std::string_view text, int width) {
    const std::string cell(TrfColumns(text, 0).cut(1, width));
    return blanks(cell, width) + cell;
}

std::string points(int points_tenths) {
    return right(tenths_text(points_tenths), 4);
}

std::string round_columns_of(const TrfRound& entry) {
    if (entry.is_blank()) return std::string(round_columns, ' ');
    const auto opponent = entry.opponent == 0 ? "0000" : fmt::format("{:4}", entry.opponent);
    return fmt::format("  {} {} {}", opponent, entry.colour, entry.result);
}

std::string player_line(const PlayerRecord& player) {
    auto line = fmt::format("001 {:4} {}{} {} {} {} {} {} {} {}", player.number, player.sex,
                            right(player.title, 3), left(player.name, 33), right(player.rating, 4),
                            left(player.federation, 3), right(player.fide_number, 11),
                            left(player.birth_date, 10),
                            player.points_tenths ? points(*player.points_tenths) : "    ",
                            player.rank ? fmt::format("{:4}", *player.rank) : "    ");
    for (const TrfRound& entry : player.rounds) line += round_columns_of(entry);
    return line;
}

std::string numbers(const std::vector<int>& list) {
    std::string text;
    for (const int number : list) text += fmt::format(" {:4}", number);
    return text;
}

// Only what is not usual: a reader need not know the codes of the others. A bye is worth a win
// unless told otherwise.
void write_points(const PairingPoints& given, std::vector<std::string>& lines) {
    struct Code {
        char letter;
        int value;
        int usual;
    };
    constexpr PairingPoints usual;
    const std::array<Code, 5> codes = {{{'W', given.win, usual.win},
                                        {'D', given.draw, usual.draw},
                                        {'L', given.loss, usual.loss},
                                        {'A', given.absent, usual.absent},
                                        {'P', given.allocated_bye, given.win}}};
    std::string line;
    for (const auto& code : codes) {
        if (code.value == code.usual) continue;
        line +=
            fmt::format("{}{}{}", line.empty() ? "162  " : "    ", code.letter, points(code.value));
    }
    if (!line.empty()) lines.push_back(line);
}

// Results that a 162 line can't tell apart, as one BB or XX code each.
void write_other_points(const PairingPoints& given, std::vector<std::string>& lines) {
    std::string line;
    const auto differs = [&](const char* code, int value, int usual) {
        if (value != usual) line += fmt::format(" {}={}", code, tenths_text(value));
    };
    differs("FW", given.forfeit_win, given.win);
    differs("FL", given.forfeit_loss, given.absent);
    differs("FPB", given.full_bye, given.win);
    differs("HPB", given.half_bye, given.draw);
    if (!line.empty()) lines.push_back("XXS" + line);
}

void write_settings(const Document& document, std::vector<std::string>& lines) {
    if (document.rounds_total) lines.push_back("142 " + std::to_string(*document.rounds_total));
    if (document.initial_colour)
        lines.push_back(*document.initial_colour == Colour::white ? "152 W" : "152 B");
    if (document.ranked_by_rank) lines.push_back("XXC rank");
    if (!document.points) return;
    write_points(*document.points, lines);
    write_other_points(*document.points, lines);
}

void write_groups(const Document& document, std::vector<std::string>& lines) {
    for (const ByeRecord& record : document.byes)
        lines.push_back(
            fmt::format("240 {} {:03}{}", record.type, record.round, numbers(record.numbers)));
    for (const AccelerationRecord& record : document.accelerations)
        lines.push_back(fmt::format("250      {} {:03} {:03} {:04} {:04}",
                                    points(record.points_tenths), record.first_round,
                                    record.last_round, record.first_number, record.last_number));
    for (const ForbiddenRecord& record : document.forbidden)
        lines.push_back(fmt::format("260 {:03} {:03}{}", record.first_round, record.last_round,
                                    numbers(record.numbers)));
    for (const AbnormalPoints& record : document.abnormal)
        lines.push_back(fmt::format("299 {}        {}  {:03}{}", record.type,
                                    points(record.points_tenths), record.round,
                                    numbers(record.numbers)));
}

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
    const auto* const found = std::ranges::find_if(outcome_codes, [code](const auto& row) {
        return row.of_round == code || row.of_points == code;
    });
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

// The players in ranking order.
std::vector<const PlayerRecord*> ranking_of(const Document& document) {
    std::vector<const PlayerRecord*> order;
    for (const PlayerRecord& player : document.players) order.push_back(&player);
    std::ranges::sort(order, {}, [&](const PlayerRecord* player) {
        const int rank = document.ranked_by_rank ? player->rank.value_or(0) : 0;
        return std::pair(rank, player->number);
    });
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
            const auto* found = base::find_in(index, number);
            if (found == nullptr) continue;
            if (record.round == field.rounds_played + 1) (*found)->absent = true;
            if (record.round > field.rounds_played) continue;
            Game& game = game_at(**found, record.round);
            if (game.outcome == PairingOutcome::absent && game.opponent == pairing::nobody)
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
        if (base::small(record.text).find("baku") != std::string::npos)
            pairing::accelerate_baku(field);
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
            if (!base::contains(numbers, player.number)) continue;
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

std::string write(const Document& document) {
    std::vector<std::string> head;
    std::vector<std::string> tail;
    for (const PlainRecord& record : document.plain)
        (in_tournament_section(record) ? head : tail).push_back(record.code + record.text);
    std::vector<std::string> lines = std::move(head);
    write_settings(document, lines);
    for (const PlayerRecord& player : document.players) lines.push_back(player_line(player));
    write_groups(document, lines);
    lines.insert(lines.end(), tail.begin(), tail.end());
    std::string text;
    for (const std::string& line : lines) text += line + "\r\n";
    return text;
}

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
    for (const PlayerRecord* player : ranking_of(document)) {
        const auto& rounds = player->rounds;
        Entrant& entrant = field.entrants.emplace_back();
        entrant.number = player->number;
        for (std::size_t i = 0; i < std::min(rounds.size(), played); ++i)
            entrant.games.push_back(game_of(rounds[i]));
        // A column beyond the last round played announces who will not play the next one.
        entrant.absent = rounds.size() > played && !rounds[played].is_blank();
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
