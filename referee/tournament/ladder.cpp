#include "referee/tournament/ladder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "protocol/json/assertion.h"

namespace referee::tournament {
namespace {

constexpr double rating_at_first = 1500;
constexpr double elo_scale = 400;
// How far one match moves a rating: more while little is known of it.
constexpr double step_of_newcomers = 32;
constexpr double step_of_others = 16;
constexpr std::uint64_t newcomer_matches_max = 20;
// Each of the pair's meetings among the last ones of either counts like so much distance in rating.
constexpr double meeting_distance = 200;
constexpr std::size_t meetings_remembered = 8;

class Ladder final : public Schedule {
 public:
    Ladder(const FormatConfig& config, std::vector<Entry> entries) : seats_(config.seats), seats_min_(config.seats_min) {
        for (const auto& entry : entries) add(entry);
    }

    void offer(std::vector<Entrant> free) override {
        free_ = std::move(free);
        std::erase_if(free_, [this](Entrant entrant) { return players_[entrant].away || players_[entrant].in_match; });
        std::stable_sort(free_.begin(), free_.end(),
                         [this](Entrant a, Entrant b) { return players_[a].drawn < players_[b].drawn; });
    }

    Next next() override {
        if (free_.size() < std::min(seats_, seats_min_)) return Wait{};
        Pairing pairing{last_match_ + 1, 1, {free_.front()}};
        free_.erase(free_.begin());
        while (pairing.seats.size() < seats_ && !free_.empty()) {
            const auto closest = std::min_element(free_.begin(), free_.end(), [&](Entrant a, Entrant b) {
                return distance(pairing.seats, a) < distance(pairing.seats, b);
            });
            pairing.seats.push_back(*closest);
            free_.erase(closest);
        }
        // Who sat in a seat least often gets it.
        std::stable_sort(pairing.seats.begin(), pairing.seats.end(),
                         [this](Entrant a, Entrant b) { return players_[a].first_seats < players_[b].first_seats; });
        take(pairing);
        return pairing;
    }

    Next draw_again(const Pairing& drawn) override {
        take(drawn);
        return drawn;
    }

    void record(const MatchResult& result) override {
        REFEREE_ASSERT(result.match <= last_match_);
        for (const auto entrant : result.seats) players_[entrant].in_match = false;
        if (results_.insert_or_assign(result.match, result).second) {
            update(players_, result);
        } else {
            players_ = rated();
        }
    }

    bool reopen(std::uint64_t match) override { return results_.contains(match); }

    std::optional<std::uint64_t> matches_total() const override { return std::nullopt; }

    void withdraw(Entrant entrant, std::uint32_t /*round*/) override { players_[entrant].away = true; }
    std::optional<Entrant> enter(const Entry& entry, std::uint32_t /*round*/) override {
        add(entry);
        return players_.size() - 1;
    }
    bool come_back(Entrant entrant, std::uint32_t /*round*/) override {
        players_[entrant].away = false;
        return true;
    }

    std::optional<std::vector<std::size_t>> places() const override {
        const auto players = rated();
        std::vector<std::size_t> places;
        for (const auto& player : players) {
            places.push_back(1 + static_cast<std::size_t>(std::count_if(players.begin(), players.end(), [&](const auto& other) {
                                 return other.rating > player.rating;
                             })));
        }
        return places;
    }

 private:
    struct Player {
        double rating_at_entry = rating_at_first;
        double rating = rating_at_first;
        std::uint64_t rated = 0;        // matches in the rating
        std::uint64_t drawn = 0;        // matches
        std::uint64_t first_seats = 0;  // matches in the first seat
        bool in_match = false;
        bool away = false;
        std::vector<Entrant> met;  // lately, the last at the end
    };

    void add(const Entry& entry) {
        Player player;
        if (entry.rating > 0) player.rating_at_entry = player.rating = entry.rating;
        players_.push_back(std::move(player));
    }

    // The players with ratings from all results, in the order of the matches.
    std::vector<Player> rated() const {
        auto players = players_;
        for (auto& player : players) {
            player.rating = player.rating_at_entry;
            player.rated = 0;
        }
        for (const auto& [match, result] : results_) update(players, result);
        return players;
    }

    double distance(const std::vector<Entrant>& seated, Entrant candidate) const {
        double sum = 0;
        for (const auto other : seated) {
            const auto& met = players_[other].met;
            const auto meetings = std::count(met.begin(), met.end(), candidate);
            sum += std::abs(players_[other].rating - players_[candidate].rating) + meeting_distance * static_cast<double>(meetings);
        }
        return sum;
    }

    void take(const Pairing& pairing) {
        last_match_ = pairing.match;
        ++players_[pairing.seats.front()].first_seats;
        for (const auto entrant : pairing.seats) {
            auto& player = players_[entrant];
            ++player.drawn;
            player.in_match = true;
            for (const auto other : pairing.seats) {
                if (other != entrant) player.met.push_back(other);
            }
            if (player.met.size() > meetings_remembered) {
                player.met.erase(player.met.begin(), player.met.end() - static_cast<std::ptrdiff_t>(meetings_remembered));
            }
        }
    }

    static void update(std::vector<Player>& players, const MatchResult& result) {
        const auto seats = result.seats.size();
        if (seats < 2) return;
        std::vector<double> change(seats, 0);
        for (std::size_t a = 0; a < seats; ++a) {
            const auto& player = players[result.seats[a]];
            const double step = player.rated < newcomer_matches_max ? step_of_newcomers : step_of_others;
            for (std::size_t b = 0; b < seats; ++b) {
                if (a == b) continue;
                const double gap = players[result.seats[b]].rating - player.rating;
                const double expected = 1 / (1 + std::pow(10.0, gap / elo_scale));
                const double got = result.placing[a] < result.placing[b] ? 1 : result.placing[a] == result.placing[b] ? 0.5 : 0;
                change[a] += step * (got - expected) / static_cast<double>(seats - 1);
            }
        }
        for (std::size_t a = 0; a < seats; ++a) {
            players[result.seats[a]].rating += change[a];
            ++players[result.seats[a]].rated;
        }
    }

    std::size_t seats_;
    std::size_t seats_min_;
    std::vector<Player> players_;
    std::vector<Entrant> free_;
    std::map<std::uint64_t, MatchResult> results_;
    std::uint64_t last_match_ = 0;
};

}  // namespace

std::unique_ptr<Schedule> ladder(const FormatConfig& config, std::vector<Entry> entries) {
    return std::make_unique<Ladder>(config, std::move(entries));
}

}  // namespace referee::tournament
