#include "referee/contest/standings/trf_report.h"

#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "protocol/base/assertion.h"

namespace referee::standings {

namespace {

constexpr std::uint8_t halves_of_draw = 1;
constexpr std::uint8_t halves_of_win = 2;
constexpr int points_most = 999;  // 99.9 fills the four columns

char code_of_game(const RoundEntry& entry) {
    if (entry.standard_halves == halves_of_win) return '1';
    return entry.standard_halves == halves_of_draw ? '=' : '0';
}

char code_of(const RoundEntry& entry) {
    switch (entry.kind) {
        case RoundKind::game:
            return code_of_game(entry);
        case RoundKind::forfeit_win:
            return '+';
        case RoundKind::forfeit_loss:
            return '-';
        case RoundKind::pairing_bye:
            return 'U';
        case RoundKind::full_bye:
            return 'F';
        case RoundKind::half_bye:
            return 'H';
        case RoundKind::zero_bye:
            return 'Z';
        case RoundKind::pending:
            break;
    }
    return ' ';
}

// Records of points name games by the letters of their values.
char code_of_points(char result) {
    switch (result) {
        case '1':
            return 'W';
        case '=':
            return 'D';
        case '0':
            return 'L';
        default:
            return result;
    }
}

class Report {
 public:
    Report(const Standings& standings, const TrfHead& head)
        : standings_(standings),
          ranks_(head.places.empty() ? standings.ranking.rank : head.places) {
        const auto& worth = standings.table.points;
        points_.win = points_.forfeit_win = points_.full_bye = static_cast<int>(worth.win);
        points_.draw = points_.half_bye = static_cast<int>(worth.draw);
        points_.loss = static_cast<int>(worth.loss);
        points_.allocated_bye = static_cast<int>(head.bye_points);
        document_.points = points_;
        document_.plain.push_back({"012", " " + head.tournament});
        const auto rounds = head.rounds_total == 0 ? standings.table.rounds : head.rounds_total;
        document_.rounds_total = static_cast<int>(rounds);
        document_.initial_colour =
            head.first_is_white ? pairing::Colour::white : pairing::Colour::black;
        document_.accelerations = head.accelerations;
        document_.forbidden = head.forbidden;
        by_number_ = head.by_number;
        if (by_number_.empty()) {
            by_number_.resize(standings.table.rows.size());
            std::iota(by_number_.begin(), by_number_.end(), std::size_t{0});
        }
        REFEREE_ASSERT(by_number_.size() == standings.table.rows.size());
        number_of_.resize(by_number_.size());
        for (const auto& row : standings.table.rows) count_byes(row);
        int number = 0;
        for (const auto row : by_number_) number_of_[row] = ++number;
    }

    void add_all(std::span<const std::string> names) {
        for (const auto row : by_number_) add(row, names[row]);
    }

    trf::Document document() {
        for (auto& [key, numbers] : other_points_) {
            const auto& [round, code, points] = key;
            document_.abnormal.push_back({code, points, round, std::move(numbers)});
        }
        return std::move(document_);
    }

 private:
    void count_byes(const Row& row) {
        for (std::size_t round = 0; round < row.rounds.size(); ++round) {
            if (row.rounds[round].kind != RoundKind::pairing_bye) continue;
            if (byes_.size() <= round) byes_.resize(round + 1, 0);
            ++byes_[round];
        }
    }

    void add(std::size_t index, const std::string& name) {
        const auto& row = standings_.table.rows[index];
        trf::PlayerRecord player;
        player.number = number_of_[index];
        player.name = name;
        if (row.rating != 0) player.rating = std::to_string(row.rating);
        player.rank = static_cast<int>(ranks_[index]);
        int points = 0;
        for (const auto& entry : row.rounds) {
            points += static_cast<int>(entry.points);
            player.rounds.push_back(round_of(row, entry));
            auto& result = player.rounds.back().result;
            if (result == 'U' && byes_[player.rounds.size() - 1] > 1) result = 'Z';
            note_points(player, entry);
        }
        while (!player.rounds.empty() && player.rounds.back().is_blank()) player.rounds.pop_back();
        if (points <= points_most) player.points_tenths = points;
        document_.players.push_back(std::move(player));
    }

    trf::RoundEntry round_of(const Row& row, const RoundEntry& entry) const {
        REFEREE_ASSERT(entry.meetings <= 1);
        trf::RoundEntry written;
        written.result = code_of(entry);
        if (entry.meetings == 1) {
            written.opponent = number_of_[row.met(entry).front().opponent];
            written.colour = entry.second_seat ? 'b' : 'w';
        }
        return written;
    }

    // The round that was written last, where it gave other points than its result is worth.
    void note_points(const trf::PlayerRecord& player, const RoundEntry& entry) {
        const char result = player.rounds.back().result;
        if (entry.kind == RoundKind::pending || entry.points == worth(result)) return;
        const auto round = static_cast<int>(player.rounds.size());
        const auto key = std::tuple(round, code_of_points(result), static_cast<int>(entry.points));
        other_points_[key].push_back(player.number);
    }

    Tenths worth(char result) const {
        switch (result) {
            case '1':
            case '+':
            case 'F':
                return points_.win;
            case '=':
            case 'H':
                return points_.draw;
            case '0':
                return points_.loss;
            case 'U':
                return points_.allocated_bye;
            default:
                return 0;
        }
    }

    const Standings& standings_;
    const std::vector<std::size_t>& ranks_;
    std::vector<std::size_t> byes_;  // allocated ones, by round
    pairing::PointSystem points_;
    std::vector<std::size_t> by_number_;
    std::vector<int> number_of_;  // by row
    trf::Document document_;
    std::map<std::tuple<int, char, int>, std::vector<int>> other_points_;
};

}  // namespace

trf::Document trf_report(const Standings& standings, std::span<const std::string> names,
                         const TrfHead& head) {
    REFEREE_ASSERT(names.size() == standings.table.rows.size());
    Report report(standings, head);
    report.add_all(names);
    return report.document();
}

}  // namespace referee::standings
