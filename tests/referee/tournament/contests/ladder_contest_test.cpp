#include <gtest/gtest.h>

#include "tests/referee/tournament/contests/contest_player.h"

// A ladder as the sum of its records, with matches that are dropped and a bot that is dead.

namespace referee::contests {
namespace {

using formats::FormatKind;
using records::Record;
using records::TournamentState;

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
    explicit LadderPlayer(Contest& contest) : Player(contest, 1) {}

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

template <typename Kind>
std::size_t count_of(const std::vector<Record>& log) {
    return static_cast<std::size_t>(std::ranges::count_if(
        log, [](const auto& record) { return std::holds_alternative<Kind>(record); }));
}

std::size_t repetitions_in(const Contest& contest) {
    std::size_t sum = 0;
    for (const auto& [ordinal, match] : contest.results())
        sum += formats::repetitions(contest.results(), match);
    return sum;
}

TEST(LadderContest, comes_to_the_same_wherever_it_is_cut) {
    const auto config = config_of(dead_ladder);
    Contest calm(config, game_named("walls"));
    LadderPlayer player(calm);
    player.begin(field_of(dead_ladder));
    player.play();
    EXPECT_GE(count_of<records::DroppedRecord>(player.log), last_match / 4);
    EXPECT_GE(count_of<records::WithdrawalRecord>(player.log), 2U);
    EXPECT_GT(repetitions_in(calm), 0U);
    const auto drawn = drawn_in(player.log);
    for (const auto cut : player.ends) {
        Restarted again(config, player.log, cut);
        LadderPlayer other(again);
        other.log.assign(player.log.begin(), player.log.begin() + static_cast<std::ptrdiff_t>(cut));
        if (!again.begun()) continue;
        if (again.state() == TournamentState::waiting) continue;
        other.pick_up();
        other.play();
        SCOPED_TRACE("cut behind record " + std::to_string(cut));
        ASSERT_EQ(drawn_in(other.log), drawn);
        ASSERT_EQ(repetitions_in(again), repetitions_in(calm));
        ASSERT_EQ(count_of<records::WithdrawalRecord>(other.log),
                  count_of<records::WithdrawalRecord>(player.log));
        expect_same(again, calm);
        ASSERT_FALSE(::testing::Test::HasFailure());
    }
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
