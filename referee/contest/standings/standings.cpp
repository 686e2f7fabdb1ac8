#include "referee/contest/standings/standings.h"

#include <limits>
#include <tuple>

#include "protocol/base/assertion.h"

namespace referee::standings {

CountedGames::CountedGames(std::vector<CountedGame> games,
                           std::vector<std::optional<engines::Score>> scores) {
    REFEREE_ASSERT(games.empty() ? scores.empty() : scores.size() % games.size() == 0);
    games.shrink_to_fit();
    scores.shrink_to_fit();
    all_ = std::make_shared<const All>(All{std::move(games), std::move(scores)});
}

CountedGames::Scored CountedGames::operator[](std::size_t i) const {
    const auto width = all_->scores.size() / all_->games.size();
    return {all_->games[i], Scores(all_->scores).subspan(i * width, width)};
}

void ResultList::put(MatchResult result) {
    const auto number = result.match / block_size;
    if (blocks_.empty()) first_block_ = number;
    if (number < first_block_) {
        blocks_.insert(blocks_.begin(), first_block_ - number, nullptr);
        first_block_ = number;
    }
    const auto index = number - first_block_;
    if (index >= blocks_.size()) blocks_.resize(index + 1);
    const auto& old = blocks_[index];
    auto block = old == nullptr ? std::make_shared<Block>() : std::make_shared<Block>(*old);
    auto& place = block->results[result.match % block_size];
    if (place == nullptr) {
        ++block->count;
        ++size_;
    }
    place = std::make_shared<const MatchResult>(std::move(result));
    blocks_[index] = std::move(block);
}

void ResultList::erase(std::uint64_t match) {
    if (!contains(match)) return;
    auto& held = blocks_[match / block_size - first_block_];
    --size_;
    if (held->count == 1) {
        held = nullptr;
        drop_empty_ends();
        return;
    }
    auto block = std::make_shared<Block>(*held);
    block->results[match % block_size] = nullptr;
    --block->count;
    held = std::move(block);
}

void ResultList::drop_empty_ends() {
    while (!blocks_.empty() && blocks_.back() == nullptr) blocks_.pop_back();
    std::size_t empty = 0;
    while (empty < blocks_.size() && blocks_[empty] == nullptr) ++empty;
    blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(empty));
    first_block_ += empty;
}

const MatchResult* ResultList::find(std::uint64_t match) const {
    const auto number = match / block_size;
    if (number < first_block_ || number - first_block_ >= blocks_.size()) return nullptr;
    const auto& block = blocks_[number - first_block_];
    return block == nullptr ? nullptr : block->results[match % block_size].get();
}

const MatchResult& ResultList::at(std::uint64_t match) const {
    const auto* result = find(match);
    REFEREE_ASSERT(result != nullptr);
    return *result;
}

const MatchResult& ResultList::back() const {
    REFEREE_ASSERT(!empty());
    auto at = places() - 1;
    while (place(at) == nullptr) --at;
    return *place(at);
}

std::vector<MatchResult> ResultList::copied(std::uint64_t from) const {
    std::vector<MatchResult> all;
    if (from == 0) all.reserve(size_);
    for (const auto& [ordinal, result] : *this) {
        if (ordinal >= from) all.push_back(result);
    }
    return all;
}

std::size_t ResultList::next_taken(std::size_t at) const {
    while (at < places()) {
        if (blocks_[at / block_size] == nullptr) {
            at = (at / block_size + 1) * block_size;
        } else if (place(at) == nullptr) {
            ++at;
        } else {
            return at;
        }
    }
    return places();
}

namespace {

using pairing::PairingOutcome;

// Machines that others look after may tell any times; a column counts in parts.
constexpr std::int64_t used_us_most = std::numeric_limits<std::int64_t>::max() / parts_per_unit;

// A round of an entrant before it is laid down in a row.
struct Told {
    std::uint32_t round = 0;
    Entrant entrant = 0;
    RoundEntry entry;
    std::vector<Meeting> met;
};

class Fold {
 public:
    explicit Fold(const StandingsSetup& field) : field_(field) {
        table_.points = field.points;
        table_.rounds = field.rounds;
        for (const auto rating : field.ratings) table_.rows.emplace_back().rating = rating;
        for (const auto entrant : field.unranked) table_.rows.at(entrant).ranked = false;
    }

