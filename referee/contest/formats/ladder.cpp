#include "referee/contest/formats/format.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "referee/contest/rating/running_ratings.h"
#include "referee/contest/standings/standings.h"

namespace referee::formats {
namespace {

// Nobody meets one of its last so many opponents again where enough others are here.
constexpr std::size_t opponents_remembered = 8;
// Of the bots that have played, one in so many may sit in a match with a bot that never has, and
// one in any case. Names are registered and forgotten, or by the hundred: who has not shown that it
// plays mostly meets its like, and keeps few of the others from playing. A match that waits for a
// bot that is away keeps nobody else from his trial.
constexpr std::size_t played_for_each_trial = 8;
// More opponents than that are kept, because those of the last match may be taken back.
constexpr std::size_t opponents_kept = 2 * opponents_remembered;

class LadderSchedule final : public Ladder {
 public:
    LadderSchedule(const LadderOptions& options, const std::vector<Entry>& entries)
        : seats_(options.seats), seats_min_(options.seats_min) {
        for (const auto& entry : entries) add(entry);
    }

    std::unique_ptr<Schedule> copy() const override {
        return std::make_unique<LadderSchedule>(*this);
    }

    void offer(std::vector<Entrant> free, std::size_t here, EntrantPairs apart,
               const std::set<Entrant>& absent) override {
        free_ = std::move(free);
        apart_ = std::move(apart);
        std::erase_if(free_, [this](Entrant entrant) {
            return players_[entrant].away || players_[entrant].in_match;
        });
        std::ranges::stable_sort(
            free_, [this](Entrant a, Entrant b) { return players_[a].drawn < players_[b].drawn; });
        all_are_free_ = free_.size() >= here;
        const auto unplayed = static_cast<std::size_t>(
            std::ranges::count_if(free_, [this](auto entrant) { return !has_played(entrant); }));
        fresh_of_unplayed_ = opponents_among(unplayed);
        fresh_ = opponents_among(here > unplayed ? here - unplayed : 0);
        const auto wait = std::ranges::count_if(trials_, [&](const auto& trial) {
            return std::ranges::any_of(trial.second,
                                       [&](Entrant entrant) { return absent.contains(entrant); });
        });
        // Those who have played, and are free or play now.
        std::size_t played = free_.size() - unplayed;
        for (Entrant entrant = 0; entrant < players_.size(); ++entrant)
            played += players_[entrant].in_match && has_played(entrant) ? 1 : 0;
        trials_max_ = std::max(1 + static_cast<std::size_t>(wait), played / played_for_each_trial);
    }

    Next next() override {
        if (time_is_over_) {
            const auto plays = [](const auto& player) { return player.in_match; };
            if (std::ranges::any_of(players_, plays)) return Wait{};
            return Finished{};
        }
        if (free_.size() < std::min(seats_, seats_min_)) return Wait{};
        for (const bool fresh : {true, false}) {
            // Somebody else will be free soon, unless everybody is free already.
            if (!fresh && !all_are_free_) break;
            for (const auto first : free_) {
                const auto of_others = has_played(first) ? fresh_ : fresh_of_unplayed_;
                auto seats = seated_with(first, fresh ? of_others : 0);
                if (!seats.empty()) return drawn(std::move(seats));
            }
        }
        return Wait{};
    }

    void end_by_time() override { time_is_over_ = true; }
    bool go_on() override {
        time_is_over_ = false;
        return true;
    }

    Next draw_again(const Pairing& drawn) override {
        take(drawn);
        return drawn;
    }

    void drop(const Pairing& pairing) override {
        trials_.erase(pairing.match);
        --players_[pairing.seats.front()].first_seats;
        for (const auto entrant : pairing.seats) {
            auto& player = players_[entrant];
            --player.drawn;
            player.in_match = false;
            // Nobody here was drawn again meanwhile, so this match's opponents are the last ones.
            REFEREE_ASSERT(player.met.size() >= pairing.seats.size() - 1);
            player.met.resize(player.met.size() - (pairing.seats.size() - 1));
        }
    }

