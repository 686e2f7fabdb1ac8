#include "referee/contest/formats/round_table.h"

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/contest/formats/gauntlet.h"

namespace referee::formats {
namespace {

class TableSchedule final : public Schedule {
 public:
    TableSchedule(RoundTable table, std::vector<Entrant> numbers,
                  const std::optional<SprtBounds>& test)
        : table_(std::make_shared<const RoundTable>(std::move(table))),
          numbers_(std::move(numbers)) {
        if (test) decision_.emplace(*test);
    }

    std::unique_ptr<Schedule> copy() const override {
        return std::make_unique<TableSchedule>(*this);
    }

    Next next() override {
        std::vector<Entrant> seats;
        const bool decided = decision_ && decision_->state().over();
        while (!decided && round_ < table_->rounds) {
            seats = table_->seats(round_, place_++);
            if (!seats.empty()) break;
            ++round_;
            place_ = 0;
        }
        if (seats.empty()) {
            if (recorded_ == handed_out_) return Finished{};
            return Wait{};
        }
        for (auto& seat : seats) seat = numbers_[seat];
        const auto round = static_cast<std::uint32_t>(round_ + 1);
        if (seats.size() == 1 && table_->alone_is_bye)
            return Bye{round, seats.front(), {}, ByeKind::pairing};
        return Pairing{++handed_out_, round, std::move(seats)};
    }

    void record(const MatchResult& result) override {
        REFEREE_ASSERT(result.match >= 1 && result.match <= handed_out_);
        ++recorded_;
        REFEREE_ASSERT(recorded_ <= handed_out_);
        if (decision_) decision_->record(result);
    }

    bool reopen(std::uint64_t match) override {
        if (match == 0 || match > handed_out_ || recorded_ == 0) return false;
        --recorded_;
        if (decision_) decision_->forget(match);
        return true;
    }

    std::string ended_early() const override {
        if (!decision_ || !decision_->state().gave_up()) return {};
        return fmt::format(
            "the last {} matches brought nothing new: they repeated games that were played before, "
            "or somebody didn't come",
            repeats_most);
    }
    // Nothing to do: its matches were handed out all the time.
    bool come_back(Entrant /*entrant*/, std::uint32_t /*round*/) override { return true; }

    std::optional<std::uint64_t> matches_total() const override {
        if (decision_) return std::nullopt;
        return table_->matches;
    }

 private:
    std::shared_ptr<const RoundTable> table_;  // copies share it
    std::vector<Entrant> numbers_;
    std::uint64_t round_ = 0;
    std::size_t place_ = 0;
    std::uint64_t handed_out_ = 0;
    std::uint64_t recorded_ = 0;
    std::optional<GauntletDecision> decision_;
};

}  // namespace

RoundTable leaderboard_table(const std::vector<Entrant>& opponents, std::size_t entrants) {
    std::vector<Entrant> ranked;
    for (Entrant entrant = 0; entrant < entrants; ++entrant)
        if (!base::contains(opponents, entrant)) ranked.push_back(entrant);
    const auto seats = [=](std::uint64_t /*round*/, std::size_t place) {
        if (place == ranked.size()) return std::vector<Entrant>{};
        std::vector<Entrant> its{ranked[place]};
        its.insert(its.end(), opponents.begin(), opponents.end());
        return its;
    };
    return {1, ranked.size(), seats, false};
}

std::unique_ptr<Schedule> table_schedule(RoundTable table, std::vector<Entrant> numbers,
                                         const std::optional<SprtBounds>& test) {
    return std::make_unique<TableSchedule>(std::move(table), std::move(numbers), test);
}

}  // namespace referee::formats
