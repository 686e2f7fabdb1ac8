#include "tests/referee/standings/trf_reader.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>

namespace referee::standings {

namespace {

constexpr std::size_t number_at = 4;
constexpr std::size_t rating_at = 48;
constexpr std::size_t first_round_at = 91;
constexpr std::size_t round_width = 10;

struct Values {
    Tenths win = 10, draw = 5, loss = 0, absent = 0;
    std::optional<Tenths> bye;
};

struct Player {
    int number = 0;
    int rating = 0;
    std::string line;
};

std::string_view cut(std::string_view line, std::size_t at, std::size_t length) {
    return at >= line.size() ? std::string_view{} : line.substr(at, length);
}

int number_of(std::string_view text) { return std::atoi(std::string(text).c_str()); }

void read_values(std::string_view line, Values& values) {
    for (std::size_t at = 5; at < line.size(); at += 9) {
        const auto value = static_cast<Tenths>(
            std::lround(std::atof(std::string(cut(line, at + 1, 4)).c_str()) * 10));
        switch (line[at]) {
            case 'W': values.win = value; break;
            case 'D': values.draw = value; break;
            case 'L': values.loss = value; break;
            case 'A':
            case 'Z': values.absent = value; break;
            case 'P': values.bye = value; break;
            default: break;
        }
    }
}

RoundEntry entry_of(char result, bool opponent, const Values& values) {
    RoundEntry entry;
    const auto set = [&](RoundKind kind, Tenths points, int halves = 0) {
        entry.kind = kind;
        entry.points = points;
        entry.standard_halves = static_cast<std::uint8_t>(halves);
    };
    switch (result) {
        case '1':
        case 'W': set(RoundKind::game, values.win, 2); break;
        case '=':
        case 'D': set(RoundKind::game, values.draw, 1); break;
        case '0':
        case 'L': set(RoundKind::game, values.loss); break;
        case '+': set(RoundKind::forfeit_win, values.win); break;
        case '-': set(RoundKind::forfeit_loss, values.absent); break;
        case 'F': set(RoundKind::full_bye, values.win); break;
        case 'H': set(RoundKind::half_bye, values.draw); break;
        case 'U': set(RoundKind::pairing_bye, values.bye.value_or(values.win)); break;
        default: set(RoundKind::zero_bye, values.absent); break;
    }
    if (entry.kind == RoundKind::game && !opponent) set(RoundKind::zero_bye, values.absent);
    entry.won = entry.points == values.win;
    return entry;
}

}  // namespace

std::optional<TrfTable> read_trf(std::string_view text) {
    Values values;
    std::vector<Player> players;
    std::size_t total = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
        const auto line = text.substr(at, end - at);
        at = end + 1;
        const auto code = cut(line, 0, 3);
        if (code == "001") {
            players.push_back({number_of(cut(line, number_at, 4)),
                               number_of(cut(line, rating_at, 4)), std::string(line)});
        } else if (code == "162") {
            read_values(line, values);
        } else if (code == "142" || code == "XXR") {
            total = static_cast<std::size_t>(number_of(line.substr(3)));
        }
    }
    if (players.empty()) return std::nullopt;
    std::sort(players.begin(), players.end(),
              [](const Player& a, const Player& b) { return a.number < b.number; });
    std::map<int, std::uint32_t> row_of;
    TrfTable trf;
    std::size_t rounds = total;
    for (const auto& player : players) {
        row_of.emplace(player.number, static_cast<std::uint32_t>(trf.start_numbers.size()));
        trf.start_numbers.push_back(player.number);
        for (std::size_t r = 0;; ++r) {
            const auto cell = cut(player.line, first_round_at + r * round_width, 8);
            if (cell.size() < 8) break;
            if (cell.find_first_not_of(' ') != std::string_view::npos) rounds = std::max(rounds, r + 1);
        }
    }
    trf.table.points = {values.win, values.draw, values.loss};
    trf.table.rounds = rounds;
    for (const auto& player : players) {
        auto& row = trf.table.rows.emplace_back();
        row.rating = player.rating;
        for (std::size_t r = 0; r < rounds; ++r) {
            auto cell = std::string(cut(player.line, first_round_at + r * round_width, 8));
            cell.resize(8, ' ');
            const int opponent = number_of(cell.substr(0, 4));
            auto entry = entry_of(cell[7], opponent > 0, values);
            entry.second_seat = cell[5] == 'b';
            std::vector<Meeting> met;
            if (opponent > 0) met.push_back({row_of.at(opponent), entry.points});
            row.add(entry, met);
        }
    }
    return trf;
}

}  // namespace referee::standings
