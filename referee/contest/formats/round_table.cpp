#include "referee/contest/formats/round_table.h"

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/contest/formats/gauntlet.h"

namespace referee::formats {
namespace {

class LeaderboardTable final : public RoundTable {
 public:
    LeaderboardTable(std::vector<Entrant> opponents, std::size_t entrants)
        : opponents_(std::move(opponents)) {
        for (Entrant entrant = 0; entrant < entrants; ++entrant) {
            if (!base::contains(opponents_, entrant)) ranked_.push_back(entrant);
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

class TableSchedule final : public Schedule {
 public:
    TableSchedule(std::unique_ptr<RoundTable> table, std::vector<Entrant> numbers,
                  const std::optional<SprtBounds>& test)
        : table_(std::move(table)), numbers_(std::move(numbers)) {
        if (test) test_.emplace(*test);
    }

    std::unique_ptr<Schedule> copy() const override {
        return std::make_unique<TableSchedule>(*this);
    }

    Next next() override {
        while (round_ < table_->rounds() && place_ == table_->places(round_)) {
            ++round_;
            place_ = 0;
        }
        if (round_ == table_->rounds() || (test_ && test_->state().over())) {
            if (recorded_ == handed_out_) return Finished{};
            return Wait{};
        }
        auto seats = table_->seats(round_, place_++);
        for (auto& seat : seats) seat = numbers_[seat];
        const auto round = static_cast<std::uint32_t>(round_ + 1);
        if (seats.size() == 1 && table_->alone_is_bye())
            return Bye{round, seats.front(), {}, ByeKind::pairing};
        return Pairing{++handed_out_, round, std::move(seats)};
    }

    void record(const MatchResult& result) override {
        REFEREE_ASSERT(result.match >= 1 && result.match <= handed_out_);
        ++recorded_;
        REFEREE_ASSERT(recorded_ <= handed_out_);
        if (test_) test_->record(result);
    }

    bool reopen(std::uint64_t match) override {
        if (match == 0 || match > handed_out_ || recorded_ == 0) return false;
        --recorded_;
        if (test_) test_->forget(match);
        return true;
    }

    std::string ended_early() const override {
        if (!test_ || !test_->state().gave_up()) return {};
        return fmt::format(
            "the last {} matches brought nothing new: they repeated games that were played before, "
            "or somebody didn't come",
            repeats_most);
    }
    // Nothing to do: its matches were handed out all the time.
    bool come_back(Entrant /*entrant*/, std::uint32_t /*round*/) override { return true; }

    std::optional<std::uint64_t> matches_total() const override {
        if (test_) return std::nullopt;
        return table_->matches_total();
    }

 private:
    std::shared_ptr<const RoundTable> table_;  // copies share it
    std::vector<Entrant> numbers_;
    std::uint64_t round_ = 0;
    std::size_t place_ = 0;
    std::uint64_t handed_out_ = 0;
    std::uint64_t recorded_ = 0;
    std::optional<GauntletTest> test_;
};

}  // namespace

std::unique_ptr<RoundTable> leaderboard_table(const std::vector<Entrant>& opponents,
                                              std::size_t entrants) {
    return std::make_unique<LeaderboardTable>(opponents, entrants);
}

std::unique_ptr<Schedule> table_schedule(std::unique_ptr<RoundTable> table,
                                         std::vector<Entrant> numbers,
                                         const std::optional<SprtBounds>& test) {
    return std::make_unique<TableSchedule>(std::move(table), std::move(numbers), test);
}

}  // namespace referee::formats
