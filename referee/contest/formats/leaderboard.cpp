#include "referee/contest/formats/leaderboard.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "referee/contest/formats/round_table.h"

namespace referee::formats {
namespace {

class LeaderboardTable final : public RoundTable {
 public:
    LeaderboardTable(std::vector<Entrant> opponents, std::size_t entrants)
        : opponents_(std::move(opponents)) {
        for (Entrant entrant = 0; entrant < entrants; ++entrant) {
            if (std::find(opponents_.begin(), opponents_.end(), entrant) == opponents_.end()) {
                ranked_.push_back(entrant);
            }
        }
    }

    std::uint64_t rounds() const override { return 1; }
    std::size_t places(std::uint64_t round) const override {
        return round == 0 ? ranked_.size() : 0;
    }
    std::vector<Entrant> seats(std::uint64_t /*round*/, std::size_t place) const override {
        std::vector<Entrant> seats{ranked_[place]};
        seats.insert(seats.end(), opponents_.begin(), opponents_.end());
        return seats;
    }
    bool alone_is_bye() const override { return false; }
    std::uint64_t matches_total() const override { return ranked_.size(); }

 private:
    std::vector<Entrant> opponents_;
    std::vector<Entrant> ranked_;
};

}  // namespace

std::unique_ptr<Schedule> leaderboard(const LeaderboardOptions& options, std::size_t entrants) {
    return table_schedule(std::make_unique<LeaderboardTable>(options.opponents, entrants),
                          numbers_of(entrants));
}

}  // namespace referee::formats