    void record(const MatchResult& result) override {
        REFEREE_ASSERT(result.match <= last_match_);
        trials_.erase(result.match);
        for (const auto entrant : result.seats) players_[entrant].in_match = false;
        const bool again = results_.contains(result.match);
        MatchResult kept;  // only what ratings come of
        kept.match = result.match;
        kept.seats = result.seats;
        kept.placing = result.placing;
        kept.versions = result.versions;
        results_.put(std::move(kept));
        if (again) {
            now_ = folded();
        } else {
            update(now_, results_.at(result.match));
        }
        // Of matches far back only the ratings that came of them are kept.
        while (results_.size() > ladder_matches_kept) {
            update(then_, results_.front());
            results_.erase(results_.front().match);
        }
    }

    bool reopen(std::uint64_t match) override { return results_.contains(match); }

    std::optional<std::uint64_t> matches_total() const override { return std::nullopt; }

    void withdraw(Entrant entrant, std::uint32_t /*round*/) override {
        players_[entrant].away = true;
    }
    std::optional<Entrant> enter(const Entry& entry, std::uint32_t /*round*/) override {
        add(entry);
        return players_.size() - 1;
    }
    bool come_back(Entrant entrant, std::uint32_t /*round*/) override {
        players_[entrant].away = false;
        return true;
    }

    std::optional<std::vector<std::size_t>> places() const override {
        const auto ratings = folded();
        // Who is withdrawn doesn't stand above those who go on.
        std::vector<std::pair<bool, double>> standings;
        for (std::size_t i = 0; i < ratings.size(); ++i)
            standings.emplace_back(ranks(ratings[i]) && !players_[i].away, ratings[i].ranked());
        std::vector<std::size_t> places;
        for (const auto& one : standings) {
            places.push_back(1 + static_cast<std::size_t>(std::ranges::count_if(
                                     standings, [&](const auto& other) { return other > one; })));
        }
        return places;
    }
    std::optional<std::vector<double>> figures() const override {
        std::vector<double> figures;
        for (const auto& one : folded()) figures.push_back(one.ranked());
        return figures;
    }
    bool has_places() const override { return true; }
    bool has_played(Entrant entrant) const override { return now_[entrant].matches > 0; }
    bool ranks(Entrant entrant) const override { return ranks(now_[entrant]); }

 private:
    using Rating = rating::RunningElo;
    struct Player {
        std::uint64_t drawn = 0;        // matches
        std::uint64_t first_seats = 0;  // matches in the first seat
        bool in_match = false;
        bool away = false;
        std::vector<Entrant> met;  // lately, the last at the end
    };

    void add(const Entry& entry) {
        players_.emplace_back();
        Rating rating;
        if (entry.rating > 0) rating.rating = entry.rating;
        then_.push_back(rating);
        now_.push_back(rating);
    }

    static bool ranks(const Rating& one) { return one.matches >= ladder_matches_to_rank; }

    // The ratings from all results, in the order of the matches.
    std::vector<Rating> folded() const {
        auto ratings = then_;
        for (const auto& [match, result] : results_) update(ratings, result);
        return ratings;
    }

    // So many of its last opponents a bot need not meet again where so many are here.
    std::size_t opponents_among(std::size_t here) const {
        return std::min(opponents_remembered, here > seats_ ? here - seats_ : 0);
    }

    // Whether some of them have played and some never have.
    bool is_trial(const std::vector<Entrant>& seats) const {
        const auto played =
            std::ranges::count_if(seats, [this](auto entrant) { return has_played(entrant); });
        return played > 0 && played < static_cast<std::ptrdiff_t>(seats.size());
    }

    // Whether the two met within the last opponents of either.
    bool met_lately(Entrant a, Entrant b, std::size_t opponents) const {
        const auto among = [opponents](const std::vector<Entrant>& met, Entrant whom) {
            const auto from =
                met.end() - static_cast<std::ptrdiff_t>(std::min(opponents, met.size()));
            return std::find(from, met.end(), whom) != met.end();
        };
        return among(players_[a].met, b) || among(players_[b].met, a);
    }