    void add(const MatchResult& match) {
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat) {
            REFEREE_ASSERT(match.seats[seat] < table_.rows.size());
            StandingsRow& row = table_.rows[match.seats[seat]];
            row.scores += tenths_of(match.scores[seat]);
            if (!match.used_us.empty())
                row.used_us += std::min(match.used_us[seat], used_us_most - row.used_us);
            row.games += match.games;
            told_.push_back(round_of(match, seat));
        }
    }

    void add(const Bye& bye) {
        REFEREE_ASSERT(bye.entrant < table_.rows.size());
        RoundEntry entry;
        entry.points = tenths_of(bye.points);
        switch (bye.kind) {
            case ByeKind::pairing:
                entry.outcome = PairingOutcome::allocated_bye;
                break;
            case ByeKind::half_point:
                entry.outcome = PairingOutcome::half_bye;
                break;
            case ByeKind::full_point:
                entry.outcome = PairingOutcome::full_bye;
                break;
            case ByeKind::zero_point:
                entry.outcome = PairingOutcome::absent;
                break;
        }
        entry.won = entry.points > 0 && entry.points == field_.points.win;
        told_.push_back({bye.round, bye.entrant, entry, {}});
    }

    Crosstable table() {
        std::ranges::sort(told_, [](const Told& a, const Told& b) {
            return std::tuple(a.entrant, a.round, a.entry.match) <
                   std::tuple(b.entrant, b.round, b.entry.match);
        });
        for (const auto& told : told_)
            table_.rounds = std::max<std::size_t>(table_.rounds, told.round);
        std::size_t next = 0;
        for (std::size_t p = 0; p < table_.rows.size(); ++p) {
            for (std::uint32_t round = 1; round <= table_.rounds; ++round) {
                const std::size_t first = next;
                for (;
                     next < told_.size() && told_[next].entrant == p && told_[next].round == round;
                     ++next) {
                    table_.rows[p].add(told_[next].entry, told_[next].met);
                }
                if (next == first) table_.rows[p].add({}, {});
            }
        }
        return std::move(table_);
    }

 private:
    Told round_of(const MatchResult& match, std::size_t seat) const {
        Told told{match.round, match.seats[seat], {}, {}};
        const bool pair = match.seats.size() == 2;
        auto& entry = told.entry;
        entry.match = match.match;
        entry.points = tenths_of(match.points[seat]);
        entry.second_seat = seat == 1;
        bool ahead_of_all = match.seats.size() > 1;
        const int place = match.placing[seat];
        for (std::size_t other = 0; other < match.seats.size(); ++other) {
            if (other == seat) continue;
            const int theirs = match.placing[other];
            ahead_of_all = ahead_of_all && place < theirs;
            const Tenths by_place = place < theirs    ? field_.points.win
                                    : place == theirs ? field_.points.draw
                                                      : field_.points.loss;
            told.met.push_back(
                {static_cast<std::uint32_t>(match.seats[other]), pair ? entry.points : by_place});
        }
        const auto unplayed = without_game(match, seat);
        entry.outcome = unplayed       ? *unplayed
                        : ahead_of_all ? PairingOutcome::win
                        : place == 1   ? PairingOutcome::draw
                                       : PairingOutcome::loss;
        entry.won = ahead_of_all && unplayed != PairingOutcome::forfeit_loss;
        return told;
    }

    // Nothing where it is a game for the seat, as a pod is that a bot didn't come to for the
    // others, if at least two came.
    static std::optional<PairingOutcome> without_game(const MatchResult& match, std::size_t seat) {
        if (!match.forfeit()) return std::nullopt;
        if (match.absent[seat]) return PairingOutcome::forfeit_loss;
        if (std::ranges::count(match.absent, false) > 1) return std::nullopt;
        return PairingOutcome::forfeit_win;
    }

    const StandingsSetup& field_;
    Crosstable table_;
    std::vector<Told> told_;
};

}  // namespace

Crosstable crosstable_of(const StandingsSetup& field, std::span<const MatchResult> matches,
                         std::span<const Bye> byes) {
    Fold fold(field);
    for (const auto& match : matches) fold.add(match);
    for (const auto& bye : byes) fold.add(bye);
    return fold.table();
}

Standings standings_of(const StandingsSetup& field, std::span<const MatchResult> matches,
                       std::span<const Bye> byes, std::span<const TieBreak> order) {
    Standings standings{crosstable_of(field, matches, byes), {}};
    standings.ranking = rank_by(standings.table, order);
    return standings;
}

}  // namespace referee::standings
