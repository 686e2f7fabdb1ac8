#include "referee/contest/standings/opponents_score.h"

#include <algorithm>

namespace referee::standings {

namespace {

bool met_somebody(const RoundEntry& entry) {
    return entry.meetings > 0;
}

class Rounds {
 public:
    Rounds(const Crosstable& table, LastRound last_round)
        : table_(table), fore_(last_round == LastRound::drawn_by_all) {
        for (const auto& row : table.rows) {
            plain_.push_back(plain(row));
            adjusted_.push_back(adjusted(row));
        }
    }

    Contributions all() const {
        Contributions all;
        all.plain = plain_;
        for (std::size_t p = 0; p < table_.rows.size(); ++p) {
            const auto& row = table_.rows[p];
            auto& rounds = all.by_round.emplace_back();
            for (const auto& entry : row.rounds) {
                if (entry.kind == RoundKind::pending) continue;
                rounds.push_back(contribution(p, entry));
            }
        }
        return all;
    }

 private:
    bool counts_as_drawn(const Row& row, const RoundEntry& entry) const {
        return fore_ && &entry == &row.rounds.back() && met_somebody(entry);
    }

    Tenths plain(const Row& row) const {
        Tenths sum = 0;
        for (const auto& entry : row.rounds) {
            sum += counts_as_drawn(row, entry) ? table_.points.draw : entry.points;
        }
        return sum;
    }

    // How the player counts for those it met: rounds at the end that it left unplayed, without an
    // opponent, become draws.
    Tenths adjusted(const Row& row) const {
        std::size_t last = 0;  // rounds up to the last that wasn't left out
        for (std::size_t r = 0; r < row.rounds.size(); ++r) {
            const auto& entry = row.rounds[r];
            if (!voluntarily_unplayed(entry.kind) || counts_as_drawn(row, entry)) last = r + 1;
        }
        Tenths sum = 0;
        for (std::size_t r = 0; r < row.rounds.size(); ++r) {
            const auto& entry = row.rounds[r];
            const bool left = r >= last && !met_somebody(entry);
            sum += left || counts_as_drawn(row, entry) ? table_.points.draw : entry.points;
        }
        return sum;
    }

    Contribution contribution(std::size_t p, const RoundEntry& entry) const {
        const auto& row = table_.rows[p];
        const auto met = row.met(entry);
        const bool as_game = entry.kind == RoundKind::game || counts_as_drawn(row, entry);
        Contribution sum;
        sum.voluntary = !as_game && voluntarily_unplayed(entry.kind);
        if (met.empty()) {
            const Tenths all_drawn = table_.points.draw * static_cast<Tenths>(table_.rounds);
            const Tenths dummy = std::min(plain_[p], all_drawn);
            return {dummy * parts_per_tenth, dummy * entry.points * parts_per_tenth, sum.voluntary};
        }
        const std::int64_t share = parts_per_tenth / static_cast<std::int64_t>(met.size());
        for (const auto& meeting : met) {
            const Tenths theirs = adjusted_[meeting.opponent];
            const Tenths score = as_game ? theirs : std::min(plain_[p], theirs);
            sum.score += score * share;
            sum.weighted += score * meeting.credit * share;
        }
        return sum;
    }

    const Crosstable& table_;
    bool fore_;
    std::vector<Tenths> plain_;
    std::vector<Tenths> adjusted_;
};

}  // namespace

bool voluntarily_unplayed(RoundKind kind) {
    return kind == RoundKind::half_bye || kind == RoundKind::zero_bye ||
           kind == RoundKind::forfeit_loss;
}

std::vector<Tenths> plain_scores(const Crosstable& table) {
    std::vector<Tenths> scores;
    for (const auto& row : table.rows) {
        Tenths sum = 0;
        for (const auto& entry : row.rounds) sum += entry.points;
        scores.push_back(sum);
    }
    return scores;
}

Contributions contributions(const Crosstable& table, LastRound last_round) {
    return Rounds(table, last_round).all();
}

}  // namespace referee::standings
