#include <gtest/gtest.h>

#include "tests/referee/tournament/contests/contest_player.h"

// A ladder as the sum of its records, with matches that are dropped and a bot that is dead.

namespace referee::contests {
namespace {

using formats::FormatKind;
using tests::sim::of_kind;

constexpr std::size_t field_size = 7;
constexpr std::uint64_t last_match = 60;
constexpr Entrant dead_bot = field_size - 1;

// Its last bot is dead.
const Case dead_ladder{"ladder", FormatKind::ladder, field_size, "walls", 2, 2, false, false, 1,
                       true};

// Whether a match is dropped follows from its ordinal alone, so that a restart decides the same.
bool is_dropped(std::uint64_t match) {
    return match % 3 == 0;
}
bool is_begun_before_that(std::uint64_t match) {
    return match % 2 == 0;
}

// Plays a ladder by what the contest shows, so that it goes on in the same way after any cut.
class LadderPlayer final : public Player {
 public:
    using Player::Player;

    bool step() override {
        const auto open = contest_.open_matches();
        if (open.empty()) return draw();
        const auto& pairing = open.front();
        const auto plan = std::ranges::find_if(contest_.waiting(), [&](const auto& waiting) {
            return waiting.key.match == pairing.match;
        });
        const bool drops = is_dropped(pairing.match);
        if (drops && (plan->key.attempt > 1 || !is_begun_before_that(pairing.match))) {
            keep(contest_.drop(pairing.match, {pairing.seats.back()}, "it left"));
            return true;
        }
        auto result =
            result_of(contest_, start(static_cast<std::size_t>(plan - contest_.waiting().begin())));
        result.fingerprint = "the same";
        if (drops) {
            result.status = GameStatus::interrupted;
            result.outcome = {};
        }
        end(result);
        return true;
    }

 private:
    bool draw() {
        if (contest_.withdrawn_as_idle(dead_bot)) {
            order(contest_.admit(contest_.entry(dead_bot)));
            return true;
        }
        std::vector<Entrant> everybody;
        for (Entrant entrant = 0; entrant < field_size; ++entrant) everybody.push_back(entrant);
        contest_.offer(everybody, everybody.size());
        auto drawn = contest_.draw(field_size);
        const auto* first =
            drawn.empty() ? nullptr : std::get_if<records::PairingRecord>(&drawn.front());
        if (first == nullptr || first->match > last_match) return false;
        keep(std::move(drawn));
        return true;
    }
};

std::size_t repetitions_in(const Contest& contest) {
    std::size_t sum = 0;
    for (const auto& [ordinal, match] : contest.results())
        sum += standings::repetitions(contest.results(), match);
    return sum;
}

TEST(LadderContest, comes_to_the_same_wherever_it_is_cut) {
    const auto config = config_of(dead_ladder);
    Contest calm(config, game_named("walls"));
    LadderPlayer player(calm, 1);
    player.begin(field_of(dead_ladder));
    player.play();
    EXPECT_GE(of_kind<records::DroppedRecord>(player.log).size(), last_match / 4);
    EXPECT_GE(of_kind<records::WithdrawalRecord>(player.log).size(), 2U);
    EXPECT_GT(repetitions_in(calm), 0U);
    const auto drawn = drawn_in(player.log);
    cut_and_play_on(config, player, [&](const Contest& again, const Player& other) {
        EXPECT_EQ(drawn_in(other.log), drawn);
        EXPECT_EQ(repetitions_in(again), repetitions_in(calm));
        EXPECT_EQ(of_kind<records::WithdrawalRecord>(other.log).size(),
                  of_kind<records::WithdrawalRecord>(player.log).size());
        expect_same(again, calm);
    });
}

TEST(LadderContest, WhoHasHardlyPlayedStandsBehindTheOthers) {
    Begun begun({"ladder", FormatKind::ladder, 3, "walls", 2, 1});
    auto& contest = begun.contest;
    auto& player = begun.player;
    const auto play_two = [&] {
        contest.offer({0, 1}, 2);
        ASSERT_TRUE(player.step());
    };
    play_two();
    EXPECT_EQ(*contest.places(), (std::vector<std::size_t>{3, 1, 2})) << "all have hardly played";
    play_two();
    play_two();
    EXPECT_EQ(*contest.places(), (std::vector<std::size_t>{2, 1, 3}));
    player.order(contest.withdraw("b1", "ill"));
    EXPECT_EQ(*contest.places(), (std::vector<std::size_t>{1, 2, 3})) << "nor above who goes on";
}

}  // namespace
}  // namespace referee::contests