    // A match of `first` and the closest in rating, none of whom met another of them lately or
    // rests from one; empty where there is none. Those who have played sit together, and those who
    // never have, unless a trial can begin.
    std::vector<Entrant> seated_with(Entrant first, std::size_t fresh) const {
        auto seats = seated_among(first, fresh, false);
        if (seats.empty() && trials_.size() < trials_max_) seats = seated_among(first, fresh, true);
        return seats;
    }

    std::vector<Entrant> seated_among(Entrant first, std::size_t fresh, bool trial) const {
        std::vector<Entrant> seats{first};
        while (seats.size() < seats_) {
            std::optional<Entrant> closest;
            for (const auto candidate : free_) {
                if (!trial && has_played(candidate) != has_played(first)) continue;
                const bool taken = base::contains(seats, candidate);
                const bool stale = std::ranges::any_of(seats, [&](Entrant seat) {
                    return met_lately(seat, candidate, fresh) ||
                           apart_.contains(std::minmax(seat, candidate));
                });
                if (taken || stale) continue;
                if (!closest || distance(seats, candidate) < distance(seats, *closest))
                    closest = candidate;
            }
            if (!closest) break;
            seats.push_back(*closest);
        }
        if (seats.size() < std::min(seats_, seats_min_)) seats.clear();
        return seats;
    }

    double distance(const std::vector<Entrant>& seated, Entrant candidate) const {
        double sum = 0;
        for (const auto other : seated)
            sum += std::abs(now_[other].rating - now_[candidate].rating);
        return sum;
    }

    Pairing drawn(std::vector<Entrant> seats) {
        // The first seat goes to the one that had it least often.
        std::ranges::stable_sort(seats, [this](Entrant a, Entrant b) {
            return players_[a].first_seats < players_[b].first_seats;
        });
        std::erase_if(free_, [&](Entrant entrant) { return base::contains(seats, entrant); });
        Pairing pairing{last_match_ + 1, 1, std::move(seats)};
        take(pairing);
        return pairing;
    }

    void take(const Pairing& pairing) {
        last_match_ = pairing.match;
        if (is_trial(pairing.seats)) trials_[pairing.match] = pairing.seats;
        ++players_[pairing.seats.front()].first_seats;
        for (const auto entrant : pairing.seats) {
            auto& player = players_[entrant];
            ++player.drawn;
            player.in_match = true;
            for (const auto other : pairing.seats) {
                if (other != entrant) player.met.push_back(other);
            }
            if (player.met.size() > opponents_kept)
                player.met.erase(player.met.begin(),
                                 player.met.end() - static_cast<std::ptrdiff_t>(opponents_kept));
        }
    }

    static void update(std::vector<Rating>& players, const MatchResult& result) {
        std::vector<rating::RatedSeat> seats;
        for (std::size_t seat = 0; seat < result.seats.size(); ++seat)
            seats.push_back({result.seats[seat], result.placing[seat], result.version_of(seat)});
        rating::move_ratings(players, seats);
    }

    std::size_t seats_;
    std::size_t seats_min_;
    bool time_is_over_ = false;
    std::vector<Player> players_;
    std::vector<Entrant> free_;  // offered; those who have played least come first
    EntrantPairs apart_;
    bool all_are_free_ = false;
    // Last opponents that nobody meets again now: of those who have played, and of the others.
    std::size_t fresh_ = 0;
    std::size_t fresh_of_unplayed_ = 0;
    standings::ResultList results_;  // of the last matches
    std::vector<Rating> then_;       // from all matches before these
    std::vector<Rating> now_;        // as results came in
    std::uint64_t last_match_ = 0;
    std::map<std::uint64_t, std::vector<Entrant>> trials_;  // matches that are not over, and seats
    std::size_t trials_max_ = 1;
};

}  // namespace

std::unique_ptr<Ladder> ladder(const LadderOptions& options, std::vector<Entry> entries) {
    return std::make_unique<LadderSchedule>(options, std::move(entries));
}

Ladder* ladder_of(Schedule* schedule) {
    return dynamic_cast<Ladder*>(schedule);
}

const Ladder* ladder_of(const Schedule* schedule) {
    return dynamic_cast<const Ladder*>(schedule);
}

}  // namespace referee::formats
